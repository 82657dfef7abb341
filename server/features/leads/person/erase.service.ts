import type { CallOutput } from '#contract/endpoint.ts'
import type { personApi } from '#contract/leads/person.ts'
import type { Actor } from '#server/access/actor.ts'
import { forgetInFiles } from '#server/features/leads/lead-list-import/forget-in-files.service.ts'
import { personNames } from '#server/features/leads/session/person-names.ts'
import { openLeadVault, type Told } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { forgetVisitorsOf } from '#server/features/traffic/conversion/forget-visitors.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { maskPerson } from '#server/rules/lead/mask-person.ts'
import { suppressPerson } from '../suppression/person-suppression.service.ts'
import {
  cancelItems,
  clearNoted,
  clearOwnIds,
  clearReveals,
  clearReviews,
  clearSends,
  clearSessions,
  clearStuck,
  clearWords,
  deleteEntries,
  deleteExports,
  deleteWords,
  insertErasure,
  insertNotices,
  listNoted,
  listSendsToClear,
  listWordsToClear,
  lockConversions,
  lockExports,
  removeItems,
  saidBefore,
} from './erase.queries.ts'
import { presentNotice } from './person.present.ts'
import { findPerson, listNotices, listToldInFiles, lockPerson, lockSessionsOf, updatePerson } from './person.queries.ts'
import { refuseTelling } from './telling.ts'

type Parts = { db: Db; secretKey: string | null }
type Locked = Awaited<ReturnType<typeof lockSessionsOf>>

/**
 * Forgets who somebody is, in one transaction: in their sessions, what was called and answered, what was booked, the words of staff;
 * open sessions end, what is queued is cancelled, their contacts are suppressed, and whom the network has to tell is listed. Money,
 * dates and countries stay. A call that is under way is written without them (`isErased`). Clicks in statistics follow by `forgetClicks`.
 * Twice, or two at once, changes it once. Throws `not_found`, and `invalid_input` where the reason tells who it is.
 */
export async function erasePerson(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  uuid: string,
  reason: string,
): Promise<CallOutput<typeof personApi.erase>> {
  const id = await db.transaction().execute(async (trx) => {
    const { person, sessions } = await lockWhole(trx, uuid)
    if (person.erased_at !== null) return { id: person.id, changed: 0 }
    const tolds = await toldOf(trx, secretKey, person, sessions)
    for (const told of tolds) refuseTelling('reason', reason, told)
    await forget(trx, secretKey, now, { person, sessions, tolds, askedBy: actor.accountId })
    await recordAudit(trx, actor, now, {
      action: 'erase',
      entity: 'person',
      entityId: person.id,
      after: { reason, sessions: sessions.length },
    })
    return { id: person.id, changed: 1 }
  })
  return { changed: id.changed, notices: (await listNotices(db, id.id)).map(presentNotice) }
}

/**
 * The same by the clock, of whom nobody asked: they may come again, so their contacts are not suppressed, and nobody has to be told.
 * `may` looks at them once more under their lock. Answers whether they were forgotten.
 */
export function forgetPerson({ db, secretKey }: Parts, now: number, uuid: string, may: (trx: Trx) => Promise<boolean>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { person, sessions } = await lockWhole(trx, uuid)
    if (person.erased_at !== null || !(await may(trx))) return false
    const tolds = await toldOf(trx, secretKey, person, sessions)
    await forget(trx, secretKey, now, { person, sessions, tolds, askedBy: null })
    const after = { reason: 'retention', sessions: sessions.length }
    await recordAudit(trx, null, now, { action: 'erase', entity: 'person', entityId: person.id, after })
    return true
  })
}

/** All that was told of somebody: by them, by their leads, and by files. */
async function toldOf(trx: Trx, secretKey: string | null, person: Whole['person'], sessions: Locked): Promise<Told[]> {
  const vault = openLeadVault(secretKey)
  const all = [person, ...sessions, ...(await listToldInFiles(trx, person.id))]
  return all.flatMap(({ sealed }) => (sealed === null ? [] : [vault.openTold(sealed)]))
}

/** The names of a person, their sessions and the person, locked in the order in which those who take and sell leads do. */
export async function lockWhole(trx: Trx, uuid: string) {
  const first = await lockedSessions(trx, uuid)
  const person = await lockPerson(trx, uuid)
  if (person === undefined) throw new AppError('not_found')
  // what came in while the person was waited for
  const sessions = await lockSessionsOf(trx, person.id)
  return { person, sessions: sessions.length >= first.length ? sessions : first }
}

async function lockedSessions(trx: Trx, uuid: string): Promise<Locked> {
  const found = await findPerson(trx, uuid)
  if (found === undefined) throw new AppError('not_found')
  // a lead or a row of a file that is being taken in was looked at as somebody nobody has erased: it is waited for
  await lockNames(trx, personNames(found))
  return lockSessionsOf(trx, found.id)
}

type Whole = {
  person: NonNullable<Awaited<ReturnType<typeof lockPerson>>>
  sessions: Locked
  tolds: readonly Told[]
  /** null = the clock. */
  askedBy: number | null
}

