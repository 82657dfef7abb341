import type { z } from 'zod'
import {
  BLACKLIST_KINDS,
  BLACKLIST_UNDO_MS,
  type BlacklistEntry,
  type blacklistApi,
  type BlacklistKind,
} from '#contract/leads/blacklist.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { openLeadVault, type LeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readListed } from '#server/rules/lead/integrity/blacklist.ts'
import {
  addEntries,
  getEntry,
  insertImport,
  keyOf,
  knownOf,
  listEntries,
  listImports,
  lockEntry,
  lockImport,
  noteMade,
  removeEntries,
  removeImported,
  saveEntry,
} from './blacklist.queries.ts'
import { readBlacklist, type ReadEntry } from './read-blacklist.ts'

type Parts = { db: Db; secretKey: string | null }
type File = z.output<typeof blacklistApi.import.query>

const SHOWN = 8
const SHOWN_REFUSED = 100

/** One page of the blacklist. A contact or a name is found by the whole of it. */
export async function showBlacklist(
  { db, secretKey }: Parts,
  asked: z.output<typeof blacklistApi.list.body>,
): Promise<CallOutput<typeof blacklistApi.list>> {
  const vault = openLeadVault(secretKey)
  const hashes = BLACKLIST_KINDS.flatMap((kind) => {
    const found = readListed(kind, asked.search)
    return 'mistake' in found ? [] : [{ kind, hash: hashOf(vault, kind, found.canonical) }]
  })
  const { rows, list } = await listEntries(db, asked, hashes)
  return { list: list.map(present), summary: { rows } }
}

/** Adds one value; one that is there takes the note and the end. Throws `invalid_input` at `value` or `expires_at`. */
export async function addToBlacklist(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { kind, value, note, expires_at }: z.output<typeof blacklistApi.add.body>,
): Promise<BlacklistEntry> {
  const found = readListed(kind, value)
  if ('mistake' in found) throw new AppError('invalid_input', { fields: { value: found.mistake } })
  const ends = expires_at === null ? null : new Date(expires_at)
  if (ends !== null && ends.getTime() <= now) throw new AppError('invalid_input', { fields: { expires_at: 'It has ended already' } })
  const { canonical, shown, network } = found
  const hash = hashOf(openLeadVault(secretKey), kind, canonical)
  const id = await db.transaction().execute(async (trx) => {
    const before = await lockEntry(trx, { kind, hash })
    const made = { kind, hash, shown, network, note, expires_at: ends, created_by: actor.accountId, created_at: new Date(now) }
    const saved = await saveEntry(trx, made)
    const after = { kind, value: shown, note, expires_at }
    const entry = { entity: 'blacklist_entry' as const, entityId: saved }
    if (before === undefined) await recordAudit(trx, actor, now, { ...entry, action: 'create', after })
    else {
      const earlier = { kind, value: shown, note: before.note, expires_at: before.expires_at?.toISOString() ?? null }
      await recordAudit(trx, actor, now, { ...entry, action: 'update', before: earlier, after })
    }
    return saved
  })
  return present(await getEntry(db, id))
}

/** Removes entries; answers how many there were. */
export async function removeFromBlacklist(db: Db, now: number, actor: Actor, uuids: readonly string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const gone = await removeEntries(trx, uuids)
    await recordAudit(
      trx,
      actor,
      now,
      gone.map(({ id, shown, ...rest }) => ({
        action: 'remove',
        entity: 'blacklist_entry' as const,
        entityId: id,
        before: { ...rest, value: shown },
      })),
    )
    return gone.length
  })
}

