import type { z } from 'zod'
import type { landing, landingDetail } from '#contract/offers/landing.ts'
import type { offerLanding, partnerLanding } from '#contract/offers/offer-landing.ts'
import type { LandingListRow, LandingRow, offersOfLanding } from './landing.queries.ts'
import { sampleAddress } from './landing-address.ts'
import type { OfferLandingRow, PartnerLandingRow } from './offer-landing.queries.ts'

/** A landing in a list. */
export function presentLanding(row: LandingListRow): z.input<typeof landing> {
  const { advertiser_uuid: uuid, advertiser_number: id, advertiser_name: name, ...rest } = row
  return {
    ...rest,
    advertiser: uuid === null || id === null || name === null ? null : { uuid, id, name },
    offers: Number(row.offers),
    active_offers: Number(row.active_offers),
    checked_at: row.checked_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** One landing with whom it is for and where it stands. */
export function presentLandingDetail(
  row: LandingRow,
  affiliates: z.input<typeof landingDetail>['affiliates'],
  offers: Awaited<ReturnType<typeof offersOfLanding>>,
): z.input<typeof landingDetail> {
  return { ...row, ...presentLanding(row), affiliates, used_by: offers }
}

/** A landing within an offer; its address belongs to those who may change the offer. */
export function presentOfferLanding(row: OfferLandingRow, editable: boolean): z.input<typeof offerLanding> {
  return { ...row, url: editable ? row.url : '', private: row.privacy === 'private' }
}

/** A landing as an affiliate may see it. */
export function presentPartnerLanding({ url, ...row }: PartnerLandingRow): z.input<typeof partnerLanding> {
  return { ...row, preview_url: sampleAddress(url) }
}
