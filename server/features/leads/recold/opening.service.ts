import { emptiesAt, isCounted } from '#server/features/leads/api-offer/cap-window.queries.ts'
import type { Cascade } from '#server/features/leads/api-offer/cascade.queries.ts'
import type { Taker } from '#server/rules/lead/cold/takers.ts'
import { blockOf, type CascadeMember, type LeadFacts } from '#server/rules/lead/cascade.ts'
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
  const lead = factsOf(recold, judged, now)
  const openings: Opening[] = []
  for (const member of (cascade?.groups ?? []).flatMap(({ members }) => members)) {
    if (!judged.takers.has(member.productId)) continue
    const blocked = blockOf(member, lead, new Set())
    if (blocked === null) return 'now'
    if (blocked.check === 'hours') openings.push(momentOf(blocked.detail['opens_at']))
    if (blocked.check === 'cap') openings.push(emptiesAt(member.windows, member.caps, now) ?? 'closed')
    if (blocked.check === 'credit_blocked') openings.push('closed')
    if (blocked.check === 'state') openings.push(member.state === 'suspended' ? now + LOOK_AGAIN : 'closed')
  }
  const moments = openings.filter((one) => typeof one === 'number')
  if (moments.length > 0) return Math.min(...moments)
  return openings.length > 0 ? 'closed' : 'now'
}

/**
 * The same for a plan: the products of an offer as they open and have places, and which of them may take somebody. Undefined: they are
 * sent at any moment, for waiting would change nothing; none: nobody takes them by itself.
 */
export function takersIn(cascade: Cascade | undefined, now: number) {
  const members = (cascade?.groups ?? []).flatMap((group) => group.members)
  // hours and limits are the plan's to follow: of who may be asked at all they say nothing
  const asked = members.map((member): CascadeMember => ({ ...member, state: 'active', hours: [], caps: [] }))
  return {
    takers: members.map((member): Taker => ({
      from: member.state === 'suspended' ? now + LOOK_AGAIN : 0,
      hours: member.hours,
      caps: member.windows.map((window, at) => ({
        key: `${window.owner} ${window.period} ${window.limit}`,
        period: window.period,
        zone: window.zone,
        limit: window.limit,
        used: member.caps[at]?.used ?? 0,
        counts: isCounted(window),
      })),
    })),
    placesFor(recold: Pick<Running, 'payout' | 'affiliate_id'>, judged: Pick<Judged, 'source' | 'takers' | 'told'>): number[] | undefined {
      const lead = factsOf(recold, judged, now)
      const fit = members.flatMap(({ productId }, at) => {
        const member = asked[at]
        return judged.takers.has(productId) && member !== undefined && blockOf(member, lead, new Set()) === null ? [at] : []
      })
      return fit.length === 0 ? undefined : fit.filter((at) => ['active', 'suspended'].includes(members[at]?.state ?? ''))
    },
  }
}

function factsOf(recold: Pick<Running, 'payout' | 'affiliate_id'>, judged: Pick<Judged, 'source' | 'told'>, now: number): LeadFacts {
  const { source, told } = judged
  const subs = openlyTold(source, told)['subs']
  return {
    at: now,
    country: source.country,
    affiliateId: affiliateOf(recold, judged),
    sub1: Array.isArray(subs) ? String(subs[0] ?? '') : '',
    // whoever had them or may not is no taker
    seenBy: new Map<number, number>(),
    consentTo: null,
    draw: 0,
  }
}

function momentOf(text: unknown): Opening {
  return typeof text === 'string' ? Date.parse(text) : 'closed'
}
