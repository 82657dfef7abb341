import type { CallOutput } from '#contract/endpoint.ts'
import {
  leadListApi,
  MOST_ADDED,
  type ChosenConversions,
  type ChosenSessions,
  type ConversionCandidates,
  type SessionCandidates,
} from '#contract/leads/lead-list.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { presentSession } from '#server/features/leads/user-session/user-session.present.ts'
import { foundSessions, pageSessions } from '#server/features/leads/user-session/user-session.queries.ts'
import { readAsked } from '#server/features/leads/user-session/read-asked.ts'
import { conversionsFound, pageConversions } from '#server/features/traffic/conversion/conversion.queries.ts'
import { presentConversions, readConversionFilters } from '#server/features/traffic/conversion/conversion.service.ts'
import { presentSums, sumsOf } from '#server/features/traffic/conversion/conversion.present.ts'
import { idsOf } from '#server/features/traffic/report/entity.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import {
  addCandidates,
  candidateConversions,
  candidateSessions,
  countCandidates,
  leftOutOf,
  type Counted,
  type Narrowed,
} from './candidate.queries.ts'
import { getList, type LeadListRow } from './lead-list.queries.ts'
import { lockOpenList } from './lead-list.service.ts'

type Parts = { db: Db; secretKey: string | null }
const DAY = 86_400_000

/** One page of the sessions that may be added to a list, each with why not. Throws `not_found`, `unknown_reference`. */
export async function showSessionCandidates(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  key: string,
  input: SessionCandidates,
): Promise<CallOutput<typeof leadListApi.sessions>> {
  const list = await listOfActor(db, actor, key)
  const { found, asked, until } = await findSessions({ db, secretKey }, now, actor, input, [])
  const { rows, more, list: page, after } = await pageSessions(db, actor.scope, asked, found)
  const left = await leftOutOf(db, list.id, { sessionIds: page.map(({ id }) => id) })
  const vault = openLeadVault(secretKey)
  return {
    list: page.map((row) => ({ ...presentSession(row, vault, true), left_out: left.get(row.id) ?? null })),
    summary: { rows, ...(more && { more }) },
    until: until.toISOString(),
    after,
  }
}

/** The same of conversions. Throws `not_found`, `unknown_reference`. */
export async function showConversionCandidates(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  input: ConversionCandidates,
): Promise<CallOutput<typeof leadListApi.conversions>> {
  const list = await listOfActor(db, actor, key)
  const { found, asked, until } = await findConversions(db, now, actor, input, [])
  const { rows, amounts, list: page, after } = await pageConversions(found, actor.scope, asked)
  const left = await leftOutOf(db, list.id, { clickIds: page.map(({ click_id }) => click_id) })
  const { shown, audience } = await presentConversions(db, actor, page)
  return {
    list: shown.map((one) => ({ ...one, left_out: left.get(one.click_id) ?? null })),
    total: sumsOf(page, audience),
    summary: { rows, totals: { amounts: presentSums(amounts, audience) } },
    until: until.toISOString(),
    after,
  }
}

/** How many people of some sessions would be added. Throws as adding them does. */
export async function trySessions(parts: Parts, now: number, actor: Actor, key: string, input: ChosenSessions): Promise<Said> {
  const list = await listOfActor(parts.db, actor, key)
  const { found, until } = await findSessions(parts, now, actor, input.matching ?? ALL_SESSIONS, input.uuids)
  return said(await countCandidates(parts.db, list.id, { sessions: found }), until)
}

/** Adds the people of some sessions to a list. Throws `not_found`, `lead_list_archived`, `unknown_reference`, `invalid_input` for too many. */
export function addSessions({ db, secretKey }: Parts, now: number, actor: Actor, key: string, input: ChosenSessions): Promise<Said> {
  return db.transaction().execute(async (trx) => {
    const list = await lockOpenList(trx, actor, key)
    const { found, until } = await findSessions({ db: trx, secretKey }, now, actor, input.matching ?? ALL_SESSIONS, input.uuids)
    return add(trx, now, actor, list.id, { sessions: found }, { until, all: input.matching !== null })
  })
}

