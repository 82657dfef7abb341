import { createElement } from 'react'
import type { OFFER_TABS } from '#contract/offers/partner-offer.ts'
import type { Pages } from '#web/shell/page.ts'
import type english from './partner-offer.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    partnerOffer: typeof english
  }
}

export const pages: Pages<'partnerOffersAll' | 'partnerOffersLive' | 'partnerOffersAvailable' | 'partnerOffer'> = {
  partnerOffersAll: { page: listOf('all') },
  partnerOffersLive: { page: listOf('live') },
  partnerOffersAvailable: { page: listOf('available') },
  partnerOffer: { page: async () => (await import('#web/features/offers/partner-offer/partner-offer-detail.tsx')).PartnerOfferDetail },
}

/** The list at one of its tabs; the key keeps what was filtered in one from another. */
function listOf(tab: (typeof OFFER_TABS)[number]) {
  return async () => {
    const { PartnerOfferList } = await import('#web/features/offers/partner-offer/partner-offer-list.tsx')
    return () => createElement(PartnerOfferList, { key: tab, tab })
  }
}
