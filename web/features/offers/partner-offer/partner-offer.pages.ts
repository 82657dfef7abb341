import { IconTarget } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'
import type english from './partner-offer.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    partnerOffer: typeof english
  }
}

export const pages: Pages<'partnerOffersAll' | 'partnerOffersLive' | 'partnerOffersAvailable' | 'partnerOffer'> = {
  partnerOffersAll: {
    page: async () => (await import('#web/features/offers/partner-offer/partner-offers-all.tsx')).PartnerOffersAll,
    icon: IconTarget,
  },
  partnerOffersLive: { page: async () => (await import('#web/features/offers/partner-offer/partner-offers-live.tsx')).PartnerOffersLive },
  partnerOffersAvailable: {
    page: async () => (await import('#web/features/offers/partner-offer/partner-offers-available.tsx')).PartnerOffersAvailable,
  },
  partnerOffer: { page: async () => (await import('#web/features/offers/partner-offer/partner-offer-detail.tsx')).PartnerOfferDetail },
}
