import { sql, type RawBuilder } from 'kysely'
import { accountsOf, type AccountKind } from '#contract/money/account.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { Scope } from '#server/access/scope.ts'
import { inScope } from '#server/access/in-scope.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'

export type Owner = 'affiliate' | 'advertiser'

/** The number of an affiliate or advertiser in scope; undefined where there is none. */
export async function ownerNumber(db: DbOrTrx, scope: Scope, owner: Owner, uuid: string): Promise<number | undefined> {
  const row =
    owner === 'affiliate'
      ? await db
          .selectFrom('affiliate as f')
          .innerJoin('account as a', 'a.id', 'f.account_id')
          .select('f.id')
          .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
          .where(keyIs(uuid, { uuid: 'a.uuid', id: 'f.id' }))
          .executeTakeFirst()
      : await db
          .selectFrom('advertiser as v')
          .select('v.id')
          .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
          .where(keyIs(uuid, { uuid: 'v.uuid', id: 'v.id' }))
          .executeTakeFirst()
  return row?.id
}

/** The number of a source the network pays from; undefined where there is none. */
export async function sourceNumber(db: DbOrTrx, uuid: string): Promise<number | undefined> {
  return (await db.selectFrom('payment_source').select('id').where('uuid', '=', uuid).executeTakeFirst())?.id
}

/** Accounts of one owner that ever had an entry. */
export function listAccounts(db: DbOrTrx, kinds: readonly AccountKind[], ownerId: number) {
  return db
    .selectFrom('ledger_account as a')
    .select(['a.kind', 'a.currency', 'a.balance'])
    .where('a.owner_id', '=', ownerId)
    .where('a.kind', 'in', [...kinds])
    .where((where) => where.exists(where.selectFrom('ledger_entry as e').select('e.id').whereRef('e.account_id', '=', 'a.id').limit(1)))
    .orderBy('a.currency')
    .execute()
}

/** What arrived at an affiliate and was not sent back, by currency. */
export function sumPaid(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('payment')
    .select(['currency', sql<string>`sum(amount)::text`.as('amount')])
    .where('affiliate_id', '=', affiliateId)
    .where('state', '=', 'settled')
    .groupBy('currency')
    .orderBy('currency')
    .execute()
}

export type EntryPage = {
  count: number
  page: number
  after: string | null
  from: Date | null
  to: Date
  withParty: boolean
  /** Documents of advertisers too. */
  withDocuments: boolean
}

/** The partner whose account a transfer `t` moved too, by name. */
const PARTY = sql`(select coalesce(pa.name, v.name) from ledger_entry o join ledger_account oa on oa.id = o.account_id
  left join affiliate f on oa.kind = any(${accountsOf('affiliate')}::text[]) and f.id = oa.owner_id left join account pa on pa.id = f.account_id
  left join advertiser v on oa.kind = any(${accountsOf('advertiser')}::text[]) and v.id = oa.owner_id
  where o.transfer_id = t.id and coalesce(pa.name, v.name) is not null limit 1)`

/** The documents of advertisers of a transfer `t`. */
const DOCUMENTS = sql`left join advertiser_invoice vi on vi.id = t.advertiser_invoice_id left join receipt r on r.id = t.receipt_id
      left join advertiser_adjustment vj on vj.id = t.advertiser_adjustment_id`

/**
 * A page of the entries of some accounts of one owner by when they happened, the newest first, and of one moment by when they were booked;
 * each with the sum of what came after it: what was there then is today's balance less that, so only entries newer than the page's last
 * are read. `after` is the id of one of them. `balance` is that of all these accounts today, read at the same moment.
 */
