import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './offer.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    offer: typeof english
  }
}

/** What is imported, once the texts of offers are there too. */
const withTexts = async <Module>(page: Promise<Module>) => (await Promise.all([page, loadLateTexts('offer')]))[0]
const ofLeads = () => withTexts(import('#web/features/offers/offer/lead/lead-pages.ts'))

export const pages: Pages<
  'offers' | 'offerCreateDirect' | 'offerEditDirect' | 'offerDetailDirect' | 'offerCreateApi' | 'offerEditApi' | 'offerDetailApi'
> = {
  offers: {
    page: async () => (await withTexts(import('#web/features/offers/offer/offer-list.tsx'))).OfferList,
    search: searchOf(
      'offerDetailDirect',
      async () => (await import('#contract/offers/offer.ts')).offerApi.list,
      ({ id, title, advertiser }) => ({ label: title, detail: [id, advertiser?.name].filter(Boolean).join(' · ') }),
    ),
    waiting: ['access', 'caps'],
  },
  offerCreateDirect: { page: async () => (await withTexts(import('#web/features/offers/offer/offer-create.tsx'))).OfferCreate },
  offerEditDirect: { page: async () => (await withTexts(import('#web/features/offers/offer/offer-edit.tsx'))).OfferEdit },
  offerDetailDirect: { page: async () => (await withTexts(import('#web/features/offers/offer/detail/offer-detail.tsx'))).OfferDetail },
  offerCreateApi: { page: async () => (await ofLeads()).LeadOfferCreate },
  offerEditApi: { page: async () => (await ofLeads()).LeadOfferEdit },
  offerDetailApi: { page: async () => (await ofLeads()).LeadOfferDetail },
}
