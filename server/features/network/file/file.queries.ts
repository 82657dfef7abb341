import { sql, type Insertable } from 'kysely'
import type { FileKind } from '#contract/network/file.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { countRows } from '#server/platform/pg/paging.ts'
import { lockName } from '#server/platform/pg/lock.ts'

/** A file by uuid, whoever it belongs to. */
export function findFile(db: DbOrTrx, uuid: string) {
  return db
    .selectFrom('file')
    .select(['uuid', 'kind', 'content_type', 'name', 'width', 'owner_id', 'created_by'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}
export type FoundFile = NonNullable<Awaited<ReturnType<typeof findFile>>>

/** What is kept of a file's bytes. */
export function findFileRow(db: DbOrTrx, uuid: string) {
  return db
    .selectFrom('file')
    .select(['content_type', 'size', 'sha256', 'width', 'height', 'name'])
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** Remembers a file whose bytes are kept. */
export async function insertFile(db: DbOrTrx, row: Insertable<Tables['file']>): Promise<void> {
  await db.insertInto('file').values(row).execute()
}

/** Lets one upload of an account be counted at a time, until the transaction ends. */
export async function lockUploads(trx: Trx, accountId: number): Promise<void> {
  await lockName(trx, `file ${accountId}`)
}

/** How many files of an account nothing shows. */
export function countUnowned(db: DbOrTrx, accountId: number): Promise<number> {
  return countRows(db.selectFrom('file').where('created_by', '=', accountId).where('unowned_since', 'is not', null))
}

/** How many bytes an account has uploaded for a kind since a moment, kept or not. */
export async function countBytes(db: DbOrTrx, accountId: number, kind: FileKind, since: Date): Promise<number> {
  const { bytes } = await db
    .selectFrom('file')
    .select(sql<string>`coalesce(sum(size), 0)`.as('bytes'))
    .where('created_by', '=', accountId)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** Gives files that nothing shows yet, and that the account uploaded, to a row in this order; answers how many are the row's now. */
export async function giveAll(db: DbOrTrx, accountId: number, kind: FileKind, uuids: string[], ownerId: number): Promise<number> {
  const given = await db
    .updateTable('file')
    .set({ owner_id: ownerId, unowned_since: null, place: sql<number>`array_position(${uuids}::uuid[], uuid)` })
    .where('uuid', 'in', uuids)
    .where('kind', '=', kind)
    .where('created_by', '=', accountId)
    .where('owner_id', 'is', null)
    .returning('uuid')
    .execute()
  return given.length
}

/** Gives a file that nothing shows yet, and that the account uploaded, to a row; answers whether it is the row's now. */
export async function giveFile(db: DbOrTrx, accountId: number, kind: FileKind, uuid: string, ownerId: number): Promise<boolean> {
  const given = await db
    .updateTable('file')
    .set({ owner_id: ownerId, unowned_since: null })
    .where('uuid', '=', uuid)
    .where('kind', '=', kind)
    .where((where) =>
      where.or([where('owner_id', '=', ownerId), where.and([where('created_by', '=', accountId), where('owner_id', 'is', null)])]),
    )
    .returning('uuid')
    .executeTakeFirst()
  return given !== undefined
}

/** Takes the files of a row away from it but those kept. */
export async function releaseOthers(db: DbOrTrx, now: number, kind: FileKind, ownerId: number, kept: readonly string[]): Promise<void> {
  await db
    .updateTable('file')
    .set({ owner_id: null, unowned_since: new Date(now) })
    .where('kind', '=', kind)
    .where('owner_id', '=', ownerId)
    .$if(kept.length > 0, (query) => query.where('uuid', 'not in', kept))
    .execute()
}

/** Forgets the files that nothing has shown since a moment. */
export async function deleteUnowned(db: DbOrTrx, before: Date): Promise<void> {
  await db.deleteFrom('file').where('unowned_since', '<', before).execute()
}

/** Which of these names are files. */
export async function knownFiles(db: DbOrTrx, uuids: string[]): Promise<Set<string>> {
  if (uuids.length === 0) return new Set()
  const rows = await db.selectFrom('file').select('uuid').where('uuid', 'in', uuids).execute()
  return new Set(rows.map((row) => row.uuid))
}
