import { loadLateTexts } from '#web/i18n/language.ts'
import { searchOf, type Pages } from '#web/shell/page.ts'
import type english from './offer.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    offer: typeof english
  }
}

export const pages: Pages<'offers' | 'offerCreateDirect' | 'offerEditDirect' | 'offerDetailDirect'> = {
  offers: {
    page: async () => (await Promise.all([import('#web/features/offers/offer/offer-list.tsx'), loadLateTexts('offer')]))[0].OfferList,
    search: searchOf(
      'offerDetailDirect',
      async () => (await import('#contract/offers/offer.ts')).offerApi.list,
      ({ id, title, advertiser }) => ({ label: title, detail: [id, advertiser?.name].filter(Boolean).join(' · ') }),
    ),
    waiting: ['access', 'caps'],
  },
  offerCreateDirect: {
    page: async () => (await Promise.all([import('#web/features/offers/offer/offer-create.tsx'), loadLateTexts('offer')]))[0].OfferCreate,
  },
  offerEditDirect: {
    page: async () => (await Promise.all([import('#web/features/offers/offer/offer-edit.tsx'), loadLateTexts('offer')]))[0].OfferEdit,
  },
  offerDetailDirect: {
    page: async () =>
      (await Promise.all([import('#web/features/offers/offer/detail/offer-detail.tsx'), loadLateTexts('offer')]))[0].OfferDetail,
  },
}