/** How many people of some conversions would be added. Throws as adding them does. */
export async function tryConversions(db: Db, now: number, actor: Actor, key: string, input: ChosenConversions): Promise<Said> {
  const list = await listOfActor(db, actor, key)
  const { found, until } = await findConversions(db, now, actor, input.matching ?? ALL_CONVERSIONS, input.uuids)
  return said(await countCandidates(db, list.id, { conversions: found }), until)
}

/** The same as `addSessions`, of conversions. */
export function addConversions(db: Db, now: number, actor: Actor, key: string, input: ChosenConversions): Promise<Said> {
  return db.transaction().execute(async (trx) => {
    const list = await lockOpenList(trx, actor, key)
    const { found, until } = await findConversions(trx, now, actor, input.matching ?? ALL_CONVERSIONS, input.uuids)
    return add(trx, now, actor, list.id, { conversions: found }, { until, all: input.matching !== null })
  })
}

type Said = CallOutput<typeof leadListApi.trySessions>
/** Where rows are chosen one by one nothing else narrows them. */
const ALL_SESSIONS = leadListApi.sessions.body.parse({})
const ALL_CONVERSIONS = leadListApi.conversions.body.parse({})

async function add(
  trx: Trx,
  now: number,
  actor: Actor,
  listId: number,
  candidates: Parameters<typeof addCandidates>[2],
  { until, all }: { until: Date; all: boolean },
): Promise<Said> {
  const via = all ? 'filter' : 'manual'
  const done = said(await addCandidates(trx, listId, candidates, { via, accountId: actor.accountId, at: new Date(now) }), until)
  const { added, left_out } = done
  const after = { from: 'sessions' in candidates ? 'session' : 'conversion', via, added, left_out }
  if (added > 0) await recordAudit(trx, actor, now, { action: 'add_people', entity: 'lead_list', entityId: listId, after })
  return done
}

function said({ found, added, reasons }: Counted, until: Date): Said {
  if (found > MOST_ADDED) throw new AppError('invalid_input', { fields: { matching: 'At most 100,000 rows at once: narrow the filters' } })
  return { added, left_out: Object.fromEntries(reasons.map(({ reason, rows }) => [reason, rows])), until: until.toISOString() }
}

async function findSessions(
  { db, secretKey }: { db: DbOrTrx; secretKey: string | null },
  now: number,
  actor: Actor,
  input: SessionCandidates,
  uuids: readonly string[],
) {
  const { asked, contacts } = readAsked(input, actor, openLeadVault(secretKey), now)
  const until = new Date(input.until ?? now)
  const narrowed = await narrowedBy(db, now, actor, input, uuids)
  const { found } = await foundSessions(db, actor.scope, asked, contacts, until)
  return { found: candidateSessions(found, actor.scope, narrowed), asked, until }
}

async function findConversions(db: DbOrTrx, now: number, actor: Actor, input: ConversionCandidates, uuids: readonly string[]) {
  const { asked, numbers, until } = await readConversionFilters(db, now, actor, { ...input, offer_type: 'api' as const })
  const { found } = await conversionsFound(db, actor.scope, asked, numbers, until)
  return { found: candidateConversions(found, actor.scope, await narrowedBy(db, now, actor, input, uuids)), asked, until }
}

async function narrowedBy(
  db: DbOrTrx,
  now: number,
  { scope }: Actor,
  { not_listed, not_sent_to_uuid, age_min, age_max }: Pick<SessionCandidates, 'not_listed' | 'not_sent_to_uuid' | 'age_min' | 'age_max'>,
  uuids: readonly string[],
): Promise<Narrowed> {
  const asked = new Set(not_sent_to_uuid)
  const notSentTo = await idsOf(db, scope, 'advertiser', [...asked])
  // whom somebody may not know they ask nothing about
  if (notSentTo.length < asked.size)
    throw new AppError('unknown_reference', { fields: { not_sent_to_uuid: 'Choose advertisers of yours' } })
  return {
    not_listed,
    notSentTo,
    since: age_max === null ? null : new Date(now - age_max * DAY),
    before: age_min === null ? null : new Date(now - age_min * DAY),
    uuids,
  }
}

async function listOfActor(db: Db, { scope }: Actor, key: string): Promise<LeadListRow> {
  const list = await getList(db, scope, key)
  if (list === undefined) throw new AppError('not_found')
  return list
}
