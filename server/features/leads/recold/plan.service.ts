import type { PauseReason } from '#contract/leads/recold.ts'
import { readCascade } from '#server/features/leads/api-offer/cascade.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { planSlots, type PaceRules, type Standing } from '#server/rules/lead/cold/pacing.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { unplan } from './item.queries.ts'
import { judgePeople } from './judge.service.ts'
import { openingFor } from './opening.service.ts'
import { announceRecold, updateRecold } from './recold.queries.ts'
import {
  countSlots,
  holdItems,
  isWorkedOff,
  listWaiting,
  planItems,
  readHeld,
  readPlanned,
  releaseItems,
  skipItems,
  takeIn,
  takeRecold,
  type Running,
  listRetried,
  lockActive,
  updateRunning,
} from './run.queries.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { findOffer, listProductsOf, listTargets } from './target.queries.ts'

export type ColdParts = { db: Db; secretKey: string | null }

/** Only so far ahead is planned, and so many: what changes takes effect at once. */
const AHEAD = 2 * 3_600_000
const MOST_PLANNED = 200
/** Somebody who was not sent for so long was missed: all is planned anew from now. */
export const LATE = 10_000
const TAKEN_AT_ONCE = 5_000
/** Behind all places of those taken before. */
const NEXT_ROUND = 2 ** 43

/**
 * Takes people of its list into a distribution that runs and gives the next of them slots. `more`: it is not at its end.
 * Nobody else plans it meanwhile; what is missed is planned again from now on, never made up for.
 */
export function planRecold({ db, secretKey }: ColdParts, now: number, id: number): Promise<'more' | 'done'> {
  return db.transaction().execute(async (trx): Promise<'more' | 'done'> => {
    const recold = await takeRecold(trx, id)
    if (recold === undefined) return 'done'
    const taken = await takeIn(trx, recold, TAKEN_AT_ONCE)
    if (taken === TAKEN_AT_ONCE) return 'more'
    if (taken > 0) await nextRound(trx, recold)
    await releaseItems(trx, id, new Date(now))
    const standing = await readPlanned(trx, id)
    const late = standing.first !== null && standing.first.getTime() < now - LATE
    if (late) await unplan(trx, id)
    const planned = late ? 0 : standing.scheduled
    const last = late ? null : standing.last
    if (planned >= MOST_PLANNED / 2 || (last !== null && last.getTime() > now + AHEAD / 2)) return 'done'
    return fill({ trx, secretKey, now }, recold, last, planned)
  })
}

type At = { trx: Trx; secretKey: string | null; now: number }

async function fill({ trx, secretKey, now }: At, recold: Running, lastPlanned: Date | null, planned: number): Promise<'more' | 'done'> {
  const offer = await findOffer(trx, { id: recold.offer_id })
  if (offer === undefined || !isRunning(offer, now)) return stop(trx, recold.id, now, 'offer_closed')
  const byCountry = recold.schedule.windows_in === 'lead'
  const waiting = await listWaiting(trx, recold.id, byCountry ? MOST_PLANNED / 4 : MOST_PLANNED, byCountry)
  if (waiting.length === 0) return planned === 0 ? rest(trx, recold, now) : 'done'
  const targets = await listTargets(trx, recold.offer_id, recold.product_ids)
  const judging = {
    skip: recold.skip,
    data: recold.data,
    offer: { id: offer.id, type: offer.type, geo: offer.targeting.geo },
    targets,
    team: recold.team,
  }
  // those who are tried again were looked at when they were sent first
  const judged = await judgePeople(
    { db: trx, secretKey },
    now,
    judging,
    waiting.map((one) => one.list_item_id),
  )
  const again = await listRetried(
    trx,
    waiting.map(({ id }) => id),
  )
  const skips = waiting.flatMap(({ id, list_item_id }) => {
    const reason = again.has(id) ? null : (judged.get(list_item_id)?.reason ?? null)
    return reason === null ? [] : [{ id, reason }]
  })
  const cascade = await readCascade(trx, recold.offer_id, now)
  const held = waiting.flatMap(({ id, list_item_id }) => {
    const one = judged.get(list_item_id)
    const opening = one === undefined || (one.reason !== null && !again.has(id)) ? 'now' : openingFor(cascade, recold, one, now)
    return opening === 'now' ? [] : [{ id, until: opening }]
  })
  const passed = new Set([...skips, ...held].map(({ id }) => id))
  const left = waiting.filter(({ id }) => !passed.has(id))
  const slots: { id: string; at: number }[] = []
  let end: PauseReason | null = null
  for (const next of planSlots(await rulesOf(trx, recold), await standingOf(trx, recold, lastPlanned, now), left)) {
    if (next.kind === 'end') end = next.why
    else if (next.kind === 'capped') skips.push({ id: next.item.id, reason: 'geo_cap' })
    else if (next.at > now + AHEAD && slots.length + planned > 0) break
    else slots.push({ id: next.item.id, at: next.at })
    if (slots.length >= MOST_PLANNED) break
  }
  await planItems(trx, slots)
  await holdItems(trx, held)
  await skipItems(trx, skips, new Date(now))
  await announceRecold(trx, recold.id)
  if (slots.length > 0) return 'done'
  if (end !== null && planned === 0) return stop(trx, recold.id, now, end)
  return skips.length + held.length > 0 ? 'more' : 'done'
}

