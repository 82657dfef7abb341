import { sql, type Insertable, type Updateable } from 'kysely'
import type { Outcome } from '#contract/leads/integration-spec.ts'
import type { CapWindow, CounterKey } from '#server/features/leads/api-offer/cap-window.queries.ts'
import type { NewEntry } from '#server/features/leads/entry/entry.queries.ts'
import { hasErasedPerson } from '#server/features/leads/person/erase.queries.ts'
import { compileOnce, writeOnce } from '#server/platform/pg/compile-once.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import { KNOWS, OFFERED, WAS_OFFERED } from '#server/rules/lead/states.ts'

/** Takes a lead to offer it, until `until`; undefined where somebody else has it, or it is not to be offered. */
export function leaseSession(db: Db, id: string, now: Date, until: Date) {
  return db
    .updateTable('user_session')
    .set({ leased_until: until })
    .where('id', '=', id)
    .where('status', 'in', OFFERED)
    .where('next_try_at', 'is not', null)
    .where((where) => where.or([where('leased_until', 'is', null), where('leased_until', '<', now)]))
    .returning(['id', 'uuid', 'person_id', 'affiliate_id', 'offer_id', 'click_id', 'country', 'told', 'sealed', 'consent'])
    .returning(['draw', 'attempts', 'received_at', 'traffic_type', 'status', 'external_id', 'landing_id', 'test', 'recold_id'])
    .executeTakeFirst()
}
export type LeasedSession = NonNullable<Awaited<ReturnType<typeof leaseSession>>>

/**
 * Leads whose time has come and that nobody has in hand, the longest waiting first, with the products of their offers in the order of
 * the cascade. Those of offers that have no other products than `full` ones stay where they are.
 */
export async function listDue(db: Db, now: Date, most: number, full: readonly number[]): Promise<{ id: string; products: number[] }[]> {
  const { rows } = await sql<{ id: string; products: number[] }>`
    with due as (
      select id, offer_id, next_try_at from user_session
       where next_try_at <= ${now} and status in (${words(OFFERED)}) and (leased_until is null or leased_until < ${now})
         and offer_id <> all (array(
           select g.offer_id from offer_group g join offer_member m on m.group_id = g.id
            group by g.offer_id having bool_and(m.product_id = any(${[...full]}::int[]))))
       order by next_try_at limit ${most})
    select id, array(select m.product_id from offer_group g join offer_member m on m.group_id = g.id
                      where g.offer_id = due.offer_id order by g.place, m.place) as products
      from due order by next_try_at`.execute(db)
  return rows
}

/** The sends of a session, in their order. */
export function listSends(db: DbOrTrx, sessionId: string) {
  return db
    .selectFrom('lead_send')
    .select(['id', 'uuid', 'member_id', 'advertiser_id', 'product_id', 'status', 'outcome', 'attempt', 'passed_on'])
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute()
}

/**
 * Advertisers that had somebody of the same telephone or e-mail address by another session, and when last: those that took or knew them,
 * or may have; for a second sale those that refused them too.
 */
export async function seenBy(
  db: DbOrTrx,
  { phone_hash, email_hash }: { phone_hash: Buffer | null; email_hash: Buffer | null },
  exceptSessionId: string | null,
  cold: boolean,
): Promise<Map<number, number>> {
  const rows = await (cold ? askedBefore : knownBefore)(db, { phone_hash, email_hash, exceptSessionId })
  return new Map(rows.map(({ advertiser_id, at }) => [advertiser_id, at.getTime()]))
}

const knownBefore = writeOnce(haveHad(KNOWS))
const askedBefore = writeOnce(haveHad(WAS_OFFERED))

type Had = { phone_hash: Buffer | null; email_hash: Buffer | null; exceptSessionId: string | null }
function haveHad(statuses: readonly string[]) {
  return ({ phone_hash, email_hash, exceptSessionId }: Had) => sql<{ advertiser_id: number; at: Date }>`
    select n.advertiser_id, max(n.asked_at) as at
      from (select id from person where phone_hash = ${phone_hash}::bytea and not test and erased_at is null
            union select id from person where email_hash = ${email_hash}::bytea and not test) p
     -- by their index, whatever is known of the table
     cross join lateral (select advertiser_id, asked_at, session_id, status, passed_on from lead_send where person_id = p.id offset 0) n
     where n.session_id is distinct from ${exceptSessionId}::bigint and (n.status in (${words(statuses)}) or n.passed_on)
     group by n.advertiser_id`
}

