import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import type { StatusChange } from '#contract/fields.ts'
import { accountFields } from '#contract/people/account.ts'
import { affiliateFields, type affiliateFilters, type affiliateStatus } from '#contract/people/affiliate.ts'
import type { FigureId } from '#contract/traffic/figures.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage, type Rank } from '#server/platform/pg/list-page.ts'
import { isFoundBy } from '#server/platform/pg/paging.ts'
import { whoseStatusChanges } from '#server/platform/pg/status-change.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'

type Filters = z.output<typeof affiliateFilters>
type Status = z.output<typeof affiliateStatus>

// not by balance: it is added up from the ledger, for the rows of a page only
const SORT_COLUMNS = {
  id: 'f.id',
  name: 'a.name',
  email: 'a.email',
  external_id: 'f.external_id',
  status: 'f.status',
  manager: 'ma.name',
  country: 'f.country',
  currency: 'f.currency',
  created_at: 'f.created_at',
  last_login_at: 'a.last_login_at',
} as const satisfies Record<Exclude<Filters['sort'], FigureId>, string>

/** One page of the affiliates in scope, and how many there are in all. */
export async function listAffiliates(db: Db, scope: Scope, filters: Filters, rank?: Rank) {
  const found = affiliatesInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('f.status', 'in', filters.status))
    .$if(filters.manager_uuid.length > 0, (query) => query.where('ma.uuid', 'in', filters.manager_uuid))
    .$if(filters.country.length > 0, (query) => query.where('f.country', 'in', filters.country))
    .$if(filters.tag.length > 0, (query) => query.where('f.tags', '&&', sql<string[]>`${filters.tag}::text[]`))
    .$if(filters.search !== '', (query) =>
      query.where(
        isFoundBy(filters.search, {
          texts: ['a.name', 'a.email', 'f.company', 'f.external_id'],
          lists: ['f.tags'],
          id: 'f.id',
          uuid: 'a.uuid',
        }),
      ),
    )
  return listPage(found, SORT_COLUMNS, filters, rank)
}

/** One affiliate in scope by uuid or numeric id; `lock` keeps it and its account from changing meanwhile. */
export function getAffiliate(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return affiliatesInScope(db, scope)
    .where(keyIs(key, { uuid: 'a.uuid', id: 'f.id' }))
    .$if(lock, (query) => query.forUpdate(['f', 'a']))
    .executeTakeFirst()
}
export type AffiliateRow = NonNullable<Awaited<ReturnType<typeof getAffiliate>>>

/** Locks the affiliates in scope whose status would change, where one is expected only from that one, in the order of their ids. */
export function lockAffiliates(db: DbOrTrx, scope: Scope, change: Partial<StatusChange<Status>> & { uuids: string[] }) {
  return whoseStatusChanges(
    affiliatesInScope(db, scope).clearSelect().select(['f.id', 'f.account_id', 'f.status']),
    { uuid: 'a.uuid', id: 'f.id', status: 'f.status' },
    change,
  )
    .forUpdate('f')
    .execute()
}

/** Affiliates in scope with how to write to them and whether they have a password, their accounts locked in the order of their ids. */
export function lockAddressees(trx: Trx, scope: Scope, uuids: string[]) {
  return affiliatesInScope(trx, scope)
    .clearSelect()
    .select(['f.id', 'f.status', 'f.account_id', 'a.email', 'a.name', 'a.language'])
    .select(sql<boolean>`a.password_hash is not null`.as('has_password'))
    .where('a.uuid', 'in', uuids)
    .orderBy('f.id')
    .forUpdate('a')
    .execute()
}

export function insertAffiliate(db: DbOrTrx, values: Insertable<Tables['affiliate']>) {
  return db.insertInto('affiliate').values(values).returning('id').executeTakeFirstOrThrow()
}

export async function updateAffiliates(db: DbOrTrx, ids: number[], values: Updateable<Tables['affiliate']>): Promise<void> {
  if (ids.length > 0) await db.updateTable('affiliate').set(values).where('id', 'in', ids).execute()
}

function affiliatesInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('manager as m', 'm.id', 'f.manager_id')
    .leftJoin('account as ma', 'ma.id', 'm.account_id')
    .where(inScope(scope, { affiliateId: 'f.id', affiliateManager: 'f.manager_id' }))
    .select(['a.uuid', 'f.id', 'f.account_id', 'f.manager_id', 'f.created_at', 'a.last_login_at'])
    .select([...columnsOf(accountFields, 'a'), ...columnsOf(affiliateFields, 'f')])
    .select([reference({ uuid: 'ma.uuid', id: 'm.id', name: 'ma.name' }).as('manager'), sql<number>`f.version + a.version`.as('version')])
}

/** Of the active managers who look after affiliates the one who has been given none by sign-up for longest. Who asks at the same moment waits. */
export async function nextManager(trx: Trx): Promise<number | null> {
  await lockName(trx, 'managers in turn')
  const row = await trx
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select('m.id')
    .where('m.status', '=', 'active')
    .where('m.type', '=', 'affiliate')
    .where('a.role', 'in', ['manager', 'team lead'])
    .orderBy(
      sql`(select max(p.created_at) from affiliate f join application p on p.affiliate_id = f.id where f.manager_id = m.id)`,
      (order) => order.asc().nullsFirst(),
    )
    .orderBy('m.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

/** The name of an affiliate. */
export async function nameOfAffiliate(db: DbOrTrx, affiliateId: number): Promise<string> {
  const row = await db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('a.name')
    .where('f.id', '=', affiliateId)
    .executeTakeFirst()
  return row?.name ?? ''
}
