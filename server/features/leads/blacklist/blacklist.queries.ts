import { sql, type Insertable } from 'kysely'
import type { z } from 'zod'
import type { blacklistApi, BlacklistKind } from '#contract/leads/blacklist.ts'
import { recordsOf } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof blacklistApi.list.body>
export type Hashed = { kind: BlacklistKind; hash: Buffer }

/** One page of the blacklist; `hashes` = what the search is as a whole value of each kind. */
export function listEntries(db: DbOrTrx, asked: Filters, hashes: readonly Hashed[]) {
  return listPage(
    entries(db)
      .$if(asked.kind.length > 0, (query) => query.where('e.kind', 'in', asked.kind))
      .$if(asked.search !== '', (query) => query.where(isFound(asked.search, hashes))),
    { id: 'e.id', created_at: 'e.created_at', kind: 'e.kind', shown: 'e.shown', expires_at: 'e.expires_at' },
    asked,
  )
}

export function getEntry(db: DbOrTrx, id: number) {
  return entries(db).where('e.id', '=', String(id)).executeTakeFirstOrThrow()
}

/** An entry of a value, locked. */
export function lockEntry(trx: Trx, { kind, hash }: Hashed) {
  return trx
    .selectFrom('blacklist_entry')
    .select([sql<number>`id::int`.as('id'), 'note', 'expires_at'])
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirst()
}

type NewEntry = Insertable<Tables['blacklist_entry']>

/** Writes an entry; one that is there takes the note and the end, and belongs to no file any more. */
export async function saveEntry(trx: Trx, values: NewEntry): Promise<number> {
  const { id } = await trx
    .insertInto('blacklist_entry')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'hash']).doUpdateSet({ note: values.note, expires_at: values.expires_at, import_id: null }),
    )
    .returning(sql<number>`id::int`.as('id'))
    .executeTakeFirstOrThrow()
  return id
}

/** Adds entries that are not there yet, in one order whoever does; answers how many. */
export async function addEntries(trx: Trx, rows: readonly NewEntry[]): Promise<number> {
  if (rows.length === 0) return 0
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  const { rows: made } = await sql`
    insert into blacklist_entry (${columns}) select ${columns} from ${recordsOf('blacklist_entry', rows)} order by kind, hash
    on conflict (kind, hash) do nothing returning 1`.execute(trx)
  return made.length
}

/** Which of some values are on the list, as `kind hash`. */
export async function knownOf(db: DbOrTrx, values: readonly Hashed[]): Promise<Set<string>> {
  if (values.length === 0) return new Set()
  const { rows } = await sql<Hashed>`
    select e.kind, e.hash from blacklist_entry e join ${recordsOf('blacklist_entry', values)} v on v.kind = e.kind and v.hash = e.hash`.execute(
    db,
  )
  return new Set(rows.map(keyOf))
}

export function keyOf({ kind, hash }: Hashed): string {
  return `${kind} ${hash.toString('hex')}`
}

export async function removeEntries(trx: Trx, uuids: readonly string[]) {
  return trx
    .deleteFrom('blacklist_entry')
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .returning([sql<number>`id::int`.as('id'), 'kind', 'shown', 'note'])
    .execute()
}

export function insertImport(trx: Trx, values: Insertable<Tables['blacklist_import']>) {
  return trx.insertInto('blacklist_import').values(values).returning(['id', 'uuid']).executeTakeFirstOrThrow()
}

export async function noteMade(trx: Trx, id: string, counts: { made: number; there: number }): Promise<void> {
  await trx.updateTable('blacklist_import').set(counts).where('id', '=', id).execute()
}

export function listImports(db: DbOrTrx) {
  return db
    .selectFrom('blacklist_import as i')
    .innerJoin('account as a', 'a.id', 'i.created_by')
    .select(['i.uuid', 'i.file_name', 'i.made', 'i.there', 'i.refused', 'i.created_at', 'i.removed', 'i.removed_at', 'a.name as by'])
    .orderBy('i.id', 'desc')
    .limit(100)
    .execute()
}

export function lockImport(trx: Trx, uuid: string) {
  return trx
    .selectFrom('blacklist_import')
    .select(['id', 'made', 'created_at', 'removed_at'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
}

/** Takes back what a file brought; answers how many entries that were. */
export async function removeImported(trx: Trx, importId: string, at: Date): Promise<number> {
  const gone = await trx.deleteFrom('blacklist_entry').where('import_id', '=', importId).executeTakeFirst()
  const removed = Number(gone.numDeletedRows)
  await trx.updateTable('blacklist_import').set({ removed, removed_at: at }).where('id', '=', importId).execute()
  return removed
}

function entries(db: DbOrTrx) {
  return db
    .selectFrom('blacklist_entry as e')
    .leftJoin('account as a', 'a.id', 'e.created_by')
    .leftJoin('blacklist_import as i', 'i.id', 'e.import_id')
    .select(['e.uuid', sql<number>`e.id::int`.as('id'), 'e.kind', 'e.shown', 'e.note', 'e.expires_at', 'e.created_at'])
    .select(['a.name as by', 'i.file_name as file'])
}

function isFound(text: string, hashes: readonly Hashed[]) {
  const ways = hashes.map(({ kind, hash }) => sql`(e.kind = ${kind} and e.hash = ${hash})`)
  // what is masked tells nothing by its parts
  const parts = sql`((e.kind in ('domain', 'ip') and e.shown ilike ${containing(text)}) or e.note ilike ${containing(text)})`
  return sql<boolean>`(${sql.join([parts, ...ways], sql` or `)})`
}
