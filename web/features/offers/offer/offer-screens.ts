import type { ScreenId } from '#contract/screens.ts'
import type { Offer } from '#web/features/offers/offer/offer-columns.tsx'

/** Where an offer of either type is shown and changed. */
export const OFFER_SCREENS = {
  direct: { detail: 'offerDetailDirect', edit: 'offerEditDirect' },
  api: { detail: 'offerDetailApi', edit: 'offerEditApi' },
} as const satisfies Record<Offer['type'], Record<'detail' | 'edit', ScreenId>>