/** Whose turn it is in the round robins of an offer, each turn given once. */
export async function takeTurns(trx: Trx, offerId: number): Promise<Map<number, number>> {
  const rows = await trx
    .updateTable('offer_group')
    .set({ turns: sql`turns + 1` })
    .where('offer_id', '=', offerId)
    .where('strategy', '=', 'round_robin')
    .returning(['id', sql<string>`turns - 1`.as('turn')])
    .execute()
  return new Map(rows.map(({ id, turn }) => [id, Number(turn)]))
}

/** Takes a place in a cap; how many are taken with it, null where it is full. */
export async function takePlace(trx: Trx, { owner, period, starts, limit }: CapWindow): Promise<number | null> {
  const { rows } = await sql<{ used: number }>`
    insert into lead_counter as c (owner, period, starts, used) values (${owner}, ${period}, ${starts}, 1)
    on conflict (owner, period, starts) do update set used = c.used + 1 where c.used < ${limit} returning used`.execute(trx)
  return rows[0]?.used ?? null
}

export async function freePlace(trx: Trx, { owner, period, starts }: CounterKey): Promise<void> {
  await sql`update lead_counter set used = greatest(used - 1, 0)
             where owner = ${owner} and period = ${period} and starts = ${starts}`.execute(trx)
}

/** By what a person is called in links. */
export async function uuidOfPerson(db: DbOrTrx, personId: string): Promise<string> {
  return (await db.selectFrom('person').select('uuid').where('id', '=', personId).executeTakeFirstOrThrow()).uuid
}

/** How many leads are under way to a product. */
export async function countUnderWay(trx: Trx, productId: number): Promise<number> {
  const { count } = await trx
    .selectFrom('lead_send')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('product_id', '=', productId)
    .where('status', '=', 'sending')
    .executeTakeFirstOrThrow()
  return count
}

export async function lockSession(trx: Trx, id: string) {
  const [locked] = await lockedSessions(trx, { id })
  if (locked === undefined) throw new Error('a lead is gone')
  return locked
}

const lockedSessions = compileOnce((db, { id }: { id: string }) =>
  db
    .selectFrom('user_session')
    .select(['id', 'status', 'leased_until', 'trace', 'attempts', 'offer_id', 'affiliate_id', 'click_id', 'call_status', 'test'])
    .where('id', '=', id)
    .forUpdate(),
)

export async function updateSession(trx: Trx, id: string, values: Updateable<Tables['user_session']>): Promise<void> {
  await trx.updateTable('user_session').set(values).where('id', '=', id).execute()
}

