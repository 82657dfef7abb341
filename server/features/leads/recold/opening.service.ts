import type { Cascade, ReadMember } from '#server/features/leads/api-offer/cascade.queries.ts'
import { blockOf } from '#server/rules/lead/cascade.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { openlyTold, type Judged } from './judge.service.ts'
import type { Running } from './run.queries.ts'

/** After so long a product that rests is asked about again. */
const LOOK_AGAIN = 15 * 60_000

/** `now`: somebody takes them, or waiting would change nothing; a moment: until then nobody does; `closed`: nobody will by itself. */
export type Opening = 'now' | 'closed' | number

/** Under whom a person of a distribution registers. */
export function affiliateOf(
  { payout, affiliate_id }: Pick<Running, 'payout' | 'affiliate_id'>,
  { source }: Pick<Judged, 'source'>,
): number {
  return payout === 'none' ? affiliate_id : (source.affiliate_id ?? affiliate_id)
}

/**
 * When a product takes this person, of those that may be asked for them: hours and limits of others say nothing. A lead that is made
 * before waits in the cascade instead, and goes out with all that wait there when its product opens, whatever the pacing says.
 */
export function openingFor(
  cascade: Cascade | undefined,
  recold: Pick<Running, 'payout' | 'affiliate_id'>,
  judged: Pick<Judged, 'source' | 'takers' | 'told'>,
  now: number,
): Opening {
  const { source, takers, told } = judged
  const subs = openlyTold(source, told)['subs']
  const lead = {
    at: now,
    country: source.country,
    affiliateId: affiliateOf(recold, judged),
    sub1: Array.isArray(subs) ? String(subs[0] ?? '') : '',
    // whoever had them or may not is no taker
    seenBy: new Map<number, number>(),
    consentTo: null,
    draw: 0,
  }
  const openings: Opening[] = []
  for (const member of (cascade?.groups ?? []).flatMap(({ members }) => members)) {
    if (!takers.has(member.productId)) continue
    const blocked = blockOf(member, lead, new Set())
    if (blocked === null) return 'now'
    if (blocked.check === 'hours') openings.push(momentOf(blocked.detail['opens_at']))
    if (blocked.check === 'cap') openings.push(emptiesAt(member, now))
    if (blocked.check === 'state') openings.push(member.state === 'suspended' ? now + LOOK_AGAIN : 'closed')
  }
  const moments = openings.filter((one) => typeof one === 'number')
  if (moments.length > 0) return Math.min(...moments)
  return openings.length > 0 ? 'closed' : 'now'
}

function momentOf(text: unknown): Opening {
  return typeof text === 'string' ? Date.parse(text) : 'closed'
}

/** When the limits of a member that are full begin anew. */
function emptiesAt({ caps, windows }: ReadMember, now: number): Opening {
  const full = windows.filter((_, at) => (caps[at]?.used ?? 0) >= (caps[at]?.limit ?? Infinity))
  if (full.some(({ period }) => period === 'total')) return 'closed'
  return Math.max(...full.map(({ period, zone }) => periodOf(period, now, zone).ends))
}
