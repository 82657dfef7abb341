import type { z } from 'zod'
import type { recoldInput, RecoldPreview, RECOLD_WARNINGS } from '#contract/leads/recold.ts'
import type { RecoldForecast, SkipReason } from '#contract/leads/recold-plan.ts'
import type { Scope } from '#server/access/scope.ts'
import { readCascade } from '#server/features/leads/api-offer/cascade.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import {
  capacityByDay,
  planFirst,
  planSlots,
  type PaceRules,
  type PlanEnd,
  type Standing,
  type Waiting,
} from '#server/rules/lead/cold/pacing.ts'
import { judgePeople, registeredAt } from './judge.service.ts'
import { takersIn } from './opening.service.ts'
import { rulesOf } from './plan.service.ts'
import { projectRecold, type Sold } from './projection.service.ts'
import { listOrder } from './run.queries.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { listTargets, type Target, type TargetOffer } from './target.queries.ts'

/** People that are looked at before a start; of a longer list the first so many. */
const MOST_LOOKED_AT = 20_000
const AT_ONCE = 1_000
const FIRST = 20
/** A chart of a month. */
const MOST_HOURS = 744

export type Asked = Pick<z.output<typeof recoldInput>, 'schedule' | 'pacing' | 'data' | 'skip' | 'payout' | 'payout_amount'> & {
  list: { id: number }
  offer: TargetOffer
  productIds: readonly number[]
  team: readonly number[] | null
  seed: string
}
type Sendable = Waiting & { id: string } & Sold

/** What a distribution would do if it were started now, and what it would bring as far as the caller sees what earlier ones did. */
export async function previewRecold(
  parts: { db: DbOrTrx; secretKey: string | null },
  now: number,
  scope: Scope,
  asked: Asked,
): Promise<RecoldPreview> {
  const { people, skipped, warned, sendable, looked, targets, takers } = await look(parts, now, asked)
  const rules = { ...(await paceOf(parts.db, asked)), takers }
  const plan = planFirst(rules, standing(now), sendable, FIRST)
  const warnings: { code: (typeof RECOLD_WARNINGS)[number]; people: number }[] = []
  const warn = (code: (typeof RECOLD_WARNINGS)[number], many: number, holds: boolean) => {
    if (holds) warnings.push({ code, people: many })
  }
  const { starts_at } = asked.schedule
  warn('offer_closed', 0, !isRunning(asked.offer, now))
  warn('cannot_finish', plan.left, plan.end === 'ends_at')
  warn('total', plan.left, plan.end === 'total')
  warn('never_open', plan.left, plan.end === 'never_open')
  warn('targets_closed', plan.left, plan.end === 'targets_closed')
  warn('past_start', 0, starts_at !== null && Date.parse(starts_at) < now)
  warn('no_consent_warned', warned, warned > 0)
  warn(
    'untested',
    0,
    targets.some(({ tested }) => !tested),
  )
  warn('more_people', looked, people > looked)
  return {
    matched: people,
    sendable: sendable.length,
    skipped: { ...skipped, ...(plan.capped > 0 && { geo_cap: plan.capped }) },
    geos: [...Map.groupBy(sendable, ({ country }) => country)]
      .map(([country, all]) => ({ country, people: all.length }))
      .toSorted((one, other) => other.people - one.people || one.country.localeCompare(other.country)),
    capacity: capacityByDay(named(rules, sendable), now),
    finish: plan.finish === null || plan.left > 0 ? null : new Date(plan.finish).toISOString(),
    left: plan.left,
    first: plan.slots.map(({ at, item }) => ({ at: new Date(at).toISOString(), country: item.country })),
    projection: await projectRecold(parts.db, now, scope, { ...asked, people: plan.items, targets }),
    warnings,
  }
}

