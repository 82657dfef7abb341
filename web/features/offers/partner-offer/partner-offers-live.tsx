import { PartnerOfferList } from '#web/features/offers/partner-offer/partner-offer-list.tsx'

/** The tab "live" of an affiliate's offers. */
export function PartnerOffersLive() {
  return <PartnerOfferList key="live" tab="live" />
}
