import type { z } from 'zod'
import type { landing, landingDetail } from '#contract/offers/landing.ts'
import type { offerLanding, partnerLanding } from '#contract/offers/offer-landing.ts'
import { isoDates } from '#server/platform/iso-dates.ts'
import type { LandingRow, offersOfLanding } from './landing.queries.ts'
import { sampleAddress } from './landing-address.ts'
import type { OfferLandingRow, PartnerLandingRow } from './offer-landing.queries.ts'

/** A landing as those see it who look after all. */
export function presentLanding(row: LandingRow): z.input<typeof landing> {
  return isoDates(row)
}

/** One landing with whom it is for and where it stands. */
export function presentLandingDetail(
  row: LandingRow,
  affiliates: z.input<typeof landingDetail>['affiliates'],
  offers: Awaited<ReturnType<typeof offersOfLanding>>,
): z.input<typeof landingDetail> {
  return { ...isoDates(row), affiliates, used_by: offers.map(({ advertiser_id: _advertiser, ...offer }) => offer) }
}

/** A landing within an offer; its address, what was decided of it and a private one's picture belong to those who may change the offer. */
export function presentOfferLanding(row: OfferLandingRow, editable: boolean): z.input<typeof offerLanding> {
  const shown = { ...row, private: row.privacy === 'private' }
  return editable ? shown : { ...shown, url: '', reason: '', preview: shown.private ? null : row.preview }
}

/** A landing as an affiliate may see it. */
export function presentPartnerLanding({ url, ...row }: PartnerLandingRow): z.input<typeof partnerLanding> {
  return { ...row, preview_url: sampleAddress(url) }
}
