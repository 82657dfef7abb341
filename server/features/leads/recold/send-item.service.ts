import { randomInt } from 'node:crypto'
import type { RecoldData } from '#contract/leads/recold-plan.ts'
import { readCascade, type Cascade } from '#server/features/leads/api-offer/cascade.queries.ts'
import { sharedName } from '#server/features/leads/session/person-names.ts'
import { insertSessions } from '#server/features/leads/session/session.queries.ts'
import { withPassword } from '#server/features/leads/session/told.ts'
import { openLeadVault, type Told } from '#server/features/leads/session/vault.ts'
import { suppressedBy, suppressedFor, suppressionKeys } from '#server/features/leads/suppression/suppressed.service.ts'
import { getContacts } from '#server/features/leads/suppression/suppression.queries.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { mintClickId } from '#server/rules/click/click-id.ts'
import { allOpenAt } from '#server/rules/lead/cascade.ts'
import { isOpenFor } from '#server/rules/lead/cold/pacing.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import { unplan } from './item.queries.ts'
import { consentOf, judgePeople, openlyTold, registeredAt, type Judged } from './judge.service.ts'
import { holdPerson } from './person-facts.queries.ts'
import { affiliateOf, openingFor } from './opening.service.ts'
import { LATE, rulesOf, stop, type ColdParts } from './plan.service.ts'
import { announceRecold } from './recold.queries.ts'
import { findDue, holdItems, lockDue, requeueSession, sendItem, skipItems, takeRecold, updateRunning, type Running } from './run.queries.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { findOffer, listTargets, type TargetOffer } from './target.queries.ts'

/** Who takes a person up offers them at once; after so long a worker does, who then finds them unclaimed. */
const GRACE = 5_000

/**
 * Takes up the person of a distribution whose slot has come, if anybody may be sent now, and writes their session in the same
 * transaction: whoever dies after that has sent nobody twice, and the session is offered as any other. Answers the session;
 * `again`: somebody was passed over or is held, the next may be due.
 */
export function takeUp({ db, secretKey }: ColdParts, now: number, id: number): Promise<{ session: string } | 'again' | 'nobody'> {
  return db.transaction().execute(async (trx): Promise<{ session: string } | 'again' | 'nobody'> => {
    const recold = await takeRecold(trx, id)
    if (recold === undefined) return 'nobody'
    // two workers' clocks, a late tick: never closer to the one before than the least interval
    if (recold.last_send_at !== null && now < recold.last_send_at.getTime() + recold.pacing.interval_min * 1000) return 'nobody'
    const due = await findDue(trx, id, new Date(now))
    const slot = due?.scheduled_at?.getTime()
    if (due === undefined || slot === undefined) return 'nobody'
    if (await isPast(trx, recold, due.country, slot, now)) return replan(trx, id)
    const offer = await findOffer(trx, { id: recold.offer_id })
    if (offer === undefined || !isRunning(offer, now)) return ended(await stop(trx, id, now, 'offer_closed'))
    const cascade = await readCascade(trx, recold.offer_id, now)
    const open = openTargets(cascade, recold.product_ids, now)
    if (open === 'closed') return ended(await stop(trx, id, now, 'targets_closed'))
    if (open !== 'open') return rest(trx, id, open)
    // the person before their row, as whoever forgets them: in another order the two would wait for each other in a circle
    await meetAlone(trx, due.person_id)
    await holdPerson(trx, due.person_id)
    const item = await lockDue(trx, due.id)
    if (item === undefined) return 'again'
    const targets = await listTargets(trx, recold.offer_id, recold.product_ids)
    const judging = {
      skip: recold.skip,
      data: recold.data,
      offer: { id: offer.id, type: offer.type, geo: offer.targeting.geo },
      targets,
      team: recold.team,
    }
    const judged = (await judgePeople({ db: trx, secretKey }, now, judging, [item.list_item_id], item.session_id)).get(item.list_item_id)
    const reason =
      judged === undefined ? 'removed' : (judged.reason ?? ((await isBarred(trx, secretKey, judged, offer.id, now)) ? 'suppressed' : null))
    if (judged === undefined || reason !== null) {
      await skipItems(trx, [{ id: item.id, reason: reason ?? 'removed' }], new Date(now))
      await announceRecold(trx, id)
      return 'again'
    }
    const opening = openingFor(cascade, recold, judged, now)
    if (opening !== 'now') {
      await holdItems(trx, [{ id: item.id, until: opening }])
      await announceRecold(trx, id)
      return 'again'
    }
    const session = await sessionOf({ trx, secretKey, now }, recold, offer, item, judged)
    await sendItem(trx, item.id, session, new Date(now))
    await updateRunning(trx, id, { last_send_at: new Date(now), rests_until: null })
    await announceRecold(trx, id)
    return { session }
  })
}

