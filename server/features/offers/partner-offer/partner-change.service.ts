import { z } from 'zod'
import { toUnits } from '#contract/money/amount.ts'
import { offerCap } from '#contract/offers/offer-cap.ts'
import { payoutRuleInput, targeting } from '#contract/offers/offer-fields.ts'
import type { partnerChangeApi, PartnerChange } from '#contract/offers/partner-change.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { resultingTerms, type ResultingTerms } from '#server/rules/offer/payout.ts'
import { listKnownLandings } from '../landing/offer-landing.queries.ts'
import { listOfferAudit } from './partner-offer.queries.ts'

type Answer = z.input<typeof partnerChangeApi.list.response>['list']
type Landing = Awaited<ReturnType<typeof listKnownLandings>>[number]
/** Whose terms they are, and the landings of the offer they know. */
type Reader = { affiliateId: number; uuid: string; landings: readonly Pick<Landing, 'id' | 'uuid' | 'name'>[] }

const WITHIN = 90 * 86_400_000

/** Of what the log of an offer keeps what an affiliate may read; the rest is not even parsed. */
const logged = z
  .object({
    status: z.string(),
    goals: z.array(z.object({ code: z.string(), title: z.string(), hidden: z.boolean(), rules: z.array(payoutRuleInput) })),
    caps: z.array(offerCap),
    hold_days: z.int(),
    targeting: targeting.pick({ geo: true }),
    landings: z.array(z.object({ landing_uuid: z.string() })),
  })
  .partial()
type Logged = z.output<typeof logged>

/**
 * What changed for an affiliate on offers it may see, newest first, from their log: at its own resulting terms. What was
 * changed while an offer was still a draft, or before a private one was opened to it, it is not told.
 */
export async function listPartnerChanges(
  db: Db,
  now: number,
  actor: Actor,
  { offer_uuid, count }: z.output<typeof partnerChangeApi.list.body>,
): Promise<Answer> {
  const affiliateId = affiliateOf(actor)
  const rows = await listOfferAudit(db, affiliateId, new Date(now - WITHIN), offer_uuid)
  const landings = await listKnownLandings(db, affiliateId, [...new Set(rows.map((row) => row.offer_number))])
  const byOffer = Map.groupBy(landings, (landing) => landing.offer_id)
  const drafts = new Set<number>()
  const list: Answer = []
  for (const row of rows) {
    if (list.length === count) break
    if (drafts.has(row.offer_number)) continue
    const [before, after] = [logged.safeParse(row.before).data, logged.safeParse(row.after).data]
    if (before === undefined || after === undefined) continue
    if (before.status === 'draft') drafts.add(row.offer_number)
    const changes = changesFor({ affiliateId, uuid: actor.uuid, landings: byOffer.get(row.offer_number) ?? [] }, before, after)
    if (changes.length === 0) continue
    list.push({
      at: row.at.toISOString(),
      offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
      currency: row.currency,
      changes,
    })
  }
  return list
}

function changesFor(reader: Reader, before: Logged, after: Logged): PartnerChange[] {
  const changes: PartnerChange[] = []
  const [was, is] = [stateOf(before.status), stateOf(after.status)]
  if (is !== null && is !== was) changes.push({ kind: 'state', before: was, after: is })
  if (before.goals !== undefined && after.goals !== undefined) changes.push(...payoutChanges(reader, before.goals, after.goals))
  if (before.hold_days !== undefined && after.hold_days !== undefined && before.hold_days !== after.hold_days)
    changes.push({ kind: 'hold', before: before.hold_days, after: after.hold_days })
  if (before.caps !== undefined && after.caps !== undefined && !sameJson(before.caps, after.caps))
    changes.push({ kind: 'caps', before: before.caps, after: after.caps })
  if (before.targeting !== undefined && after.targeting !== undefined && !sameJson(before.targeting.geo, after.targeting.geo))
    changes.push({ kind: 'geo', before: before.targeting.geo, after: after.targeting.geo })
  const had = new Set(before.landings?.map((one) => one.landing_uuid))
  const came = after.landings?.filter((one) => !had.has(one.landing_uuid)).map((one) => one.landing_uuid) ?? []
  const added = reader.landings.filter(({ uuid }) => came.includes(uuid)).map(({ name }) => name)
  if (added.length > 0) changes.push({ kind: 'landings', added })
  return changes
}

function stateOf(status: string | undefined): 'active' | 'paused' | 'stopped' | null {
  return status === 'active' || status === 'paused' || status === 'stopped' ? status : null
}

type Goals = NonNullable<Logged['goals']>
type Line = { goal: string; where: Omit<ResultingTerms, 'payout_fixed' | 'payout_percent'>; terms: ResultingTerms }

/** The lines of somebody's terms that came, went or bring something else. */
export function payoutChanges(reader: Reader, before: Goals, after: Goals): Extract<PartnerChange, { kind: 'payout' }>[] {
  const [was, is] = [linesOf(reader, before), linesOf(reader, after)]
  const nameOf = (id: number) => reader.landings.find((landing) => landing.id === id)?.name ?? ''
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((key): Extract<PartnerChange, { kind: 'payout' }>[] => {
    const [old, fresh] = [was.get(key), is.get(key)]
    const line = fresh ?? old
    if (line === undefined || (old !== undefined && fresh !== undefined && samePayout(old.terms, fresh.terms))) return []
    const where = { ...line.where, landings: line.where.landings.map(nameOf) }
    return [{ kind: 'payout', goal: line.goal, where, before: payoutOf(old), after: payoutOf(fresh) }]
  })
}

function linesOf({ affiliateId, uuid, landings }: Reader, goals: Goals): Map<string, Line> {
  const ids = new Map(landings.map((landing) => [landing.uuid, landing.id]))
  const lines = goals
    .filter((goal) => !goal.hidden)
    .flatMap((goal) => {
      const rules = goal.rules.map(({ affiliate_uuids, landing_uuids, ...rule }, position) => ({
        ...rule,
        id: position,
        goal_id: 0,
        position,
        // of the others only that the row is not for everybody
        affiliate_ids: affiliate_uuids.map((one) => (one === uuid ? affiliateId : 0)),
        landing_ids: landing_uuids.map((one) => ids.get(one) ?? 0),
      }))
      const known = landings.map((landing) => landing.id)
      return resultingTerms(rules, affiliateId, known).map((terms): [string, Line] => {
        const where = { landings: terms.landings, geos: terms.geos, devices: terms.devices, oses: terms.oses }
        return [JSON.stringify([goal.code, where]), { goal: goal.title, where, terms }]
      })
    })
  return new Map(lines)
}

function samePayout(one: ResultingTerms, other: ResultingTerms): boolean {
  return toUnits(one.payout_fixed) === toUnits(other.payout_fixed) && toUnits(one.payout_percent) === toUnits(other.payout_percent)
}

function payoutOf(line: Line | undefined) {
  return line === undefined ? null : { payout_fixed: line.terms.payout_fixed, payout_percent: line.terms.payout_percent }
}
