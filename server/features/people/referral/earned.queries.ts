import { sql } from 'kysely'
import type { z } from 'zod'
import type { referralApi } from '#contract/people/referral.ts'
import { isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { EARNED, type Amounts } from './referral.queries.ts'

type Paging = { count: number; page: number }

/** Whether a row of a month is on an invoice. */
const LINED = sql`exists (select from invoice_line l where l.referral_month_id = m.id and l.live)`

/** How many signed up by an affiliate's code, how many of them are active, and what it earned by currency. */
export async function sumOwn(db: DbOrTrx, referrerId: number) {
  const [people, sums] = await Promise.all([
    sql<{ signed_up: number; active: number }>`
      select count(*)::int as signed_up, (count(*) filter (where f.status = 'active'))::int as active
        from referral r join affiliate f on f.id = r.affiliate_id where r.referrer_id = ${referrerId} and r.level = 1`.execute(db),
    sql<{ currency: string; earned: string; invoiced: string }>`
      select m.currency, sum(m.amount)::text as earned, coalesce(sum(m.amount) filter (where ${LINED}), 0)::text as invoiced
        from referral r join referral_month m on m.referral_id = r.id where r.referrer_id = ${referrerId} group by 1 having bool_or(m.amount <> 0) order by 1`.execute(
      db,
    ),
  ])
  return { ...(people.rows[0] ?? { signed_up: 0, active: 0 }), sums: sums.rows }
}

/** A page of what an affiliate earned by month, currency and level, and how many such rows there are. */
export async function listEarned(db: DbOrTrx, referrerId: number, { count, page }: Paging) {
  const found = sql`
    select to_char(m.month, 'YYYY-MM') as month, m.currency, r.level, count(distinct r.id)::int as referred, sum(m.amount)::text as amount,
           coalesce(sum(m.amount) filter (where ${LINED}), 0)::text as invoiced
      from referral r join referral_month m on m.referral_id = r.id where r.referrer_id = ${referrerId}
     group by m.month, m.currency, r.level having bool_or(m.amount <> 0)`
  const [counted, list] = await Promise.all([
    sql<{ rows: number }>`select count(*)::int as rows from (${found}) x`.execute(db),
    sql<{ month: string; currency: string; level: number; referred: number; amount: string; invoiced: string }>`
      select * from (${found}) x order by month desc, currency, level limit ${count} offset ${(page - 1) * count}`.execute(db),
  ])
  return { rows: counted.rows[0]?.rows ?? 0, list: list.rows }
}

/** What would stand in the books for a referral `r` that is kept back, and does not. */
const KEPT = sql<Amounts>`coalesce((select json_agg(json_build_object('currency', s.currency, 'amount', s.amount::text) order by s.currency)
  from (select m.currency, sum(m.claim) - sum(m.amount) as amount from referral_month m where m.referral_id = r.id
    and r.state in ('held', 'refused') group by 1 having sum(m.claim) <> sum(m.amount)) s), '[]')`

function referrals(db: DbOrTrx) {
  return db
    .selectFrom('referral as r')
    .innerJoin('affiliate as f', 'f.id', 'r.affiliate_id')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .innerJoin('affiliate as g', 'g.id', 'r.referrer_id')
    .innerJoin('account as b', 'b.id', 'g.account_id')
    .leftJoin('account as d', 'd.id', 'r.decided_by')
    .select(['r.id', 'r.uuid', 'r.level', 'r.code', 'r.percent', 'r.months', 'r.created_at', 'r.state', 'r.causes', 'r.reason'])
    .select(['r.held_at', 'r.decided_at', 'd.name as decided_by', EARNED.as('earned'), KEPT.as('kept')])
    .select([
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).$notNull().as('affiliate'),
      reference({ uuid: 'b.uuid', id: 'g.id', name: 'b.name' }).$notNull().as('referrer'),
    ])
}
export type ReferralRow = Awaited<ReturnType<typeof listReferrals>>['list'][number]

/** A page of who brought whom, and how many there are. */
export function listReferrals(db: Db, filters: z.output<typeof referralApi.list.body>) {
  const { state, referrer_uuid, affiliate_uuid } = filters
  const found = referrals(db)
    .$if(state.length > 0, (query) => query.where('r.state', 'in', state))
    .$if(referrer_uuid.length > 0, (query) => query.where('b.uuid', 'in', referrer_uuid))
    .$if(affiliate_uuid.length > 0, (query) => query.where('a.uuid', 'in', affiliate_uuid))
  return listPage(found, { id: 'r.id', created_at: 'r.created_at', held_at: 'r.held_at' }, filters)
}

/** One referral as staff read it; undefined where there is none. */
export function findReferral(db: DbOrTrx, id: number) {
  return referrals(db).where('r.id', '=', id).executeTakeFirst()
}

/** Locks a referral by its uuid. */
export function lockByUuid(trx: Trx, uuid: string) {
  return trx
    .selectFrom('referral')
    .select(['id', 'state', 'reason', 'referrer_id', 'affiliate_id'])
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function storeDecision(
  trx: Trx,
  id: number,
  values: { state: 'released' | 'refused'; reason: string; decided_at: Date; decided_by: number | null },
): Promise<void> {
  await trx.updateTable('referral').set(values).where('id', '=', id).execute()
}

/** A page of whom an affiliate brought, at whatever level, the latest first; named where the reader sees them. */
export async function listBroughtBy(db: DbOrTrx, scope: Scope, referrerId: number, filters: Paging) {
  const found = db.selectFrom('referral as r').where('r.referrer_id', '=', referrerId)
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .innerJoin('affiliate as f', 'f.id', 'r.affiliate_id')
      .innerJoin('account as a', 'a.id', 'f.account_id')
      .select(['r.level', 'r.percent', 'r.months', 'r.created_at', 'r.state', EARNED.as('earned')])
      .select([
        isInScope(scope, { affiliateManager: 'f.manager_id' }).as('seen'),
        reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('who'),
      ])
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list: list.map(({ seen, who, ...row }) => ({ ...row, who: seen ? who : null })) }
}