/** The breaker of a product, locked. */
export function lockBreaker(trx: Trx, productId: number) {
  return trx
    .selectFrom('product')
    .select(['failures', 'rests_until', 'blocked', 'breaker_failures', 'breaker_minutes'])
    .where('id', '=', productId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** What a send is called after what it came to. */
export const STATUS_OF = {
  accepted: 'accepted',
  rejected: 'rejected',
  duplicate: 'duplicate',
  no_capacity: 'no_capacity',
  temporary: 'error',
  config_error: 'error',
  ambiguous: 'ambiguous',
} as const satisfies Record<Outcome, Tables['lead_send']['status']>

export type NewSend = Omit<Insertable<Tables['lead_send']>, 'attempt' | 'status' | 'session_id' | 'uuid'> & {
  uuid: string
  session_id: string
}

/**
 * Writes a send that is about to be made, and with its session until when it is under way and why it was chosen: `step` goes at the end
 * of its trace. `attempt` counts those of the session.
 */
export async function insertSend(
  trx: Trx,
  values: NewSend,
  session: { leased_until: Date; step: Record<string, unknown> },
): Promise<{ id: string; uuid: string; attempt: number }> {
  return trx
    .with('noted', (cte) =>
      cte
        .updateTable('user_session')
        .set({ leased_until: session.leased_until, trace: sql`trace || ${JSON.stringify([session.step])}::jsonb` })
        .where('id', '=', values.session_id)
        .returning('id'),
    )
    .insertInto('lead_send')
    .values({
      ...values,
      attempt: sql<number>`(select count(*) + 1 from lead_send where session_id = ${values.session_id})`,
      status: 'sending',
    })
    .returning(['id', 'uuid', 'attempt'])
    .executeTakeFirstOrThrow()
}

/**
 * Writes the first send of a session that is written in the same moment and holds the rest: it is known by its click, so that nobody waits
 * for its number.
 */
export async function insertFirstSend(
  trx: Trx,
  clickId: string,
  values: Omit<NewSend, 'session_id'>,
): Promise<{ id: string; uuid: string; attempt: number }> {
  const [made] = await firstSends(trx, { ...values, clickId })
  if (made === undefined) throw new Error('a send has no session')
  return made
}
const firstSends = writeOnce(
  (of: Omit<NewSend, 'session_id'> & { clickId: string }) => sql<{ id: string; uuid: string; attempt: number }>`
    insert into lead_send (session_id, attempt, status, uuid, person_id, product_id, advertiser_id, member_id, version_id, places, asked_at)
    select id, 1, 'sending', ${of.uuid}::uuid, person_id, ${of.product_id}::int, ${of.advertiser_id}::int, ${of.member_id}::int,
           ${of.version_id}::int, ${of.places}::jsonb, ${of.asked_at}::timestamptz
      from user_session where click_id = ${of.clickId}
    returning id, uuid, attempt`,
)

/** Writes what a send came to; false where that is known already. One that was taken for lost may be answered late. */
export async function answerSend(trx: Trx, id: string, values: Updateable<Tables['lead_send']>): Promise<boolean> {
  const written = await trx.updateTable('lead_send').set(values).where(isOpen(id)).executeTakeFirst()
  return written.numUpdatedRows > 0n
}

type Answer = Required<
  Pick<
    Updateable<Tables['lead_send']>,
    'status' | 'outcome' | 'reason' | 'external_id' | 'redirect' | 'price' | 'http_status' | 'call' | 'answered_at'
  >
>

/**
 * The same of a send somebody took, or may have taken: with it the session is decided, its product is asked from `pullAt` on what became of
 * its leads (null = it cannot be), and `entry` leads its person on (null = nothing does). False, and nothing is written, where it is known already.
 */
export async function answerTaken(
  trx: Trx,
  send: { id: string; answer: Answer },
  session: { id: string; status: string; reason: string; changed_at: Date },
  { productId, pullAt, entry }: { productId: number; pullAt: Date | null; entry: NewEntry | null },
): Promise<boolean> {
  const { tokenHash = null, expiresAt = null, thankYouUrl = '' } = entry ?? {}
  const asked = {
    ...send.answer,
    sendId: send.id,
    sessionId: session.id,
    became: session.status,
    why: session.reason,
    at: session.changed_at,
  }
  return (await takenBy(trx, { ...asked, productId, pullAt, tokenHash, expiresAt, thankYouUrl })).length > 0
}

type Taken = Answer & {
  sendId: string
  sessionId: string
  became: string
  why: string
  at: Date
  productId: number
  pullAt: Date | null
} & {
  [Name in keyof NewEntry]: NewEntry[Name] | null
}
const takenBy = writeOnce(
  (of: Taken) => sql`
    with written as (
      update lead_send
         set status = ${of.status}, outcome = ${of.outcome}, reason = ${of.reason}, external_id = ${of.external_id}, redirect = ${of.redirect},
             price = ${of.price}, http_status = ${of.http_status}, call = ${of.call}, answered_at = ${of.answered_at}
       where ${isOpen(of.sendId)} returning id),
    decided as (
      update user_session
         set status = ${of.became}, reason = ${of.why}, next_try_at = null, leased_until = null, decided_at = ${of.at}, changed_at = ${of.at}
       where id = ${of.sessionId} and exists (select from written)),
    pulled as (
      insert into product_pull (product_id, due_at)
      select ${of.productId}::int, ${of.pullAt}::timestamptz from written where ${of.pullAt}::timestamptz is not null
      on conflict (product_id) do nothing),
    entered as (
      insert into lead_entry (token_hash, send_id, expires_at, thank_you_url)
      select ${of.tokenHash}::bytea, id, ${of.expiresAt}::timestamptz, ${of.thankYouUrl} from written where ${of.tokenHash}::bytea is not null)
    select id from written`,
)

/** Whether another lead of a product is called so by its advertiser; tests are none. */
export async function isCalledAlready(trx: Trx, productId: number, externalId: string, exceptId: string): Promise<boolean> {
  const { rows } = await sql<{ called: boolean }>`select ${calledAlready(productId, externalId, exceptId)} as called`.execute(trx)
  return rows[0]?.called ?? false
}

function calledAlready(productId: number, externalId: string | null, exceptId: string) {
  return sql<boolean>`exists (select from lead_send n join user_session s on s.id = n.session_id
    where n.product_id = ${productId}::int and n.external_id = ${externalId}::text and n.id <> ${exceptId}::bigint and not s.test)`
}

/**
 * What else decides how an answer is written, asked behind the lock of its session: whether its person was `erased` meanwhile, who does not
 * come back by what was under way; whether another lead of the product is `called` so; how the product did a moment ago.
 */
export async function lookBeside(trx: Trx, asked: { sessionId: string; sendId: string; productId: number; externalId: string | null }) {
  const [found] = await besides(trx, asked)
  if (found === undefined) throw new Error('a product is gone')
  return found
}

const besides = compileOnce(
  (db, { sessionId, sendId, productId, externalId }: { sessionId: string; sendId: string; productId: number; externalId: string | null }) =>
    db
      .selectFrom('product')
      .select(['failures', 'rests_until', 'blocked', 'breaker_failures', 'breaker_minutes'])
      .select([hasErasedPerson(sessionId).as('erased'), calledAlready(productId, externalId, sendId).as('called')])
      .where('id', '=', productId),
)

/** A send nobody has heard of; one that was taken for lost may be answered late. */
function isOpen(id: string) {
  return sql<boolean>`id = ${id} and (status = 'sending' or (status = 'ambiguous' and answered_at is null))`
}

/** Somebody else has a lead now: those who may have it, and gave no answer in time, keep no places in their caps any more. */
export async function freePassedOn(trx: Trx, sessionId: string): Promise<void> {
  const passed = trx.selectFrom('lead_send').where('session_id', '=', sessionId).where('passed_on', '=', true)
  const places = (await passed.select('places').execute()).flatMap((send) => send.places)
  if (places.length === 0) return
  // in the order in which they are taken
  for (const { starts, ...place } of places.toSorted((a, b) => (placeKey(a) < placeKey(b) ? -1 : 1)))
    await freePlace(trx, { ...place, starts: new Date(starts) })
  await trx.updateTable('lead_send').set({ places: '[]' }).where('session_id', '=', sessionId).where('passed_on', '=', true).execute()
}

/** Places are taken in one order, whoever does. */
export function placeKey({ owner, period }: Pick<CounterKey, 'owner' | 'period'>): string {
  return `${period} ${owner}`
}

/**
 * Nobody took a lead somebody may have who gave no answer in time: a person decides about the send of whoever was asked last of those; false
 * where there is none.
 */
export async function askOfPassedOn(trx: Trx, sessionId: string): Promise<boolean> {
  const asked = await trx
    .updateTable('lead_send')
    .set({ status: 'ambiguous', passed_on: false })
    .where('id', '=', (send) =>
      send
        .selectFrom('lead_send')
        .select(sql<string>`max(id)`.as('id'))
        .where('session_id', '=', sessionId)
        .where('passed_on', '=', true),
    )
    .executeTakeFirst()
  return asked.numUpdatedRows > 0n
}

/** Gives up a send nobody heard the answer of; false where somebody did. */
export async function loseSend(trx: Trx, id: string, reason: string): Promise<boolean> {
  const lost = await trx
    .updateTable('lead_send')
    .set({ status: 'ambiguous', outcome: 'ambiguous', reason })
    .where('id', '=', id)
    .where('status', '=', 'sending')
    .executeTakeFirst()
  return lost.numUpdatedRows > 0n
}

/** Of API offers: for how many hours a lead nobody took is kept. */
export async function waitHoursOf(trx: Trx, offerId: number): Promise<number> {
  const offer = await trx.selectFrom('api_offer').select('wait_hours').where('offer_id', '=', offerId).executeTakeFirst()
  return offer?.wait_hours ?? 0
}

/** What follows a rejection by each member of an offer. */
export async function onRejectOf(trx: Trx, offerId: number): Promise<Map<number, 'next' | 'stop'>> {
  const { rows } = await sql<{ id: number; on_reject: 'next' | 'stop' | null }>`
    select m.id, m.terms->>'on_reject' as on_reject from offer_member m join offer_group g on g.id = m.group_id
     where g.offer_id = ${offerId}`.execute(trx)
  return new Map(rows.map(({ id, on_reject }) => [id, on_reject ?? 'next']))
}

/** Writes how the endpoint of a product does; answers whose it is. */
export function updateBreaker(trx: Trx, productId: number, values: Updateable<Tables['product']>) {
  return trx
    .updateTable('product as p')
    .from('advertiser as d')
    .set(values)
    .whereRef('d.id', '=', 'p.advertiser_id')
    .where('p.id', '=', productId)
    .returning(['p.advertiser_id', 'd.uuid as advertiser_uuid', 'd.name as advertiser', 'p.title'])
    .executeTakeFirstOrThrow()
}
