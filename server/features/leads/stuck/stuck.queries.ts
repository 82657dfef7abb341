import { sql, type Selectable } from 'kysely'
import type { z } from 'zod'
import type { stuckApi } from '#contract/leads/stuck.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'
import { reference } from '#server/platform/pg/reference.ts'

type Filters = z.output<typeof stuckApi.list.body>
export type StuckState = Selectable<Tables['stuck_status']>['state']

/** What is stuck at advertisers in scope. */
export function listStuck(db: DbOrTrx, scope: Scope, asked: Filters) {
  return listPage(
    rows(db, scope)
      .where('k.state', 'in', asked.state.length > 0 ? asked.state : ['open'])
      .$if(asked.kind.length > 0, (query) => query.where('k.kind', 'in', asked.kind))
      .$if(asked.advertiser_uuid.length > 0, (query) => query.where(sql<boolean>`v.uuid = any(${[...asked.advertiser_uuid]}::uuid[])`))
      .$if(asked.search !== '', (query) =>
        query.where((where) =>
          where.or([
            where('k.lead_ref', '=', asked.search),
            where('k.transaction', '=', asked.search),
            where('k.raw', 'ilike', containing(asked.search)),
          ]),
        ),
      ),
    { id: 'k.id', first_seen_at: 'k.first_seen_at', last_seen_at: 'k.last_seen_at', reason: 'k.reason', seen: 'k.seen' },
    asked,
  )
}

export function findStuck(db: DbOrTrx, scope: Scope, key: string) {
  return rows(db, scope)
    .select(['k.params', 'k.sale', 'k.product_id', 'k.send_id', 's.id as session_id'])
    .where(keyIs(key, { uuid: 'k.uuid', id: 'k.id' }))
    .executeTakeFirst()
}
export type StuckRow = NonNullable<Awaited<ReturnType<typeof findStuck>>>

