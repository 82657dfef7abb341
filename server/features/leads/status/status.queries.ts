import { sql, type Insertable } from 'kysely'
import { specOf } from '#server/features/leads/integration/kept-secret.queries.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { words } from '#server/platform/pg/words.ts'
import type { PullPlace, PullSpot } from '#server/rules/lead/integration/pull-place.ts'
import { HAS_IT, HOLDS } from '#server/rules/lead/states.ts'

/** A send with what applying a status to it needs, of a lead before one of a test; `id` is the send's. */
export function findSend(db: DbOrTrx, productId: number, by: { externalId: string } | { uuid: string }) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['n.id', 'n.uuid', 'n.session_id', 'n.product_id', 'n.advertiser_id', 'n.member_id', 'n.status'])
    .select(['p.integration_id', 'i.type'])
    .where('n.product_id', '=', productId)
    .where(mayHaveIt)
    .$if('externalId' in by, (query) => query.where('n.external_id', '=', 'externalId' in by ? by.externalId : ''))
    .$if('uuid' in by, (query) => query.where(sql<boolean>`n.uuid::text = ${'uuid' in by ? by.uuid.toLowerCase() : ''}`))
    .orderBy('s.test')
    .orderBy('n.id', 'desc')
    .executeTakeFirst()
}
/** By which an advertiser has a lead or may have it. */
export const mayHaveIt = sql<boolean>`(n.status in (${words(HOLDS)}) or n.passed_on)`
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** A send by what an advertiser calls its lead: our id of it before its own. */
export async function findTold(db: DbOrTrx, productId: number, id: string): Promise<SentLead | undefined> {
  const ours = UUID.test(id) ? await findSend(db, productId, { uuid: id }) : undefined
  return ours ?? (await findSend(db, productId, { externalId: id }))
}

export type SentLead = NonNullable<Awaited<ReturnType<typeof findSend>>>

/**
 * The leads of a product sent within those moments, the newest first, after a spot; tests are not asked about, and nobody who has no name
 * in `known`. `open`: but those that are over.
 */
export function listOpen(
  db: DbOrTrx,
  productId: number,
  { since, until }: Span,
  { after, open, known }: { after: PullSpot | null; open: boolean; known: 'uuid' | 'external_id' },
  most: number,
) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['n.id', 'n.uuid', 'n.external_id', 'n.asked_at'])
    .where('n.product_id', '=', productId)
    .where(mayHaveIt)
    .where('n.asked_at', '>', since)
    .where('n.asked_at', '<=', until)
    .where('s.test', '=', false)
    .where(`n.${known}`, 'is not', null)
    .$if(open, (query) => query.where(isOpen))
    .$if(after !== null, (query) => query.where(sql<boolean>`(n.asked_at, n.id) < (${after?.at}::timestamptz, ${after?.id}::bigint)`))
    .orderBy('n.asked_at', 'desc')
    .orderBy('n.id', 'desc')
    .limit(most)
    .execute()
}
type Span = { since: Date; until: Date }
/** Of which more is expected: what was closed may still be told of anew, and seldom is. */
const isOpen = sql<boolean>`s.status <> 'closed'`

/** The days of UTC within those moments on which such leads were sent, the last first, however many there are: a probe of the index for each. */
export async function listOpenDays(db: DbOrTrx, productId: number, { since, until }: Span, open: boolean): Promise<Date[]> {
  const { rows } = await sql<{ day: Date }>`
    select day from generate_series(date_trunc('day', ${since}::timestamptz, 'UTC'), ${until}::timestamptz, interval '24 hours') as day
     where exists (
       select from lead_send n join user_session s on s.id = n.session_id
        where n.product_id = ${productId} and n.asked_at >= day and n.asked_at < day + interval '24 hours'
          and n.asked_at > ${since} and n.asked_at <= ${until} and ${mayHaveIt} and not s.test and (${isOpen} or not ${open}::boolean))
     order by day desc`.execute(db)
  return rows.map(({ day }) => day)
}

/** What of a session a conversion takes over: the columns of `BookedSession`. */
const BOOKED = [
  'id',
  'affiliate_id',
  'offer_id',
  'click_id',
  'external_id',
  'country',
  'told',
  'sealed',
  'received_at',
  'test',
  'landing_id',
  'recold_id',
] as const

