import { LinkBuilder } from '#web/features/offers/partner-offer/link-builder.tsx'
import { PartnerLandings } from '#web/features/offers/partner-offer/partner-landings.tsx'
import { PartnerOfferHead } from '#web/features/offers/partner-offer/partner-offer-head.tsx'
import { PartnerOfferPage } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { Caps } from '#web/features/offers/partner-offer/offer-caps.tsx'
import { Conditions } from '#web/features/offers/partner-offer/offer-conditions.tsx'
import { NotLive } from '#web/features/offers/partner-offer/offer-not-live.tsx'
import { Terms } from '#web/features/offers/partner-offer/offer-terms.tsx'
import { RequestAccess } from '#web/features/offers/partner-offer/request-access.tsx'
import { OfferChanges } from '#web/offer-changes.tsx'

/** One offer for an affiliate: what it brings, what it asks for, and the link. */
export function PartnerOfferDetail() {
  return (
    <PartnerOfferPage type="direct">
      {(offer) => (
        <>
          <PartnerOfferHead offer={offer} />
          <NotLive offer={offer} />
          {offer.access !== 'approved' ? <RequestAccess offer={offer} /> : offer.state === 'live' && <LinkBuilder offer={offer} />}
          <PartnerLandings landings={offer.landings} />
          <Terms offer={offer} />
          <OfferChanges offer={offer.uuid} />
          <Caps offer={offer} />
          <Conditions offer={offer} />
        </>
      )}
    </PartnerOfferPage>
  )
}
