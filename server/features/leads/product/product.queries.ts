import { sql, type Insertable, type Updateable } from 'kysely'
import type { z } from 'zod'
import { productFields, type MadeCall, type productApi, type ProductStatus } from '#contract/leads/product.ts'
import type { Currency } from '#contract/money/amount.ts'
import { specOf } from '#server/features/leads/integration/kept-secret.queries.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { columnsOf } from '#server/platform/pg/fields.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { isFoundBy, pageOf } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof productApi.list.body>

const SORT_COLUMNS = {
  id: 'p.id',
  title: 'p.title',
  advertiser: 'd.name',
  integration: 'i.title',
  status: 'p.status',
  tested_at: 'p.tested_at',
  created_at: 'p.created_at',
  updated_at: 'p.updated_at',
} as const satisfies Record<Filters['sort'], string>

/** One page of the products of advertisers in scope, and how many there are in all. */
export function listProducts(db: Db, scope: Scope, filters: Filters) {
  const found = productsInScope(db, scope)
    .$if(filters.status.length > 0, (query) => query.where('p.status', 'in', filters.status))
    .$if(filters.status.length === 0, (query) => query.where('p.status', '!=', 'archived'))
    .$if(filters.advertiser_uuid.length > 0, (query) => query.where('d.uuid', 'in', filters.advertiser_uuid))
    .$if(filters.integration_uuid.length > 0, (query) => query.where('i.uuid', 'in', filters.integration_uuid))
    .$if(filters.search !== '', (query) =>
      query.where(isFoundBy(filters.search, { texts: ['p.title', 'd.name', 'i.title'], id: 'p.id', uuid: 'p.uuid' })),
    )
  return listPage(found, SORT_COLUMNS, filters)
}

/** Products of advertisers in scope with whose they are, by a part of either name; those that take no leads any more last, at most 50. */
export function listProductOptions(db: Db, scope: Scope, search: string) {
  return db
    .selectFrom('product as p')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .select(['p.uuid', 'p.id', sql<string>`p.title || ' · ' || d.name`.as('name')])
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .where(isFoundBy(search, { texts: ['p.title', 'd.name'], id: 'p.id', uuid: 'p.uuid' }))
    .orderBy(sql`p.status = 'archived'`)
    .orderBy('p.title')
    .orderBy('p.id')
    .limit(50)
    .execute()
}

/** One product in scope by uuid or number; `lock` keeps it from changing meanwhile. */
export function getProduct(db: DbOrTrx, scope: Scope, key: string, lock = false) {
  return productsInScope(db, scope)
    .select(['p.credentials', 'p.version_id', 'p.integration_id', 'p.advertiser_id'])
    .where(keyIs(key, { uuid: 'p.uuid', id: 'p.id' }))
    .$if(lock, (query) => query.forNoKeyUpdate('p'))
    .executeTakeFirst()
}
export type ProductRow = NonNullable<Awaited<ReturnType<typeof getProduct>>>

/** A version of an integration with its id and what it says, where it was published; undefined else. */
export function getPublished(db: DbOrTrx, integrationId: number, number: number) {
  return db
    .selectFrom('integration_version')
    .select(['id', 'number', 'state', specOf('integration_version').as('spec')])
    .where('integration_id', '=', integrationId)
    .where('number', '=', number)
    .where('state', '!=', 'draft')
    .executeTakeFirst()
}

/** Integrations by a part of their name, with what their published version says; at most 50, those without one last. */
export function searchIntegrations(db: DbOrTrx, search: string) {
  return db
    .selectFrom('integration as i')
    .leftJoin('integration_version as v', (join) => join.onRef('v.integration_id', '=', 'i.id').on('v.state', '=', 'active'))
    .select(['i.uuid', 'i.id', 'i.title as name', 'i.type', 'v.number as version_number', specOf('v').as('spec')])
    .where('i.status', '=', 'active')
    .$if(search !== '', (query) => query.where(isFoundBy(search, { texts: ['i.title', 'i.preset'], id: 'i.id', uuid: 'i.uuid' })))
    .orderBy(sql`v.number is null`)
    .orderBy('i.title')
    .limit(50)
    .execute()
}

/** The currency of an advertiser there is. */
export async function currencyOf(db: DbOrTrx, advertiserId: number): Promise<Currency> {
  return (await db.selectFrom('advertiser').select('currency').where('id', '=', advertiserId).executeTakeFirstOrThrow()).currency
}

