import { IconTarget } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const offerPages: Pages<'offers' | 'offerCreateDirect' | 'offerEditDirect' | 'offerDetailDirect'> = {
  offers: {
    page: async () => (await import('#web/features/offers/offer/offer-list.tsx')).OfferList,
    icon: IconTarget,
    search: { opens: 'offerDetailDirect', find: async () => (await import('#web/features/offers/offer/offer-search.ts')).findOffers },
    waiting: async () => (await import('#contract/offers/waiting.ts')).pendingAccess,
  },
  offerCreateDirect: { page: async () => (await import('#web/features/offers/offer/offer-create.tsx')).OfferCreate },
  offerEditDirect: { page: async () => (await import('#web/features/offers/offer/offer-edit.tsx')).OfferEdit },
  offerDetailDirect: { page: async () => (await import('#web/features/offers/offer/detail/offer-detail.tsx')).OfferDetail },
}
