import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, reference, uuid } from '#contract/fields.ts'
import { listOf, paging } from '#contract/paging.ts'

/** Links are kept so many at a time. */
export const MOST_KEPT_LINES = 500
/** Trackers hold every kept link in memory: so many in all, and so many of one affiliate. */
export const MOST_KEPT_LINKS = 50_000
export const MOST_KEPT_OF_AFFILIATE = 5_000

/** Why an address is not kept. */
export const KEPT_REFUSALS = [
  /** It names its offer and affiliate: it leads here without being kept. */
  'needs_no_keeping',
  'no_campaign',
  'served',
  /** Kept already, for another offer or affiliate, or a short link of somebody. */
  'taken',
  'affiliate_missing',
  'affiliate_unknown',
  'affiliate_ambiguous',
  /** What stands behind a comma or semicolon may be part of the address. */
  'affiliate_unclear',
] as const
const keptRefusal = z.enum(KEPT_REFUSALS)

const code = z.string().regex(/^[\w.~-]{2,100}$/)

/** An address of the tracker a network came from, whose campaign stands for one offer and affiliate here. */
export const keptLink = z.object({
  code,
  /** The path it had, with the parameter that names the campaign, where one does. */
  path: z.string(),
  affiliate: reference,
  /** Whether the affiliate has access to the offer: without it every click is refused. */
  access: z.boolean(),
  created_at: moment,
})

/** Links that were out before a network moved here. */
export const keptLinkApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/kept-link/v1/list',
    access: 'affiliate.write',
    reads: true,
    summary: 'Links of other trackers kept for an offer and affiliates of the own scope, newest first.',
    /** `search`: of the address, of the affiliate's name or e-mail, or its number. */
    body: z.object({ ...paging, offer_uuid: uuid, search: line(100).default('') }),
    response: listOf(keptLink),
  }),
  keep: endpoint({
    method: 'POST',
    path: '/api/kept-link/v1/keep',
    access: 'affiliate.write',
    summary:
      'Keeps addresses of other trackers for an offer: one a line, each with its affiliate behind it (number, e-mail or external id) where that is not the one named for all. With a line that cannot be kept, none is.',
    body: z.object({
      offer_uuid: uuid,
      affiliate_uuid: uuid.nullable().default(null),
      lines: z.array(z.string().max(2_000)).min(1).max(MOST_KEPT_LINES),
    }),
    response: z.object({
      kept: z.int(),
      /** Kept for the same before. */
      already: z.int(),
      refused: z.array(z.object({ line: z.int(), text: z.string(), reason: keptRefusal })),
    }),
  }),
  drop: endpoint({
    method: 'POST',
    path: '/api/kept-link/v1/drop',
    access: 'affiliate.write',
    summary: 'Keeps links no longer: their clicks lead nowhere from then on. With one that is not there none is dropped.',
    body: z.object({ codes: z.array(code).min(1).max(MOST_KEPT_LINES) }),
    response: z.object({}),
  }),
}