/** What a file would add; nothing of it is kept. Throws `invalid_input` at `file`. */
export async function previewBlacklist(
  { db, secretKey }: Parts,
  now: number,
  { kind }: File,
  bytes: Uint8Array,
): Promise<CallOutput<typeof blacklistApi.preview>> {
  const { columns, unread, good, refused } = await readBlacklist(bytes, kind, now)
  const hashed = hashedOf(openLeadVault(secretKey), good)
  const known = await knownOf(
    db,
    hashed.map(({ hash, kind: of }) => ({ kind: of, hash })),
  )
  return {
    columns,
    unread,
    good: good.length,
    there: good.length - hashed.filter((one) => !known.has(keyOf(one))).length,
    bad: refused.length,
    list: good
      .slice(0, SHOWN)
      .map(({ line, kind: of, shown, note, expires }) => ({ line, kind: of, shown, note, expires_at: expires?.toISOString() ?? null })),
    refused: refused.slice(0, SHOWN_REFUSED),
  }
}

/** Adds what a file holds in one transaction; the same file twice adds nothing the second time. Throws `invalid_input` at `file`. */
export async function importBlacklist(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { name, kind }: File,
  bytes: Uint8Array,
): Promise<CallOutput<typeof blacklistApi.import>> {
  const { good, refused } = await readBlacklist(bytes, kind, now)
  const hashed = hashedOf(openLeadVault(secretKey), good)
  return db.transaction().execute(async (trx) => {
    const by = { created_by: actor.accountId, created_at: new Date(now) }
    const file = await insertImport(trx, { file_name: name, made: 0, there: 0, refused: refused.length, ...by })
    const rows = hashed.map(({ kind: of, hash, shown, network, note, expires }) => ({
      kind: of,
      hash,
      shown,
      network,
      note,
      expires_at: expires,
      import_id: file.id,
      ...by,
    }))
    const made = await addEntries(trx, rows)
    const there = good.length - made
    await noteMade(trx, file.id, { made, there })
    const after = { file_name: name, made, refused: refused.length }
    await recordAudit(trx, actor, now, { action: 'import', entity: 'blacklist_import', entityId: file.id, after })
    return { uuid: file.uuid, made, there, bad: refused.length, refused }
  })
}

/** The files that came last. */
export async function showImports(db: Db, now: number): Promise<CallOutput<typeof blacklistApi.imports>> {
  const rows = await listImports(db)
  return {
    list: rows.map(({ created_at, removed_at, ...row }) => {
      const until = created_at.getTime() + BLACKLIST_UNDO_MS
      const open = removed_at === null && row.made > 0 && until > now
      return { ...row, created_at: created_at.toISOString(), undo_until: open ? new Date(until).toISOString() : null }
    }),
  }
}

/** Takes back what a file of the last day brought and nobody wrote by hand since. Throws `not_found`, `status_not_allowed`. */
export async function undoBlacklist(db: Db, now: number, actor: Actor, uuid: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const file = await lockImport(trx, uuid)
    if (file === undefined) throw new AppError('not_found')
    if (file.removed_at !== null) return 0
    if (file.created_at.getTime() + BLACKLIST_UNDO_MS <= now) throw new AppError('status_not_allowed')
    const removed = await removeImported(trx, file.id, new Date(now))
    const change = { before: { made: file.made, removed: 0 }, after: { made: file.made - removed, removed } }
    await recordAudit(trx, actor, now, { action: 'undo', entity: 'blacklist_import', entityId: file.id, ...change })
    return removed
  })
}

function hashOf(vault: LeadVault, kind: BlacklistKind, canonical: string): Buffer {
  return vault.hash(`blacklist ${kind}`, canonical)
}

/** Each value once. */
function hashedOf(vault: LeadVault, good: readonly ReadEntry[]): (ReadEntry & { hash: Buffer })[] {
  const each = new Map(good.toReversed().map((one) => [`${one.kind} ${one.canonical}`, one]))
  return [...each.values()].map((one) => ({ ...one, hash: hashOf(vault, one.kind, one.canonical) }))
}

function present({ created_at, expires_at, ...row }: Awaited<ReturnType<typeof getEntry>>): BlacklistEntry {
  return { ...row, created_at: created_at.toISOString(), expires_at: expires_at?.toISOString() ?? null }
}