function rows(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('stuck_status as k')
    .innerJoin('product as p', 'p.id', 'k.product_id')
    .innerJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .leftJoin('lead_send as n', 'n.id', 'k.send_id')
    .leftJoin('user_session as s', 's.id', 'n.session_id')
    .leftJoin('account as a', 'a.id', 'k.account_id')
    .select([
      sql<number>`k.id::int`.as('id'),
      'k.uuid',
      'k.kind',
      'k.reason',
      'k.state',
      'k.lead_ref',
      'k.raw',
      'k.amount',
      'k.transaction',
    ])
    .select(['k.goal', 'k.status', 'k.seen', 'k.first_seen_at', 'k.last_seen_at', 'k.settled_at', 'k.note', 'k.outcome', 'a.name as by'])
    .select(sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', p.uuid, 'id', p.id, 'name', p.title)`.as('product'))
    .select(sql<{ uuid: string; id: number; name: string }>`${reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' })}`.as('advertiser'))
    .select(
      sql<{ uuid: string; id: string } | null>`case when s.id is not null then json_build_object('uuid', s.uuid, 'id', s.id::text) end`.as(
        'lead',
      ),
    )
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
}

/** What is open at advertisers in scope, the longest first: how the inbox counts and shows it, by the index of what is open. */
export function stuckWaiting(db: DbOrTrx, scope: Scope) {
  const found = db
    .selectFrom('stuck_status as k')
    .innerJoin('product as p', 'p.id', 'k.product_id')
    .innerJoin('advertiser as v', 'v.id', 'p.advertiser_id')
    .where('k.state', '=', 'open')
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
  const list = found
    .select(['k.uuid as id', 'k.first_seen_at as at', 'k.reason'])
    .select(sql<{ uuid: string; id: number; name: string }>`json_build_object('uuid', v.uuid, 'id', v.id, 'name', v.name)`.as('advertiser'))
    .select(
      sql<string>`concat_ws(' · ', p.title, nullif(k.lead_ref, ''), nullif(k.raw, ''), nullif(k.amount, ''), nullif(k.transaction, ''))`.as(
        'text',
      ),
    )
    .orderBy('k.first_seen_at')
    .orderBy('k.id')
  return { found, list }
}

/** What of one is written: `digest` tells it from what says something else. */
export type NewStuck = {
  productId: number
  sendId: string | null
  kind: 'push' | 'booking'
  reason: string
  digest: Buffer
  at: Date
  lead_ref?: string
  raw?: string
  amount?: string
  transaction?: string
  goal?: string
  status?: string
  /** It is money, whatever the word says. */
  sale?: boolean
  params?: Record<string, string>
  /** Told again it is not counted: a list says the same each time it is read. */
  once?: boolean
}

/** Keeps one, or counts it once more where the same was kept before; answers how that stands. */
export async function saveStuck(
  db: DbOrTrx,
  { productId, sendId, digest, at, params = {}, once = false, ...of }: NewStuck,
): Promise<StuckState> {
  const { state } = await db
    .insertInto('stuck_status')
    .values({
      product_id: productId,
      send_id: sendId,
      digest,
      first_seen_at: at,
      last_seen_at: at,
      params: JSON.stringify(params),
      ...of,
    })
    .onConflict((conflict) =>
      conflict.columns(['product_id', 'digest']).doUpdateSet({ last_seen_at: at, seen: sql`stuck_status.seen + ${once ? 0 : 1}` }),
    )
    .returning('state')
    .executeTakeFirstOrThrow()
  return state
}

/** How what says the same stands already; undefined = nothing does. */
export async function standingOf(db: DbOrTrx, productId: number, digest: Buffer): Promise<StuckState | undefined> {
  const found = await db
    .selectFrom('stuck_status')
    .select('state')
    .where('product_id', '=', productId)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return found?.state
}

/** A list says the same of it still; once a day is enough to know. */
export async function markListed(db: DbOrTrx, productId: number, digest: Buffer, at: Date): Promise<void> {
  await sql`
    update stuck_status set last_seen_at = ${at}
     where product_id = ${productId} and digest = ${digest} and last_seen_at < ${at}::timestamptz - interval '1 day'`.execute(db)
}

/** How many of a product are open, up to `most`. */
export async function countOpen(db: DbOrTrx, productId: number, most: number): Promise<number> {
  const { rows: found } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from stuck_status where product_id = ${productId} and state = 'open' limit ${most}) as o`.execute(db)
  return found[0]?.count ?? 0
}

/** One of them, locked: whoever settles it comes after who did. */
export function lockStuck(trx: Trx, id: number) {
  return trx
    .selectFrom('stuck_status')
    .select(['id', 'state', 'outcome'])
    .where('id', '=', String(id))
    .forUpdate()
    .executeTakeFirstOrThrow()
}

type Settled = { state: 'settled' | 'dismissed'; outcome: string; note: string; account_id: number | null; settled_at: Date }

/** Writes how one ended; `sendId`: the lead it was about, as far as that was found. */
export async function settleStuck(trx: Trx, id: number, { sendId, ...values }: Settled & { sendId?: string | undefined }): Promise<void> {
  await trx
    .updateTable('stuck_status')
    .set({ ...values, ...(sendId !== undefined && { send_id: sendId }) })
    .where('id', '=', String(id))
    .execute()
}

/** What was told again and done this time is stuck no more. */
export async function settleTold(db: DbOrTrx, productId: number, digest: Buffer, at: Date): Promise<void> {
  await db
    .updateTable('stuck_status')
    .set({ state: 'settled', outcome: 'told_again', settled_at: at })
    .where('product_id', '=', productId)
    .where('digest', '=', digest)
    .where('state', '=', 'open')
    .execute()
}

/** The send a booking is about, and its product. */
export function sendByUuid(db: DbOrTrx, uuid: string) {
  return db.selectFrom('lead_send').select(['id', 'product_id']).where('uuid', '=', uuid).executeTakeFirst()
}

/** What is needed to book for a send, of whatever state: its session, its place in the offer. */
export function sendToBook(db: DbOrTrx, id: string) {
  return db
    .selectFrom('lead_send')
    .select(['id', 'uuid', 'session_id', 'advertiser_id', 'member_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

/** What is said of a lead now. */
export function getCallStatus(db: DbOrTrx, sessionId: string) {
  return db.selectFrom('user_session').select('call_status').where('id', '=', sessionId).executeTakeFirstOrThrow()
}

/** Our lead id of what a product got of a session, by that session's uuid or number. */
export async function leadIdOf(db: DbOrTrx, productId: number, session: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select('n.uuid')
    .where('n.product_id', '=', productId)
    .where(keyIs(session, { uuid: 's.uuid', id: 's.id' }))
    .orderBy('n.id', 'desc')
    .executeTakeFirst()
  return found?.uuid
}

/**
 * Drops what was settled before one moment and not told since, and whatever is older than another; a part at a time. Answers how many.
 * What is told still would come up anew, and be booked a second time.
 */
export async function dropStuck(db: DbOrTrx, settledBefore: Date, openBefore: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from stuck_status where id in (
      select id from stuck_status
       where (state <> 'open' and settled_at < ${settledBefore} and last_seen_at < ${settledBefore}) or (state = 'open' and last_seen_at < ${openBefore})
       limit ${most})`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
