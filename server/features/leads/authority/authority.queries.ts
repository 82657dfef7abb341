import { sql } from 'kysely'
import type { Authority } from '#contract/leads/authority.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { TOOK } from '#server/rules/lead/states.ts'

/** Whose word counts for the leads of an affiliate on an offer; `lock` keeps it so until the transaction ends. */
export async function authorityOf(db: DbOrTrx, affiliateId: number, offerId: number, lock = false): Promise<Authority> {
  const found = await db
    .selectFrom('lead_authority')
    .select('state')
    .where('affiliate_id', '=', affiliateId)
    .where('offer_id', '=', offerId)
    .$if(lock, (query) => query.forShare())
    .executeTakeFirst()
  return found?.state ?? 'live'
}

/** Affiliates of an offer that are or were tested. */
export async function listPairs(db: Db, offerId: number, { count, page }: { count: number; page: number }) {
  const of = db.selectFrom('lead_authority as l').where('l.offer_id', '=', offerId)
  const [{ rows }, list] = await Promise.all([
    of.select((one) => one.fn.countAll<string>().as('rows')).executeTakeFirstOrThrow(),
    of
      .innerJoin('affiliate as f', 'f.id', 'l.affiliate_id')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .leftJoin('account as b', 'b.id', 'l.changed_by')
      .select(['l.affiliate_id', 'l.state', 'l.changed_at', 'l.applying', 'a.uuid', 'a.name', 'b.name as changed_by'])
      .orderBy('l.state', 'desc')
      .orderBy('l.changed_at', 'desc')
      .orderBy('l.affiliate_id')
      .offset((page - 1) * count)
      .limit(count)
      .execute(),
  ])
  return { rows: Number(rows), list }
}

/** Of how many leads of each affiliate something is noted that did not count. */
export async function countNoted(db: DbOrTrx, offerId: number, affiliateIds: readonly number[]): Promise<Map<number, number>> {
  if (affiliateIds.length === 0) return new Map()
  const { rows } = await sql<{ affiliate_id: number; count: number }>`
    select s.affiliate_id, count(*)::int as count from ${noted()} and s.offer_id = ${offerId}
       and s.affiliate_id = any(${[...affiliateIds]}::int[]) group by s.affiliate_id`.execute(db)
  return new Map(rows.map(({ affiliate_id, count }) => [affiliate_id, count]))
}

/** What advertisers said last of leads of a pair while it was tested, from `after` on. */
export async function listNoted(db: DbOrTrx, pair: { affiliate_id: number; offer_id: number }, after: string, most: number) {
  const { rows } = await sql<NotedRow>`
    select u.id, u.raw, u.sale, u.amount, u.transaction, u.source, n.product_id, n.uuid as send_uuid from ${noted()}
       and s.affiliate_id = ${pair.affiliate_id} and s.offer_id = ${pair.offer_id} and u.id > ${after} order by u.id limit ${most}`.execute(
    db,
  )
  return rows
}
type NotedRow = {
  id: string
  raw: string
  sale: boolean
  amount: string
  transaction: string
  source: 'pull' | 'push'
  product_id: number
  send_uuid: string
}

function noted() {
  return sql`lead_status u join lead_send n on n.id = u.send_id join user_session s on s.id = n.session_id
     where u.noted and not exists (select 1 from lead_status l where l.send_id = u.send_id and l.id > u.id and l.source <> 'staff'
                                       and (u.transaction = '' or l.transaction = u.transaction))`
}

/** The state of a pair, locked; undefined = it was never tested. */
export async function lockPair(trx: Trx, affiliateId: number, offerId: number): Promise<Authority | undefined> {
  const found = await trx
    .selectFrom('lead_authority')
    .select('state')
    .where('affiliate_id', '=', affiliateId)
    .where('offer_id', '=', offerId)
    .forUpdate()
    .executeTakeFirst()
  return found?.state
}

export async function setPair(
  trx: Trx,
  values: { affiliate_id: number; offer_id: number; state: Authority; changed_at: Date; changed_by: number | null; applying: boolean },
): Promise<void> {
  const { affiliate_id: _affiliate, offer_id: _offer, ...of } = values
  const said = { ...of, due_at: null, failures: 0 }
  await trx
    .insertInto('lead_authority')
    .values(values)
    .onConflict((conflict) => conflict.columns(['affiliate_id', 'offer_id']).doUpdateSet(said))
    .execute()
}

/** A pair that went live while something of its leads is noted, and was not put back. */
export function nextApplying(db: Db, now: Date) {
  return db
    .selectFrom('lead_authority')
    .select(['affiliate_id', 'offer_id', 'changed_at', 'failures'])
    .where('applying', '=', true)
    .where((of) => of.or([of('due_at', 'is', null), of('due_at', '<=', now)]))
    .orderBy('changed_at')
    .limit(1)
    .executeTakeFirst()
}

type ApplyingPair = NonNullable<Awaited<ReturnType<typeof nextApplying>>>

/** A pair is tried again later, unless another worker said so. */
export async function putPairBack(db: Db, { affiliate_id, offer_id, failures }: ApplyingPair, until: Date): Promise<void> {
  await db
    .updateTable('lead_authority')
    .set({ due_at: until, failures: failures + 1 })
    .where('affiliate_id', '=', affiliate_id)
    .where('offer_id', '=', offer_id)
    .where('failures', '=', failures)
    .execute()
}

export async function settlePair(db: Db, { affiliate_id, offer_id, changed_at }: ApplyingPair) {
  await db
    .updateTable('lead_authority')
    .set({ applying: false, due_at: null, failures: 0 })
    .where('affiliate_id', '=', affiliate_id)
    .where('offer_id', '=', offer_id)
    .where('changed_at', '=', changed_at)
    .execute()
}

/** The send by which an advertiser has a lead, with what saying something of it needs. */
export function findTaken(db: DbOrTrx, sessionId: string) {
  return db
    .selectFrom('lead_send as n')
    .innerJoin('product as p', 'p.id', 'n.product_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .select(['n.id', 'n.uuid', 'n.session_id', 'n.product_id', 'n.advertiser_id', 'n.member_id', 'n.status'])
    .select(['p.integration_id', 'v.spec', 'i.type'])
    .where('n.session_id', '=', sessionId)
    .where('n.status', 'in', TOOK)
    .executeTakeFirst()
}