async function forget(trx: Trx, secretKey: string | null, now: number, { person, sessions, tolds, askedBy }: Whole): Promise<void> {
  const at = new Date(now)
  const clean = cleanerOf(tolds)
  const ids = sessions.map(({ id }) => id)
  const last = sessions.at(-1)
  // their contacts are not known afterwards, and what they said is still to be counted
  const said = await saidBefore(trx, person)
  if (askedBy !== null)
    await suppressPerson(
      trx,
      secretKey,
      now,
      { person_id: person.id, sealed: person.sealed ?? last?.sealed ?? null },
      { reason: 'erasure', source: 'erasure', created_by: askedBy },
    )
  await updatePerson(trx, person.id, {
    sealed: null,
    phone_hash: null,
    email_hash: null,
    erased_at: at,
    ...(person.test || askedBy === null ? {} : { suppressed_at: person.suppressed_at ?? at }),
  })
  await clearSessions(
    trx,
    sessions.map(({ id, external_id, told, trace, integrity, consent }) => ({
      id,
      external_id: external_id !== null && clean(external_id) !== external_id ? null : external_id,
      // what statistics are told of stays, or they would take away what they never added
      told: { ...told, landing_url: '', funnel: cleanDeep(told.funnel ?? '', clean) },
      trace: cleanDeep(trace, clean),
      integrity: integrity.map((part) => ({ ...part, detail: {} })),
      consent: consent === null ? null : { given_at: consent.given_at ?? '' },
    })),
    at,
  )
  const sends = await listSendsToClear(trx, ids)
  const kept = (text: string | null) => (text !== null && clean(text) !== text ? null : text)
  await clearSends(
    trx,
    sends.map(({ id, reason, external_id }) => ({ id, reason: clean(reason), external_id: kept(external_id) })),
  )
  const sendIds = sends.map(({ id }) => id)
  await deleteEntries(trx, sendIds)
  await clearStuck(trx, sendIds)
  const logged = await listNoted(trx, ids, sendIds)
  const words = await listWordsToClear(trx, sendIds)
  const changed = words.filter(({ raw, word, note }) => clean(raw) !== raw || note !== '' || (word !== null && clean(word) !== word))
  await clearWords(
    trx,
    changed.map(({ id, raw, word }) => ({ id, raw: clean(raw), word: word === null ? null : clean(word), note: '' })),
  )
  const telling = changed.flatMap(({ word }) => (word !== null && clean(word) !== word ? [word] : []))
  if (telling.length > 0) await deleteWords(trx, telling)
  await lockExports(trx, ids)
  const files = await deleteExports(trx, ids)
  await recordAudit(
    trx,
    null,
    now,
    files.map(({ id, rows }) => ({ action: 'delete', entity: 'contact_export' as const, entityId: id, before: { rows } })),
  )
  await clearReveals(trx, ids)
  await clearReviews(trx, ids)
  await cancelItems(trx, person.id, at)
  await removeItems(trx, person.id, at)
  if (ids.length > 0) {
    const conversions = await lockConversions(
      trx,
      sessions.map(({ click_id }) => click_id),
    )
    await forgetVisitorsOf(trx, conversions)
    const own = sessions.flatMap(({ external_id }) => (external_id !== null && clean(external_id) !== external_id ? [external_id] : []))
    if (own.length > 0 && conversions.length > 0)
      await clearOwnIds(
        trx,
        conversions.map(({ id }) => id),
        own,
      )
    const noted = logged.map(({ id, before, after }) => ({
      id,
      before: cleanDeep(before, clean),
      after: cleanDeep(after, clean),
      was: [before, after],
    }))
    await clearNoted(
      trx,
      noted.filter(({ before, after, was }) => JSON.stringify([before, after]) !== JSON.stringify(was)).map(({ was: _was, ...row }) => row),
    )
  }
  if (askedBy !== null) await insertNotices(trx, noticesOf(person.id, sends, kept))
  await insertErasure(trx, {
    ...said,
    person_id: person.id,
    at,
    by_id: askedBy,
    clicks: sessions.map(({ click_id }) => click_id),
    due_at: at,
  })
  await forgetInFiles(trx, secretKey, tolds, at)
}

/** Each advertiser that was sent something of the person, whatever it answered. */
function noticesOf(
  personId: string,
  sends: Awaited<ReturnType<typeof listSendsToClear>>,
  kept: (text: string | null) => string | null,
): Parameters<typeof insertNotices>[1] {
  return [
    ...Map.groupBy(
      sends.filter(({ status }) => status !== 'cancelled'),
      ({ advertiser_id }) => advertiser_id,
    ),
  ].map(([advertiser, of]) => {
    const moments = of.map(({ asked_at }) => asked_at.getTime())
    return {
      person_id: personId,
      advertiser_id: advertiser,
      first_at: new Date(Math.min(...moments)),
      last_at: new Date(Math.max(...moments)),
      leads: JSON.stringify([...new Set(of.map(({ uuid, external_id }) => kept(external_id) ?? uuid))]),
    }
  })
}

/** Takes whatever was told of somebody out of a text. */
function cleanerOf(tolds: readonly Told[]): (text: string) => string {
  return maskPerson(...tolds.map((told) => ({ ...told, agent: told.user_agent ?? '', language: '', gender: '', country: '' })))
}

function cleanDeep(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map((one) => cleanDeep(one, clean))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanDeep(one, clean)]))
}
