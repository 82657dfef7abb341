import { z } from 'zod'
import { line, moment, reference, webAddress } from '#contract/fields.ts'
import type { Refusal } from '#contract/traffic/refusal.ts'
import { landingNumber, partnerLanding } from './offer-landing.ts'

const sub = line(255).default('')

/** What a link carries. `{…}` of other systems may stand in any value. */
export const linkInput = z.object({
  /** One of the `track_domains` of the offer; '' = the usual one. */
  domain: line(253).default(''),
  sub1: sub,
  sub2: sub,
  sub3: sub,
  sub4: sub,
  sub5: sub,
  sub6: sub,
  sub7: sub,
  sub8: sub,
  sub9: sub,
  sub10: sub,
  source: sub,
  landing: landingNumber.default(''),
  /** The affiliate's own click id. */
  click_id: sub,
  /** Only https and a host the offer lists. */
  deeplink: webAddress().default(''),
})

export const shortLink = z.object({
  code: z.string(),
  url: z.string(),
  offer: reference,
  params: z.record(z.string(), z.string()),
  created_at: moment,
})

/** What all clicks of a link may be refused for, as the tracker names it. */
export const LINK_REFUSALS = [
  'affiliate_inactive',
  'advertiser_inactive',
  'credit_blocked',
  'offer_inactive',
  'outside_dates',
] as const satisfies Refusal[]

/** A link staff build for an affiliate, and what the affiliate could ask for in it. */
export const affiliateLink = z.object({
  url: z.string(),
  /** Why every click of it would be refused just now; null = none would for this. */
  refused: z.enum(LINK_REFUSALS).nullable(),
  landings: z.array(partnerLanding),
  deep_link_hosts: z.array(z.string()),
  /** The tracking domains the affiliate may choose among, the usual one first. */
  track_domains: z.array(z.string()),
})
