import { sql, type Insertable, type Updateable } from 'kysely'
import type { ConversionRowState } from '#contract/traffic/conversion-import.ts'
import type { Actor } from '#server/access/actor.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { insertRows, recordsOf } from '#server/platform/pg/bulk.ts'
import { writeOnce } from '#server/platform/pg/compile-once.ts'
import type { Db, DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'
import type { ConversionBefore } from '#server/rules/conversion/conversion-before.ts'

type Who = Pick<Actor, 'accountId' | 'scope'>

/** Keeps what was read of a file; answers its uuid. */
export async function insertImport(
  trx: DbOrTrx,
  values: Insertable<Tables['conversion_import']>,
  rows: readonly { line: number; cells: string[] }[],
): Promise<string> {
  const { id, uuid } = await trx.insertInto('conversion_import').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
  for (let from = 0; from < rows.length; from += 10_000)
    await insertRows(
      trx,
      'conversion_import_row',
      rows.slice(from, from + 10_000).map(({ line, cells }) => ({ import_id: id, line, cells, state: 'waiting', reason: '' })),
    )
  return uuid
}

/** Drafts of somebody are given up when the next file is read. */
export async function deleteDrafts(trx: DbOrTrx, accountId: number): Promise<void> {
  await trx.deleteFrom('conversion_import').where('created_by', '=', accountId).where('state', '=', 'draft').execute()
}

/** How many imports of somebody are under way. */
export function countWorking(db: DbOrTrx, accountId: number): Promise<number> {
  return countRows(db.selectFrom('conversion_import').where('created_by', '=', accountId).where('state', 'in', ['running', 'undoing']))
}

/** Imports somebody may see: the own ones, or all for those who see everything. */
function importsOf(db: DbOrTrx, actor: Who) {
  return db
    .selectFrom('conversion_import as i')
    .innerJoin('account as a', 'a.id', 'i.created_by')
    .$if(actor.scope.kind !== 'all', (query) => query.where('i.created_by', '=', actor.accountId))
}

/** One of them by uuid or number; `lock` keeps it from changing meanwhile. */
export function getImport(db: DbOrTrx, actor: Who, key: string, lock = false) {
  return importsOf(db, actor)
    .selectAll('i')
    .select('a.name as by')
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .$if(lock, (query) => query.forUpdate('i'))
    .executeTakeFirst()
}
export type ImportRow = NonNullable<Awaited<ReturnType<typeof getImport>>>

/** One page of them, newest first, and how many there are. */
export async function listImports(db: Db, actor: Who, filters: { count: number; page: number }) {
  const found = importsOf(db, actor).where('i.state', '!=', 'draft')
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['i.uuid', 'i.state', 'i.file_name', 'i.row_count as rows', 'i.created_at', 'a.name as by'])
      .orderBy('i.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

export async function updateImport(trx: DbOrTrx, id: number, values: Updateable<Tables['conversion_import']>): Promise<void> {
  await trx.updateTable('conversion_import').set(values).where('id', '=', id).execute()
}

/** How many rows stand in each state. */
export async function countStates(db: DbOrTrx, id: number): Promise<Partial<Record<ConversionRowState, number>>> {
  const rows = await db
    .selectFrom('conversion_import_row')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('import_id', '=', id)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** The first rows of a file, to tell its columns by. */
export async function sampleRows(db: DbOrTrx, id: number): Promise<string[][]> {
  const rows = await db.selectFrom('conversion_import_row').select('cells').where('import_id', '=', id).orderBy('line').limit(3).execute()
  return rows.map(({ cells }) => cells)
}

/** Rows of a file after a line, as they were read. */
export function rowsAfter(db: DbOrTrx, id: number, line: number, most: number) {
  return db
    .selectFrom('conversion_import_row')
    .select(['line', 'cells'])
    .where('import_id', '=', id)
    .where('line', '>', line)
    .orderBy('line')
    .limit(most)
    .execute()
}

/** What the rows of a file hold in one column, at most so many. */
export async function valuesOfColumn(db: DbOrTrx, id: number, place: number, most: number): Promise<string[]> {
  const rows = await db
    .selectFrom('conversion_import_row')
    .select(sql<string>`cells[${place + 1}::int]`.as('value'))
    .where('import_id', '=', id)
    .where(sql<boolean>`btrim(cells[${place + 1}::int]) <> ''`)
    .orderBy('line')
    .limit(most)
    .execute()
  return rows.map(({ value }) => value)
}

/** The places of columns in which some row of a file holds something. */
export async function filledColumns(db: DbOrTrx, id: number): Promise<number[]> {
  const { rows } = await sql<{ place: number }>`
    select distinct (u.at - 1)::int as place from conversion_import_row r, unnest(r.cells) with ordinality as u (cell, at)
     where r.import_id = ${id} and btrim(u.cell) <> '' order by 1`.execute(db)
  return rows.map(({ place }) => place)
}

/** Until when affiliates and advertisers have been invoiced, where they have: what is of before comes on the next invoice. */
export async function invoicedUntil(db: DbOrTrx, whose: { affiliates: readonly number[]; advertisers: readonly number[] }) {
  const { rows } = await sql<{ of: 'affiliate' | 'advertiser'; id: number; until: Date }>`
    select 'affiliate' as of, affiliate_id as id, max((period_to + 1)::timestamp at time zone time_zone) as until
      from invoice where affiliate_id = any(${[...whose.affiliates]}::int[]) and status in ('waiting', 'approved', 'partly_paid', 'paid')
     group by 2
    union all
    select 'advertiser', advertiser_id, max((period_to + 1)::timestamp at time zone time_zone)
      from advertiser_invoice where advertiser_id = any(${[...whose.advertisers]}::int[]) and status in ('issued', 'partly_paid', 'paid')
     group by 2`.execute(db)
  return new Map(rows.map(({ of, id, until }) => [`${of} ${id}`, until.getTime()]))
}

/** One page of its rows, by what became of them. */
export async function listImportRows(db: Db, id: number, filters: { state: ConversionRowState[]; count: number; page: number }) {
  const found = db
    .selectFrom('conversion_import_row as r')
    .where('r.import_id', '=', id)
    .$if(filters.state.length > 0, (query) => query.where('r.state', 'in', filters.state))
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .leftJoin('conversion as c', 'c.id', 'r.conversion_id')
      .select(['r.line', 'r.cells', 'r.state', 'r.reason', 'c.uuid', 'c.id'])
      .orderBy('r.line')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** The import that has waited longest for the worker. */
export function nextImport(db: DbOrTrx) {
  return db
    .selectFrom('conversion_import')
    .selectAll()
    .where('state', 'in', ['running', 'undoing'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** The next rows in some states, kept from everybody else; taken back they are from the last one on. */
export function lockRows(trx: Trx, id: number, states: readonly ConversionRowState[], most: number, direction: 'asc' | 'desc' = 'asc') {
  return trx
    .selectFrom('conversion_import_row')
    .select(['line', 'cells', 'state', 'conversion_id', 'seq', 'last_seq', 'before'])
    .where('import_id', '=', id)
    .where('state', 'in', [...states])
    .orderBy('line', direction)
    .limit(most)
    .forUpdate()
    .execute()
}
export type LockedRow = Awaited<ReturnType<typeof lockRows>>[number]

export type SettledRow = {
  line: number
  state: ConversionRowState
  reason: string
  conversion_id: string | null
  seq: number | null
  before: ConversionBefore | null
}

/** Writes what became of rows. */
export async function settleRows(trx: Trx, id: number, rows: readonly SettledRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update conversion_import_row as r
       set state = n.state, reason = n.reason, conversion_id = n.conversion_id, seq = n.seq, before = n.before
      from ${recordsOf('conversion_import_row', rows)} as n where r.import_id = ${id} and r.line = n.line`.execute(trx)
}

/** Lets the rows before some that were taken back, about the same conversions, name the entry by which their change is the last one again. */
export async function relinkRows(
  trx: Trx,
  id: number,
  links: readonly { conversion_id: string; seq: number; to: number }[],
): Promise<void> {
  if (links.length === 0) return
  await sql`
    update conversion_import_row as r set last_seq = n."to"
      from unnest(${links.map((one) => one.conversion_id)}::bigint[], ${links.map((one) => one.seq)}::int[], ${links.map((one) => one.to)}::int[]) as n (conversion_id, seq, "to")
     where r.import_id = ${id} and r.conversion_id = n.conversion_id and r.state in ('created', 'changed', 'amount')
       and r.seq = (select max(h.seq) from conversion_history h where h.conversion_id = n.conversion_id and h.seq < n.seq)`.execute(trx)
}

/** Conversions whose advertiser is in scope, or is a certain one, by their numbers or uuids. */
export async function conversionsNamed(db: DbOrTrx, scope: Scope, advertiserId: number | null, keys: readonly string[]) {
  return named(db, scope, advertiserId)
    .where((of) => of.or([of('c.id', 'in', numbersIn(keys)), of('c.uuid', 'in', uuidsIn(keys))]))
    .execute()
}

/** Those with one of these transactions. */
export async function conversionsOfTransactions(db: DbOrTrx, scope: Scope, advertiserId: number | null, transactions: readonly string[]) {
  const numbers = await numbersOf(db, { transactions: [...transactions] })
  return named(db, scope, advertiserId)
    .where(sql<boolean>`c.id = any(${numbers.map(({ id }) => id)}::bigint[])`)
    .orderBy('c.id')
    .execute()
}
export type NamedConversion = Awaited<ReturnType<typeof conversionsOfTransactions>>[number]

// one after the other by their index, whatever is known of the table: asked for at once it may be read whole
const numbersOf = writeOnce(
  ({ transactions }: { transactions: string[] }) => sql<{ id: string }>`
    select c.id from unnest(${transactions}::text[]) as asked
      cross join lateral (select id from conversion where transaction_id = asked offset 0) c`,
)

function named(db: DbOrTrx, scope: Scope, advertiserId: number | null) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .select(['c.id', 'c.uuid', 'c.click_id', 'g.code as goal', 'c.transaction_id', 'c.offer_id', 'c.advertiser_id', 'o.title as offer'])
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .$if(advertiserId !== null, (query) => query.where('c.advertiser_id', '=', advertiserId))
}

function numbersIn(keys: readonly string[]): string[] {
  const found = keys.filter((key) => /^\d{1,15}$/.test(key))
  return found.length === 0 ? ['0'] : found
}

function uuidsIn(keys: readonly string[]): string[] {
  const found = keys.filter((key) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key))
  return found.length === 0 ? ['00000000-0000-0000-0000-000000000000'] : found
}

/** Numbers of the advertisers in scope among these. */
export async function advertisersOf(db: DbOrTrx, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('advertiser as v')
    .select('v.id')
    .where(sql<boolean>`v.id = any(${[...ids]}::int[])`)
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What some advertisers are called. */
export function advertisersNamed(db: DbOrTrx, ids: readonly number[]) {
  return db
    .selectFrom('advertiser')
    .select(['id', 'uuid', 'name'])
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .execute()
}

/** Locks conversions by number, in their order. */
export function lockConversionsById(trx: Trx, ids: readonly string[]) {
  return trx
    .selectFrom('conversion')
    .selectAll()
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Forgets drafts of before a moment, and finished imports of before another; answers how many. */
export async function deleteImports(db: Db, before: { drafts: Date; finished: Date }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from conversion_import where (state = 'draft' and created_at < ${before.drafts})
      or (state in ('done', 'undone') and created_at < ${before.finished})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