/** Of two distributions that come to somebody in one moment, whoever they are then, the second sees that the first has sent them. */
async function meetAlone(trx: Trx, personId: string): Promise<void> {
  const { phone_hash, email_hash } = await getContacts(trx, personId)
  await lockNames(
    trx,
    [phone_hash, email_hash].flatMap((hash) => sharedName('cold', hash)),
  )
}

/** Whether somebody is suppressed by what else was told of them, such as the domain of their address. */
async function isBarred(trx: Trx, secretKey: string | null, { told }: Judged, offerId: number, now: number): Promise<boolean> {
  return suppressedBy(await suppressedFor(trx, suppressionKeys(openLeadVault(secretKey), told), now), offerId) === 'all'
}

/** Whether a slot is no longer the one that was planned: it was missed, its window has closed, or another hour counts it. */
async function isPast(trx: Trx, recold: Running, country: string, slot: number, now: number): Promise<boolean> {
  if (now - slot > LATE) return true
  if (!isOpenFor(await rulesOf(trx, recold), country, now)) return true
  return periodOf('hour', slot, recold.schedule.time_zone).ends <= now
}

async function replan(trx: Trx, id: number): Promise<'nobody'> {
  await unplan(trx, id)
  return 'nobody'
}

async function rest(trx: Trx, id: number, until: number): Promise<'nobody'> {
  await updateRunning(trx, id, { rests_until: new Date(until) })
  return replan(trx, id)
}

function ended(_done: 'done'): 'nobody' {
  return 'nobody'
}

/** Whether any product of a distribution takes leads now; a number: when the first one opens; closed: none will by itself. */
function openTargets(cascade: Cascade | undefined, chosen: readonly number[], now: number): 'open' | 'closed' | number {
  const members = (cascade?.groups ?? [])
    .flatMap((group) => group.members)
    .filter(({ productId }) => chosen.length === 0 || chosen.includes(productId))
    .filter(({ state, caps }) => state === 'active' && caps.every(({ limit, used }) => used < limit))
  const openings = members.flatMap(({ hours }) => allOpenAt(hours, now) ?? [])
  if (openings.length === 0) return 'closed'
  const first = Math.min(...openings)
  return first <= now ? 'open' : first
}

type Item = { list_item_id: string; person_id: string; country: string; session_id: string | null }
type At = { trx: Trx; secretKey: string | null; now: number }

/** The cold session of a person: made once; one that nobody took is taken up again. */
async function sessionOf(
  { trx, secretKey, now }: At,
  recold: Running,
  offer: TargetOffer,
  item: Item,
  { source, told }: Judged,
): Promise<string> {
  const next = new Date(now + GRACE)
  if (item.session_id !== null) {
    await requeueSession(trx, item.session_id, next)
    return item.session_id
  }
  const affiliateId = affiliateOf(recold, { source })
  const { person, openly } = toldCold(withPassword(told, offer.type), openlyTold(source, told), recold.data)
  const registered = registeredAt(source, told)
  const consent = consentOf(source)
  const keys = await loadClickKeys(trx, now)
  const click_id = mintClickId({ at: now, offerId: offer.id, affiliateId, random: randomInt(2 ** 32) }, keys)
  const made = await insertSessions(trx, [
    {
      person_id: item.person_id,
      affiliate_id: affiliateId,
      offer_id: recold.offer_id,
      click_id,
      origin: 'cold',
      traffic_type: 'cold',
      recold_id: recold.id,
      status: 'received',
      told: { ...openly, ...(registered !== null && { registered_at: new Date(registered).toISOString() }) },
      sealed: openLeadVault(secretKey).sealTold(person),
      consent,
      country: item.country,
      draw: randomInt(2 ** 32) / 2 ** 32,
      next_try_at: next,
      received_at: new Date(now),
      changed_at: new Date(now),
    },
  ])
  const session = made.get(click_id)
  if (session === undefined) throw new Error('a cold session was not written')
  return session
}

/** Fields that tell who somebody is stand sealed, the others openly. */
const SEALED = new Set(['ip', 'user_agent', 'language', 'comment'])

/** What is told of somebody: what they told first, without what is left out, with what is declared. Nothing is made up. */
export function toldCold(
  told: Told,
  openly: Readonly<Record<string, unknown>>,
  { fields }: Pick<RecoldData, 'fields'>,
): { person: Told; openly: Record<string, unknown> } {
  const person: Record<string, string> = { ...told }
  const open: Record<string, unknown> = { ...openly }
  for (const [name, rule] of Object.entries(fields)) {
    if (rule.use === 'captured') continue
    const value = rule.use === 'declared' ? rule.value : ''
    if (SEALED.has(name)) person[name] = value
    else open[name] = value
    // what was read out of a user agent goes with it
    if (name === 'user_agent') Object.assign(open, { os: '', browser: '', device: '' })
  }
  return { person, openly: open }
}