/** Whether an advertiser has another product of that title; takes the title until the transaction ends. */
export async function titleIsTaken(trx: Trx, advertiserId: number, title: string, ownId: number | null): Promise<boolean> {
  await lockName(trx, `product ${advertiserId} ${title.toLowerCase()}`)
  const found = await trx
    .selectFrom('product')
    .select('id')
    .where('advertiser_id', '=', advertiserId)
    .where(sql<boolean>`lower(title) = lower(${title})`)
    .where('status', '!=', 'archived')
    .$if(ownId !== null, (query) => query.where('id', '!=', ownId ?? 0))
    .executeTakeFirst()
  return found !== undefined
}

export function insertProduct(trx: Trx, values: Insertable<Tables['product']>) {
  return trx.insertInto('product').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function updateProducts(trx: Trx, ids: readonly number[], values: Updateable<Tables['product']>): Promise<void> {
  if (ids.length > 0) await trx.updateTable('product').set(values).where('id', 'in', ids).execute()
}

/** The products in scope of these uuids, locked in the order of their ids. */
export function lockProducts(
  trx: Trx,
  scope: Scope,
  uuids: readonly string[],
): Promise<{ id: number; title: string; status: ProductStatus; advertiser_id: number }[]> {
  return productsInScope(trx, scope)
    .clearSelect()
    .select(['p.id', 'p.title', 'p.status', 'p.advertiser_id'])
    .where(sql<boolean>`p.uuid = any(${[...uuids]}::uuid[])`)
    .orderBy('p.id')
    .forNoKeyUpdate('p')
    .execute()
}

/** Keeps what a test lead came to, the calls without secrets; answers the name of who sent it. */
export async function insertTest(
  trx: Trx,
  test: Omit<Insertable<Tables['product_test']>, 'calls'> & { calls: readonly MadeCall[] },
): Promise<string | null> {
  const { by } = await trx
    .insertInto('product_test')
    .values({ ...test, calls: JSON.stringify(test.calls) })
    .returning((row) => row.selectFrom('account').select('name').whereRef('account.id', '=', 'product_test.account_id').as('by'))
    .executeTakeFirstOrThrow()
  return by
}

/** A page of the tests of a product, the newest first. */
export async function listTests(db: DbOrTrx, productId: number, page: { count: number; page: number }) {
  const found = db.selectFrom('product_test as t').where('t.product_id', '=', productId)
  const { rows } = await found.select(sql<number>`count(*)::int`.as('rows')).executeTakeFirstOrThrow()
  const { limit, offset } = pageOf(page)
  const list = await found
    .innerJoin('integration_version as v', 'v.id', 't.version_id')
    .leftJoin('account as a', 'a.id', 't.account_id')
    .select([
      't.uuid',
      't.at',
      'a.name as by',
      'v.number as version_number',
      't.outcome',
      't.reason',
      't.external_id',
      't.redirect',
      't.calls',
    ])
    .orderBy('t.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { rows, list }
}
export type TestRow = Awaited<ReturnType<typeof listTests>>['list'][number]

/** Drops all but the newest tests of a product. */
export async function dropOldTests(trx: Trx, productId: number, kept: number): Promise<void> {
  await sql`delete from product_test where product_id = ${productId} and id <= (
    select id from product_test where product_id = ${productId} order by id desc offset ${kept} limit 1)`.execute(trx)
}

function productsInScope(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('product as p')
    .innerJoin('advertiser as d', 'd.id', 'p.advertiser_id')
    .innerJoin('integration as i', 'i.id', 'p.integration_id')
    .innerJoin('integration_version as v', 'v.id', 'p.version_id')
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .select(columnsOf(productFields, 'p'))
    .select([
      'p.uuid',
      'p.id',
      'p.status',
      'p.tested_at',
      'p.version',
      'p.created_at',
      'p.updated_at',
      'i.type',
      'v.number as version_number',
    ])
    .select([
      'd.uuid as advertiser_uuid',
      'd.id as advertiser_number',
      'd.name as advertiser_name',
      'i.uuid as integration_uuid',
      'i.id as integration_number',
      'i.title as integration_title',
      sql<boolean>`coalesce(p.tested_version_id = p.version_id, false)`.as('ready'),
      sql<number | null>`(select number from integration_version n where n.integration_id = i.id and n.state = 'active')`.as('newest'),
    ])
}