/** Nobody waits who may be sent now: it goes on once a product opens, stands still where none will by itself, or has ended. */
async function rest(trx: Trx, recold: Running, now: number): Promise<'more' | 'done'> {
  const held = await readHeld(trx, recold.id)
  if (held === undefined) return finish(trx, recold, now)
  return held === 'later' ? 'done' : stop(trx, recold.id, now, 'targets_closed')
}

/** The rules a distribution is paced by: of several products the zone of the first is the advertiser's. */
export async function rulesOf(
  trx: Parameters<typeof listProductsOf>[0],
  recold: Pick<Running, 'schedule' | 'pacing' | 'seed' | 'offer_id' | 'product_ids'>,
): Promise<PaceRules> {
  const { schedule, pacing, seed } = recold
  return { schedule, pacing, seed, advertiserZone: await advertiserZone(trx, recold) }
}

async function advertiserZone(
  trx: Parameters<typeof listProductsOf>[0],
  { schedule, offer_id, product_ids }: Pick<Running, 'schedule' | 'offer_id' | 'product_ids'>,
): Promise<string> {
  if (schedule.windows_in !== 'advertiser') return schedule.time_zone
  const targets = await listTargets(trx, offer_id, product_ids)
  const first = targets[0]
  const products = first === undefined ? [] : await listProductsOf(trx, [first.productId])
  return products[0]?.time_zone ?? schedule.time_zone
}

/** How far the limits of a distribution are used, and when its latest slot was. */
export async function standingOf(
  trx: Trx,
  recold: Pick<Running, 'id' | 'schedule' | 'caps_from' | 'last_send_at' | 'rests_until'>,
  lastPlanned: Date | null,
  now: number,
): Promise<Standing> {
  const lasts = [recold.last_send_at, lastPlanned].flatMap((at) => (at === null ? [] : [at.getTime()]))
  const last = lasts.length === 0 ? null : Math.max(...lasts)
  const zone = recold.schedule.time_zone
  const [hour, day] = (['hour', 'day'] as const).map((period) => new Date(periodOf(period, last ?? now, zone).starts))
  const counts = await countSlots(trx, recold.id, recold.caps_from, hour ?? new Date(now), day ?? new Date(now))
  const sum = (name: 'total' | 'hour' | 'day') => counts.reduce((all, row) => all + row[name], 0)
  return {
    now: Math.max(now, recold.rests_until?.getTime() ?? 0),
    last,
    hour: sum('hour'),
    day: sum('day'),
    total: sum('total'),
    byGeo: new Map(counts.map(({ country, total }) => [country, total])),
  }
}

async function nextRound(trx: Trx, { id, next_place }: Running): Promise<void> {
  const next = Number(next_place) + NEXT_ROUND
  // beyond what places hold exactly all come in one round
  if (Number.isSafeInteger(next + NEXT_ROUND)) await updateRunning(trx, id, { next_place: String(next) })
}

/** Ends a distribution nobody waits in; rows whose transaction was late are looked for once more before. */
async function finish(trx: Trx, recold: Running, now: number): Promise<'more' | 'done'> {
  if (!(await isWorkedOff(trx, recold.id))) return 'done'
  if ((await takeIn(trx, recold, TAKEN_AT_ONCE, true)) > 0) return 'more'
  await updateRecold(trx, recold.id, { status: 'done', finished_at: new Date(now), updated_at: new Date(now) })
  const change = { before: { status: 'active' }, after: { status: 'done' } }
  await recordAudit(trx, null, now, { action: 'set_status', entity: 'recold', entityId: recold.id, ...change })
  return 'done'
}

/** Lets a distribution stand still by itself, with the reason; whoever was planned waits again. */
export async function stop(trx: Trx, id: number, now: number, reason: PauseReason): Promise<'done'> {
  await unplan(trx, id)
  await updateRecold(trx, id, { status: 'paused', pause_reason: reason, updated_at: new Date(now) })
  const change = { before: { status: 'active', reason: '' }, after: { status: 'paused', reason } }
  await recordAudit(trx, null, now, { action: 'set_status', entity: 'recold', entityId: id, ...change })
  return 'done'
}

/** A change of how consents are looked at lets all that run stand still: whoever set them up looks at them again. */
export async function stopForConsent(trx: Trx, now: number, before: object, after: object): Promise<void> {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  for (const id of await lockActive(trx)) await stop(trx, id, now, 'consent_gate')
}
