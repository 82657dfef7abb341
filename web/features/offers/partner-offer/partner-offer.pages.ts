import { IconTarget } from '@tabler/icons-react'
import type { Pages } from '#web/shell/page.ts'

export const partnerOfferPages: Pages<'partnerOffersAll' | 'partnerOffersLive' | 'partnerOffersAvailable' | 'partnerOffer'> = {
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