export async function listEntries(
  db: Db,
  accounts: { kinds: readonly AccountKind[]; ownerId: number; currency: Currency },
  { count, page, after, from, to, withParty, withDocuments }: EntryPage,
) {
  const skipped = after === null ? (page - 1) * count : 0
  const { rows } = await sql<{
    id: string
    kind: AccountKind
    at: Date
    booked_at: Date
    event: string
    amount: string
    newer: string
    balance: string
    conversion: { uuid: string; id: string } | null
    invoice: { uuid: string; id: number; number: string | null } | null
    receipt: { id: number; external_id: string } | null
    note: string | null
    party: string | null
    actor: string | null
  }>`
    with own as (${ownAccounts(accounts)}),
    picked as (
      select e.*, own.kind from own cross join lateral (
        select e.id, e.transfer_id, e.amount, e.at from ledger_entry e join ledger_transfer t on t.id = e.transfer_id
         where e.account_id = own.id and ${between(from, to)} and ${after === null ? sql`true` : sql`(e.at, e.id) < (${momentOf(after)}, ${after}::bigint)`}
         order by e.at desc, e.id desc limit ${skipped + count}) e
       order by e.at desc, e.id desc limit ${count} offset ${skipped}),
    last as (select at, id from picked order by at, id limit 1),
    newer as (
      select e.id, coalesce(sum(e.amount) over (order by e.at desc, e.id desc rows between unbounded preceding and 1 preceding), 0) as newer
        from own join ledger_entry e on e.account_id = own.id and (e.at, e.id) >= ((select at from last), (select id from last)))
    select e.id, e.kind, e.at, t.booked_at, t.kind as event, e.amount::text, n.newer::text, (select coalesce(sum(balance), 0)::text from own) as balance,
           case when c.id is not null then json_build_object('uuid', c.uuid, 'id', c.id::text) end as conversion, 
           case when i.id is not null then json_build_object('uuid', i.uuid, 'id', i.id, 'number', i.number) ${withDocuments ? sql`when vi.id is not null then json_build_object('uuid', vi.uuid, 'id', vi.id, 'number', vi.number)` : sql``} end as invoice,
           ${withDocuments ? sql`case when r.id is not null then json_build_object('id', r.id, 'external_id', r.external_id) end` : sql`null`} as receipt,
           ${withDocuments ? sql`coalesce(j.note, vj.note)` : sql`j.note`} as note, ${withParty ? PARTY : sql`null`} as party, a.name as actor
      from picked e join newer n on n.id = e.id join ledger_transfer t on t.id = e.transfer_id
      left join conversion c on c.id = t.conversion_id left join account a on a.id = t.actor_id
      left join payment p on p.id = t.payment_id left join invoice i on i.id = coalesce(t.invoice_id, p.invoice_id)
      left join adjustment j on j.id = t.adjustment_id ${withDocuments ? DOCUMENTS : sql``}
     order by e.at desc, e.id desc`.execute(db)
  return rows
}

/** When an entry of these accounts happened; of any other it is not told, and nothing comes after it. */
function momentOf(id: string) {
  return sql`(select c.at from ledger_entry c where c.id = ${id}::bigint and c.account_id in (select id from own))`
}

/** How many entries these accounts have. */
export async function countEntries(
  db: Db,
  accounts: { kinds: readonly AccountKind[]; ownerId: number; currency: Currency },
  { from, to }: Pick<EntryPage, 'from' | 'to'>,
): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    with own as (${ownAccounts(accounts)})
    select count(*)::int as rows from ledger_entry e join own on own.id = e.account_id
      ${from === null ? sql`` : sql`join ledger_transfer t on t.id = e.transfer_id where ${between(from, to)}`}`.execute(db)
  return rows[0]?.rows ?? 0
}

function ownAccounts({ kinds, ownerId, currency }: { kinds: readonly AccountKind[]; ownerId: number; currency: Currency }) {
  return sql`select id, kind, balance from ledger_account where owner_id = ${ownerId} and currency = ${currency} and kind = any(${kinds}::text[])`
}

function between(from: Date | null, to: Date): RawBuilder<boolean> {
  return from === null ? sql<boolean>`t.booked_at < ${to}` : sql<boolean>`t.booked_at >= ${from} and t.booked_at < ${to}`
}
