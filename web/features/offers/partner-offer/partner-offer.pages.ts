import { createElement } from 'react'
import type { OFFER_TABS } from '#contract/offers/partner-offer.ts'
import { loadLateTexts } from '#web/i18n/language.ts'
import type { Pages } from '#web/shell/page.ts'
import type page from './partner-page.late.en.json'
import type english from './partner-offer.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    partnerOffer: typeof english
    partnerPage: typeof page
  }
}

/** What is imported, once the texts of one offer are there too. */
const withTexts = async <Module>(page: Promise<Module>) => (await Promise.all([page, loadLateTexts('partnerPage')]))[0]

export const pages: Pages<'partnerOffersAll' | 'partnerOffersLive' | 'partnerOffersAvailable' | 'partnerOffer' | 'partnerOfferApi'> = {
  partnerOffersAll: { page: listOf('all') },
  partnerOffersLive: { page: listOf('live') },
  partnerOffersAvailable: { page: listOf('available') },
  partnerOffer: {
    page: async () => (await withTexts(import('#web/features/offers/partner-offer/partner-offer-detail.tsx'))).PartnerOfferDetail,
  },
  partnerOfferApi: { page: async () => (await withTexts(import('#web/features/offers/partner-offer/partner-leads.tsx'))).PartnerLeadOffer },
}

/** The list at one of its tabs; the key keeps what was filtered in one from another. */
function listOf(tab: (typeof OFFER_TABS)[number]) {
  return async () => {
    const { PartnerOfferList } = await import('#web/features/offers/partner-offer/partner-offer-list.tsx')
    return () => createElement(PartnerOfferList, { key: tab, tab })
  }
}