/** By the hour how many would be sent, for the chart of plan and fact; `planned`: who would be, within limits and the end, `finish`: the last of them. Of one that `goesOn` whoever waits yet. */
export async function forecastOf(
  parts: { db: DbOrTrx; secretKey: string | null },
  now: number,
  asked: Asked,
  goesOn?: { id: number; standing: Standing },
): Promise<Forecast> {
  const { people, looked, sendable, targets, takers } = await look(parts, now, asked, goesOn?.id)
  const hours = new Map<number, number>()
  const planned: Sold[] = []
  let [finish, end]: [Date | null, PlanEnd | null] = [null, null]
  for (const next of planSlots({ ...(await paceOf(parts.db, asked)), takers }, goesOn?.standing ?? standing(now), sendable)) {
    if (next.kind === 'end') end = next.why
    if (next.kind !== 'slot') continue
    planned.push(next.item)
    finish = new Date(next.at)
    const hour = Math.floor(next.at / 3_600_000)
    if (hours.size >= MOST_HOURS && !hours.has(hour)) continue
    hours.set(hour, (hours.get(hour) ?? 0) + 1)
  }
  const forecast = [...hours].map(([hour, slots]) => ({ hour: new Date(hour * 3_600_000).toISOString(), slots }))
  // of who was not looked at nobody knows when they are sent
  return { sendable, planned, targets, forecast, finish: people > looked ? null : finish, end }
}
type Forecast = {
  sendable: readonly Sold[]
  planned: readonly Sold[]
  targets: readonly Target[]
  forecast: RecoldForecast
  finish: Date | null
  /** Why nobody more is sent; null = all of them are. */
  end: PlanEnd | null
}

async function look(parts: { db: DbOrTrx; secretKey: string | null }, now: number, asked: Asked, of: number | null = null) {
  const { list, team, seed, pacing, offer, productIds, skip, data } = asked
  const order = await listOrder(parts.db, { list_id: list.id, team, seed, order: pacing.order, most: MOST_LOOKED_AT + 1, of })
  const looked = order.slice(0, MOST_LOOKED_AT)
  const targets = await listTargets(parts.db, offer.id, productIds)
  const judging = { skip, data, offer: { id: offer.id, type: offer.type, geo: offer.targeting.geo }, targets, team }
  const skipped: Partial<Record<SkipReason, number>> = {}
  const sendable: Sendable[] = []
  const cascade = await readCascade(parts.db, offer.id, now)
  // whoever is paid nothing registers under the network’s own affiliate, whom no terms name
  const under = { payout: asked.payout, affiliate_id: 0 }
  const { takers, placesFor } = takersIn(cascade, now)
  let warned = 0
  const judge = (from: number) => {
    const ids = looked.slice(from, from + AT_ONCE).map(({ id }) => id)
    return ids.length === 0 ? null : judgePeople(parts, now, judging, ids)
  }
  // the database reads the next while these are looked at
  let coming = judge(0)
  for (let from = 0; from < looked.length; from += AT_ONCE) {
    const judged = await coming
    coming = judge(from + AT_ONCE)
    for (const one of looked.slice(from, from + AT_ONCE)) {
      const found = judged?.get(one.id)
      if (found === undefined) continue
      if (found.warned) warned++
      const { source, reason } = found
      if (reason === null) {
        const places = placesFor(under, found)
        const sold = { registeredAt: registeredAt(source, found.told), source: source.affiliate_id ?? 0 }
        sendable.push({ ...one, ...sold, ...(places !== undefined && { takers: places }) })
      } else skipped[reason] = (skipped[reason] ?? 0) + 1
    }
  }
  return { people: order.length, looked: looked.length, skipped, sendable, warned, targets, takers }
}

/** Whose hours and limits bind all of them: the products that may take somebody; whoever is sent at any moment is bound by none. */
function named(rules: PaceRules, people: readonly Waiting[]): PaceRules {
  const places = new Set(people.flatMap(({ takers }) => takers ?? []))
  const { takers, ...others } = rules
  if (takers === undefined || people.length === 0 || people.some((one) => one.takers === undefined)) return others
  return { ...others, takers: takers.filter((_, place) => places.has(place)) }
}

function paceOf(db: DbOrTrx, { schedule, pacing, seed, offer, productIds }: Asked): Promise<PaceRules> {
  return rulesOf(db, { schedule, pacing, seed, offer_id: offer.id, product_ids: [...productIds] })
}

function standing(now: number) {
  return { now, last: null, hour: 0, day: 0, total: 0, byGeo: new Map<string, number>() }
}
