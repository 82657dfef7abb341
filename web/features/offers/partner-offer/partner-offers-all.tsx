import { PartnerOfferList } from '#web/features/offers/partner-offer/partner-offer-list.tsx'

/** The tab "all" of an affiliate's offers. */
export function PartnerOffersAll() {
  return <PartnerOfferList key="all" tab="all" />
}
