import { PartnerOfferList } from '#web/features/offers/partner-offer/partner-offer-list.tsx'

/** The tab "available" of an affiliate's offers. */
export function PartnerOffersAvailable() {
  return <PartnerOfferList key="available" tab="available" />
}
