import { createHash, randomUUID } from 'node:crypto'
import { can } from '#contract/access.ts'
import { FILE_KINDS, type FileKind } from '#contract/network/file.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import { readDocument, safeName } from '#server/platform/files/document.ts'
import { readPicture, type Picture } from '#server/platform/files/picture.ts'
import type { FileStore } from '#server/platform/files/store.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { openRecentTries, type RecentTries } from '#server/platform/recent-tries.ts'
import { countBytes, countUnowned, findFileRow, giveAll, giveFile, insertFile, lockUploads, releaseOthers } from './file.queries.ts'

/** Enough for the longest form; more would let one account fill the disk. */
const MOST_UNOWNED = 50

/** Reading what is no picture costs as much as reading one. */
const MOST_REFUSED = 60
const AN_HOUR = 3_600_000
const A_DAY = 24 * AN_HOUR
/** What one account may send to others in a day. */
const MOST_BYTES = 250 * 1024 * 1024

/** What people send each other. */
const SENT: ReadonlySet<FileKind> = new Set(['ticket', 'own_invoice'])

/** Counts refused uploads, and those that go on, by account. */
export const openRefusedLimit = () => openRecentTries(MOST_REFUSED, AN_HOUR)

/** What is known of a kept file. */
export type KeptFile = { uuid: string; width: number | null; height: number | null; name: string; size: number; picture: boolean }
type Content = { bytes: Buffer; contentType: string; name: string; width: number | null; height: number | null }

/** Keeps a file until something shows it: of landings a picture. Throws `forbidden`, `unsupported_media`, `limit_reached`, `too_many_attempts`. */
export async function keepFile(
  { db, store, limit }: { db: Db; store: FileStore; limit: RecentTries },
  now: number,
  actor: Actor,
  { kind, name }: { kind: FileKind; name: string },
  bytes: Uint8Array,
): Promise<KeptFile> {
  if (!can(actor.role, FILE_KINDS[kind])) throw new AppError('forbidden')
  // no work for nothing; what counts is counted again below
  if ((await countUnowned(db, actor.accountId)) >= MOST_UNOWNED) throw new AppError('limit_reached')
  const succeeded = limit(actor.accountId, now)
  const picture = await readPicture(bytes)
  const document = picture === null && (kind === 'ticket' || kind === 'own_invoice') ? await readDocument(bytes, name) : null
  const other = kind === 'own_invoice' && document?.ending !== 'pdf' ? null : document
  if (picture !== null) {
    succeeded()
    return keepRead({ db, store }, now, actor, kind, picture, safeName(name, 'picture', 'webp'))
  }
  if (other === null) throw new AppError('unsupported_media')
  succeeded()
  const kept = {
    bytes: Buffer.from(bytes),
    contentType: other.contentType,
    name: safeName(name, 'file', other.ending),
    width: null,
    height: null,
  }
  return keep({ db, store }, now, actor, kind, kept)
}

/** Keeps a picture as `readPicture` answered it; `keepFile` asks before whether the actor may. Throws `limit_reached`. */
export function keepRead(
  parts: { db: Db; store: FileStore },
  now: number,
  actor: Actor,
  kind: FileKind,
  { webp, width, height }: Picture,
  name = '',
): Promise<KeptFile> {
  return keep(parts, now, actor, kind, { bytes: webp, contentType: 'image/webp', name, width, height })
}

async function keep(
  { db, store }: { db: Db; store: FileStore },
  now: number,
  actor: Actor,
  kind: FileKind,
  { bytes, contentType, ...told }: Content,
): Promise<KeptFile> {
  const uuid = randomUUID()
  await db.transaction().execute(async (trx) => {
    await lockUploads(trx, actor.accountId)
    if ((await countUnowned(trx, actor.accountId)) >= MOST_UNOWNED) throw new AppError('limit_reached')
    if (SENT.has(kind) && (await countBytes(trx, actor.accountId, kind, new Date(now - A_DAY))) + bytes.length > MOST_BYTES)
      throw new AppError('limit_reached')
    // the bytes first: a row without them would be a broken file, bytes without a row are swept away
    await store.save(uuid, bytes)
    await insertFile(trx, {
      uuid,
      kind,
      content_type: contentType,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      ...told,
      owner_id: null,
      unowned_since: new Date(now),
      created_by: actor.accountId,
      created_at: new Date(now),
    })
  })
  return { uuid, ...told, size: bytes.length, picture: told.width !== null }
}

/**
 * Gives files to the row that shows them, in the transaction that makes it. Throws `unknown_reference` at `field` unless the actor
 * uploaded all of them and nothing shows any.
 */
export async function giveFiles(
  trx: Trx,
  actor: Actor,
  { kind, ownerId, uuids, field }: { kind: FileKind; ownerId: number; uuids: string[]; field: string },
): Promise<void> {
  const each = [...new Set(uuids)]
  if (each.length > 0 && (await giveAll(trx, actor.accountId, kind, each, ownerId)) < each.length)
    throw new AppError('unknown_reference', { fields: { [field]: 'Upload the files again' } })
}

/**
 * Makes a picture the only one of a row; null takes the row's picture away. In the transaction that saves the row, which
 * names it in `field`. Throws `unknown_reference` unless the actor uploaded it or the row has it already.
 */
export async function showPicture(
  trx: Trx,
  now: number,
  actor: Actor,
  picture: { kind: FileKind; ownerId: number; uuid: string | null; field: string },
): Promise<void> {
  const { uuid, field, ...row } = picture
  await showPictures(trx, now, actor, row, uuid === null ? [] : [{ uuid, field }])
}

/** The same for a row with several pictures, each named in a field of its own; those it had before and that are not among them are taken away. */
export async function showPictures(
  trx: Trx,
  now: number,
  actor: Actor,
  { kind, ownerId }: { kind: FileKind; ownerId: number },
  pictures: readonly { uuid: string; field: string }[],
): Promise<void> {
  for (const { uuid, field } of pictures)
    if (!(await giveFile(trx, actor.accountId, kind, uuid, ownerId)))
      throw new AppError('unknown_reference', { fields: { [field]: 'Upload the picture again' } })
  const kept = pictures.map(({ uuid }) => uuid)
  await releaseOthers(trx, now, kind, ownerId, kept)
}

/** Keeps the bytes of a picture once more, for another row; null where there are none. What does not commit leaves bytes that are swept away. */
export async function copyPicture(
  { trx, store }: { trx: Trx; store: FileStore },
  now: number,
  actor: Actor,
  source: string,
  { kind, ownerId }: { kind: FileKind; ownerId: number },
): Promise<string | null> {
  const bytes = await store.read(source)
  const row = await findFileRow(trx, source)
  if (bytes === null || row === undefined) return null
  const uuid = randomUUID()
  await store.save(uuid, bytes)
  await insertFile(trx, {
    ...row,
    uuid,
    kind,
    owner_id: ownerId,
    unowned_since: null,
    created_by: actor.accountId,
    created_at: new Date(now),
  })
  return uuid
}
