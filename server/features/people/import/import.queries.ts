import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { ImportedKind } from '#contract/people/import.ts'
import type { Actor } from '#server/access/actor.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx, Tables } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

type RowState = Selectable<Tables['import_row']>['state']

/** Keeps what was read of a file; answers its number. */
export async function insertImport(
  trx: DbOrTrx,
  values: Insertable<Tables['import']>,
  rows: readonly { line: number; cells: string[] }[],
): Promise<string> {
  const { id, uuid } = await trx.insertInto('import').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
  await insertRows(
    trx,
    'import_row',
    rows.map(({ line, cells }) => ({ import_id: id, line, cells, state: 'waiting', problems: {} })),
  )
  return uuid
}

/** Drafts of somebody are given up when the next file of the kind is read. */
export async function deleteDrafts(trx: DbOrTrx, accountId: number, kind: ImportedKind): Promise<void> {
  await trx.deleteFrom('import').where('created_by', '=', accountId).where('kind', '=', kind).where('state', '=', 'draft').execute()
}

/** How many imports of somebody are under way. */
export function countWorking(db: DbOrTrx, accountId: number): Promise<number> {
  return countRows(db.selectFrom('import').where('created_by', '=', accountId).where('state', 'in', ['running', 'undoing']))
}

/** Imports somebody may see: the own ones, or all for those who see everything. */
function importsOf(db: DbOrTrx, actor: Pick<Actor, 'accountId' | 'scope'>) {
  return db.selectFrom('import as i').$if(actor.scope.kind !== 'all', (query) => query.where('i.created_by', '=', actor.accountId))
}

/** One of them by uuid or number; `lock` keeps it from changing meanwhile. */
export function getImport(db: DbOrTrx, actor: Pick<Actor, 'accountId' | 'scope'>, key: string, lock = false) {
  return importsOf(db, actor)
    .selectAll('i')
    .where(keyIs(key, { uuid: 'i.uuid', id: 'i.id' }))
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}
export type ImportRow = NonNullable<Awaited<ReturnType<typeof getImport>>>

/** One page of them, newest first, and how many there are. */
export async function listImports(
  db: Db,
  actor: Pick<Actor, 'accountId' | 'scope'>,
  filters: { kind: ImportedKind; count: number; page: number },
) {
  const found = importsOf(db, actor).where('i.kind', '=', filters.kind).where('i.state', '!=', 'draft')
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .innerJoin('account as a', 'a.id', 'i.created_by')
      .select(['i.uuid', 'i.state', 'i.file_name', 'i.row_count as rows', 'i.created_at', 'a.name as by'])
      .orderBy('i.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

export async function updateImport(trx: DbOrTrx, id: number, values: Updateable<Tables['import']>): Promise<void> {
  await trx.updateTable('import').set(values).where('id', '=', id).execute()
}

/** How many rows stand in each state. */
export async function countStates(db: DbOrTrx, id: number): Promise<Partial<Record<RowState, number>>> {
  const rows = await db
    .selectFrom('import_row')
    .select(['state', sql<number>`count(*)::int`.as('count')])
    .where('import_id', '=', id)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** The first rows of a file, to tell its columns by. */
export async function sampleRows(db: DbOrTrx, id: number): Promise<string[][]> {
  const rows = await db.selectFrom('import_row').select('cells').where('import_id', '=', id).orderBy('line').limit(3).execute()
  return rows.map(({ cells }) => cells)
}

/** All rows of a file, as they were read: at most ten thousand. */
export function allRows(db: DbOrTrx, id: number) {
  return db.selectFrom('import_row').select(['line', 'cells']).where('import_id', '=', id).orderBy('line').execute()
}

/** One page of its rows, by what became of them. */
export async function listImportRows(db: Db, id: number, filters: { state: RowState[]; count: number; page: number }) {
  const found = db
    .selectFrom('import_row')
    .where('import_id', '=', id)
    .$if(filters.state.length > 0, (query) => query.where('state', 'in', filters.state))
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found.select(['line', 'cells', 'state', 'problems']).orderBy('line').limit(limit).offset(offset).execute(),
  ])
  return { rows, list }
}

/** The import that has waited longest for the worker. */
export function nextImport(db: DbOrTrx, states: readonly ('running' | 'undoing')[]) {
  return db.selectFrom('import').selectAll().where('state', 'in', states).orderBy('id').limit(1).executeTakeFirst()
}

/** What has become of an import, kept from everybody else. */
export function lockImport(trx: DbOrTrx, id: number) {
  return trx.selectFrom('import').select('state').where('id', '=', id).forUpdate().executeTakeFirst()
}

/** The next row in a state, kept from everybody else. */
export function lockRow(trx: DbOrTrx, id: number, state: RowState) {
  return trx
    .selectFrom('import_row')
    .select(['line', 'cells', 'made_id'])
    .where('import_id', '=', id)
    .where('state', '=', state)
    .orderBy('line')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

/** Rows still to be looked at in a state, at most so many. */
export function rowsIn(db: DbOrTrx, id: number, state: RowState, most: number) {
  return db
    .selectFrom('import_row')
    .select(['line', 'made_id'])
    .where('import_id', '=', id)
    .where('state', '=', state)
    .orderBy('line')
    .limit(most)
    .execute()
}

export async function settleRow(
  trx: DbOrTrx,
  id: number,
  line: number,
  { problems = {}, ...values }: { state: RowState; problems?: Record<string, string>; made_id?: number },
): Promise<void> {
  await trx
    .updateTable('import_row')
    .set({ ...values, problems: JSON.stringify(problems) })
    .where('import_id', '=', id)
    .where('line', '=', line)
    .execute()
}

/** Managers in scope who may be given something. */
export function managersToName(db: DbOrTrx, scope: Scope) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id', 'a.uuid', 'a.name', 'a.email'])
    .where(inScope(scope, { affiliateManager: 'm.id' }))
    .where('m.status', '=', 'active')
    .execute()
}

/** Currencies one may choose. */
export async function activeCurrencies(db: DbOrTrx): Promise<Set<string>> {
  const rows = await db.selectFrom('currency').select('code').where('active', '=', true).execute()
  return new Set(rows.map(({ code }) => code))
}

/** Which of these e-mails somebody signs in with. */
export async function takenEmails(db: DbOrTrx, emails: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('account')
    .select('email')
    .where(sql<boolean>`email = any(${[...emails]}::text[])`)
    .execute()
  return new Set(rows.map(({ email }) => email))
}

/** Which of these names and e-mails, in lower case, advertisers in scope have. */
export async function takenAdvertisers(db: DbOrTrx, scope: Scope, words: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('advertiser as d')
    .select([sql<string>`lower(d.name)`.as('name'), sql<string>`lower(d.email)`.as('email')])
    .where(inScope(scope, { advertiserManager: 'd.manager_id' }))
    .where('d.status', '!=', 'deleted')
    .where(sql<boolean>`(lower(d.name) = any(${[...words]}::text[]) or lower(d.email) = any(${[...words]}::text[]))`)
    .execute()
  return new Set(rows.flatMap(({ name, email }) => [name, email]).filter((word) => word !== ''))
}

/** Forgets drafts of before a moment, and finished imports of before another; answers how many. */
export async function deleteImports(db: Db, before: { drafts: Date; finished: Date }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from import where (state = 'draft' and created_at < ${before.drafts})
      or (state in ('done', 'undone') and created_at < ${before.finished})`.execute(db)
  return Number(numAffectedRows ?? 0)
}