/** A lead's session, locked, with what a conversion takes over of it. */
export function lockLead(trx: Trx, sessionId: string) {
  return trx
    .selectFrom('user_session')
    .select(BOOKED)
    .select(['status', 'call_status', 'person_id'])
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export function getLead(db: DbOrTrx, sessionId: string) {
  return db.selectFrom('user_session').select(BOOKED).where('id', '=', sessionId).executeTakeFirstOrThrow()
}

/** What the advertiser said last of a lead, or of one of its payments; what staff say stands beside it. */
export function lastStatus(db: DbOrTrx, sendId: string, transaction = '') {
  return db
    .selectFrom('lead_status')
    .select(['raw', 'sale', 'amount', 'status', 'noted'])
    .where('send_id', '=', sendId)
    .where('source', '!=', 'staff')
    .$if(transaction !== '', (query) => query.where('transaction', '=', transaction))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export async function insertStatus(trx: Trx, values: Insertable<Tables['lead_status']>): Promise<void> {
  await trx.insertInto('lead_status').values(values).execute()
}

/** The deposits of a lead its advertiser told of and that count, as they were told. */
export function listDeposits(trx: Trx, sendId: string) {
  return trx
    .selectFrom('lead_status')
    .select(['transaction', 'deposit', 'amount'])
    .where('send_id', '=', sendId)
    .where('deposit', '!=', '')
    .where('noted', '=', false)
    .orderBy('id')
    .execute()
}

/** Whether a payment is told of by another lead of the product. */
export async function isOfOther(trx: Trx, { product_id, id }: { product_id: number; id: string }, transaction: string): Promise<boolean> {
  const found = await trx
    .selectFrom('lead_status as l')
    .innerJoin('lead_send as n', 'n.id', 'l.send_id')
    .select('l.id')
    .where('l.transaction', '=', transaction)
    .where('l.deposit', '!=', '')
    .where('n.product_id', '=', product_id)
    .where('l.send_id', '!=', id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** A send nobody knew the answer of and its advertiser speaks of was taken after all. */
export async function confirmSend(trx: Trx, sendId: string, at: Date): Promise<boolean> {
  const found = await trx
    .updateTable('lead_send')
    .set({ status: 'accepted', answered_at: at, passed_on: false })
    .where('id', '=', sendId)
    .where((send) => send.or([send('status', '=', 'ambiguous'), send('passed_on', '=', true)]))
    .executeTakeFirst()
  return found.numUpdatedRows > 0n
}

/** From now on a product is asked what became of its leads. */
export async function beginPulling(trx: Trx, productId: number, dueAt: Date): Promise<void> {
  await trx
    .insertInto('product_pull')
    .values({ product_id: productId, due_at: dueAt })
    .onConflict((conflict) => conflict.column('product_id').doNothing())
    .execute()
}

/** Takes products that are to be asked now, each for one worker, until `until`. */
export async function leasePulls(db: DbOrTrx, now: Date, until: Date, most: number): Promise<number[]> {
  const { rows } = await sql<{ product_id: number }>`
    update product_pull set leased_until = ${until}
     where product_id in (select product_id from product_pull
       where due_at <= ${now} and (leased_until is null or leased_until < ${now})
       order by due_at limit ${most} for update skip locked)
    returning product_id`.execute(db)
  return rows.map(({ product_id }) => product_id)
}

/** Takes a product for longer, where it is still this worker's; answers whether it is. */
export async function renewPull(db: DbOrTrx, productId: number, held: Date, until: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('product_pull')
    .set({ leased_until: until })
    .where('product_id', '=', productId)
    .where('leased_until', '=', held)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** `read`: it was answered, whatever its rows came to; `rounded`, `swept`: all leads of the last 90 days, all older ones were asked about. */
type SettledPull = {
  at: Date
  dueAt: Date
  error: string
  failed: boolean
  silent: boolean
  read: boolean
  round: PullPlace | null
  rounded: boolean
  sweep: PullPlace | null
  swept: boolean
}

/** How asking a product went, and when it is asked again; undefined where it is not this worker's any more. */
export function settlePull(db: DbOrTrx, productId: number, held: Date, of: SettledPull) {
  const { at, dueAt, error, failed, silent, read, round, rounded, sweep, swept } = of
  return db
    .updateTable('product_pull')
    .set({
      due_at: dueAt,
      leased_until: null,
      error,
      failures: failed ? sql`failures + 1` : 0,
      silent: silent ? sql<number>`silent + 1` : 0,
      round: round === null ? null : JSON.stringify(round),
      sweep: sweep === null ? null : JSON.stringify(sweep),
      ...(read && { pulled_at: at }),
      ...(rounded && { rounded_at: at }),
      ...(swept && { swept_at: at }),
    })
    .where('product_id', '=', productId)
    .where('leased_until', '=', held)
    .returning(['silent', 'failures'])
    .executeTakeFirst()
}

/** How a product's system is asked. */
export function getPullEndpoint(db: DbOrTrx, productId: number) {
  return db
    .selectFrom('product as p')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .innerJoin('product_pull as q', 'q.product_id', 'p.id')
    .innerJoin('advertiser as a', 'a.id', 'p.advertiser_id')
    .select(['p.title', 'p.advertiser_id', 'a.uuid as advertiser_uuid', 'a.name as advertiser'])
    .select(['p.id', 'p.host', 'p.credentials', 'p.integration_id', 'p.version_id', specOf('v').as('spec')])
    .select(['q.failures', 'q.swept_at', 'q.round', 'q.rounded_at', 'q.sweep'])
    .where('p.id', '=', productId)
    .executeTakeFirst()
}

/** A product's address and account, and the version it has them for. */
export function getAccount(db: DbOrTrx, productId: number) {
  return db
    .selectFrom('product as p')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .select(['p.host', 'p.credentials', specOf('v').as('spec')])
    .where('p.id', '=', productId)
    .executeTakeFirst()
}

/**
 * Whether a send is still one its advertiser may speak of; whoever asks has locked its session. elsewhere: it gave no answer in time, and
 * somebody else has the lead or is asked for it; over: a person said that they do not have it.
 */
export async function standingOf(trx: Trx, sendId: string): Promise<'has' | 'elsewhere' | 'over'> {
  const { rows } = await sql<{ standing: 'has' | 'elsewhere' | 'over' }>`
    select case when n.status in (${words(HOLDS)}) then 'has' when not n.passed_on then 'over'
                when exists (select from lead_send o where o.session_id = n.session_id and o.status in (${words(HAS_IT)})) then 'elsewhere'
                else 'has' end as standing
      from lead_send n where n.id = ${sendId}`.execute(trx)
  return rows[0]?.standing ?? 'over'
}

/** A product and how its integration reads what is said of its leads. */
export function findProduct(db: DbOrTrx, by: { uuid: string } | { id: number }) {
  return db
    .selectFrom('product as p')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .select(['p.id', 'p.uuid', 'v.spec'])
    .$if('uuid' in by, (query) => query.where('p.uuid', '=', 'uuid' in by ? by.uuid : ''))
    .$if('id' in by, (query) => query.where('p.id', '=', 'id' in by ? by.id : 0))
    .executeTakeFirst()
}
