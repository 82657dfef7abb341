import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { SUPPRESSION_KINDS, MOST_SUPPRESSION_ROWS, type Suppression, type suppressionApi } from '#contract/leads/suppression.ts'
import type { Actor } from '#server/access/actor.ts'
import { readValues } from '#server/features/leads/blacklist/read-values.ts'
import { openLeadVault, type LeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { readSuppressed } from '#server/rules/lead/suppression.ts'
import {
  addSuppressions,
  findAdvertiserId,
  findLeadOfferId,
  freePeople,
  getSuppression,
  listSuppressions,
  lockSuppression,
  removeOver,
  removeSuppressions,
  saveSuppression,
  suppressedOf,
  suppressionKey,
  suppressPeople,
  type SuppressedHash,
  type SuppressionScope,
} from './suppression.queries.ts'

type Parts = { db: Db; secretKey: string | null }
type File = z.output<typeof suppressionApi.import.query>
type Asked = { advertiser_uuid?: string | null | undefined; offer_uuid?: string | null | undefined }

const SHOWN = 8
const SHOWN_REFUSED = 100

/** One page of the list. A contact is found by the whole of it. */
export async function showSuppressions(
  { db, secretKey }: Parts,
  asked: z.output<typeof suppressionApi.list.body>,
): Promise<CallOutput<typeof suppressionApi.list>> {
  const vault = openLeadVault(secretKey)
  const hashes = SUPPRESSION_KINDS.flatMap((kind) => {
    const found = readSuppressed(kind, asked.search)
    return 'mistake' in found ? [] : [{ kind, hash: vault.hash(kind, found.canonical) }]
  })
  const { rows, list } = await listSuppressions(db, asked, hashes)
  return { list: list.map(present), summary: { rows } }
}

/** Suppresses one contact. Throws `invalid_input` at `value`, `expires_at` or the scope, also where the note tells the contact. */
export async function addSuppression(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { kind, value, note, reason, expires_at, ...asked }: z.output<typeof suppressionApi.add.body>,
): Promise<Suppression> {
  const found = readSuppressed(kind, value)
  if ('mistake' in found) throw new AppError('invalid_input', { fields: { value: found.mistake } })
  const ends = expires_at === null ? null : new Date(expires_at)
  if (ends !== null && ends.getTime() <= now) throw new AppError('invalid_input', { fields: { expires_at: 'It has ended already' } })
  const scope = await scopeOf(db, asked)
  const hash = openLeadVault(secretKey).hash(kind, found.canonical)
  const { shown } = found
  const id = await db.transaction().execute(async (trx) => {
    const before = await lockSuppression(trx, { kind, hash }, scope)
    const by = { source: 'staff' as const, created_by: actor.accountId, created_at: new Date(now) }
    const saved = await saveSuppression(trx, { kind, hash, shown, note, reason, expires_at: ends, ...scope, ...by })
    await suppressPeople(trx, [saved], new Date(now))
    const kept = await lockSuppression(trx, { kind, hash }, scope)
    const after = {
      kind,
      value: shown,
      reason: kept?.reason ?? reason,
      note,
      expires_at: kept?.expires_at?.toISOString() ?? null,
      ...scope,
    }
    const entry = { entity: 'suppression' as const, entityId: saved }
    if (before === undefined) await recordAudit(trx, actor, now, { ...entry, action: 'create', after })
    else {
      const { reason: was, note: said, expires_at: until } = before
      const earlier = { kind, value: shown, reason: was, note: said, expires_at: until?.toISOString() ?? null, ...scope }
      await recordAudit(trx, actor, now, { ...entry, action: 'update', before: earlier, after })
    }
    return saved
  })
  return present(await getSuppression(db, id))
}

/** Takes entries off the list; answers how many there were. */
export async function liftSuppressions(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, reason }: z.output<typeof suppressionApi.remove.body>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const gone = await removeSuppressions(trx, uuids)
    await settleGone(trx, actor, now, gone, 'remove', reason)
    return gone.length
  })
}

/** Takes those off the list whose time is over; answers whether there may be more. */
export async function liftOver(db: Db, now: number, most = 1000): Promise<boolean> {
  const gone = await db.transaction().execute(async (trx) => {
    const over = await removeOver(trx, new Date(now), most)
    if (over.length > 0) await settleGone(trx, null, now, over, 'expire', '')
    return over.length
  })
  return gone === most
}

/**
 * Suppresses contacts everywhere or where a scope says, in the transaction of what says so; answers how many were added. `shown` is
 * masked.
 */
export async function suppressContacts(
  trx: Trx,
  now: number,
  contacts: readonly (SuppressedHash & { shown: string })[],
  values: SuppressionScope & {
    reason: Suppression['reason']
    source: Suppression['source']
    note?: string
    created_by?: number | null
  },
): Promise<number> {
  const { note = '', created_by = null, ...rest } = values
  const rows = contacts.map((contact) => ({ ...contact, ...rest, note, expires_at: null, created_by, created_at: new Date(now) }))
  const added = await addSuppressions(trx, rows, new Date(now))
  await suppressPeople(trx, added, new Date(now))
  return added.length
}

/** What another system tells: each contact once, told again it changes nothing. Throws `invalid_input` at the scope. */
export async function tellSuppressions(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { reason, note, contacts, ...asked }: z.output<typeof suppressionApi.tell.body>,
): Promise<CallOutput<typeof suppressionApi.tell>> {
  const scope = await scopeOf(db, asked)
  const vault = openLeadVault(secretKey)
  const refused: CallOutput<typeof suppressionApi.tell>['refused'] = []
  const each = new Map<string, SuppressedHash & { shown: string }>()
  contacts.forEach((contact, at) => {
    for (const kind of ['email', 'phone'] as const) {
      if (contact[kind] === '') continue
      const found = readSuppressed(kind, contact[kind])
      if ('mistake' in found) refused.push({ at, field: kind, problem: found.mistake })
      else {
        const one = { kind, hash: vault.hash(kind, found.canonical), shown: found.shown }
        each.set(suppressionKey(one), one)
      }
    }
  })
  const added = await db.transaction().execute(async (trx) => {
    const values = { ...scope, reason, source: 'api' as const, note, created_by: actor.accountId }
    const count = await suppressContacts(trx, now, [...each.values()], values)
    if (count > 0)
      await recordAudit(trx, actor, now, {
        action: 'import',
        entity: 'suppression',
        entityId: 'api',
        after: { reason, made: count, note, ...scope },
      })
    return count
  })
  return { added, there: each.size - added, refused }
}

/** What a file would add; nothing of it is kept. Throws `invalid_input` at `file` or the scope. */
export async function previewSuppressions(
  { db, secretKey }: Parts,
  now: number,
  { kind, ...asked }: File,
  bytes: Uint8Array,
): Promise<CallOutput<typeof suppressionApi.preview>> {
  const { columns, unread, good, refused } = await readRows(bytes, kind, now)
  const hashed = hashedOf(openLeadVault(secretKey), good)
  const keys = hashed.map(({ kind: of, hash }) => ({ kind: of, hash }))
  const known = await suppressedOf(db, keys, await scopeOf(db, asked), new Date(now))
  return {
    columns,
    unread,
    good: good.length,
    there: good.length - hashed.filter((one) => !known.has(suppressionKey(one))).length,
    bad: refused.length,
    list: good
      .slice(0, SHOWN)
      .map(({ line, kind: of, shown, note, expires }) => ({ line, kind: of, shown, note, expires_at: expires?.toISOString() ?? null })),
    refused: refused.slice(0, SHOWN_REFUSED),
  }
}

/** Suppresses what a file holds in one transaction; the same file twice adds nothing the second time. Throws as the preview does. */
export async function importSuppressions(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { name, kind, reason, ...asked }: File,
  bytes: Uint8Array,
): Promise<CallOutput<typeof suppressionApi.import>> {
  const { good, refused } = await readRows(bytes, kind, now)
  const scope = await scopeOf(db, asked)
  const hashed = hashedOf(openLeadVault(secretKey), good)
  return db.transaction().execute(async (trx) => {
    const by = { source: 'file' as const, created_by: actor.accountId, created_at: new Date(now) }
    const rows = hashed.map(({ kind: of, hash, shown, note, expires }) => ({
      kind: of,
      hash,
      shown,
      note,
      reason,
      expires_at: expires,
      ...scope,
      ...by,
    }))
    const made = await addSuppressions(trx, rows, new Date(now))
    await suppressPeople(trx, made, new Date(now))
    const after = { file_name: name, reason, made: made.length, refused: refused.length, ...scope }
    await recordAudit(trx, actor, now, { action: 'import', entity: 'suppression', entityId: 'file', after })
    return { made: made.length, there: good.length - made.length, bad: refused.length, refused }
  })
}

/** Where an entry is to hold. Throws `invalid_input` at what is no advertiser or offer of leads. */
async function scopeOf(db: DbOrTrx, { advertiser_uuid, offer_uuid }: Asked): Promise<SuppressionScope> {
  if (advertiser_uuid && offer_uuid)
    throw new AppError('invalid_input', { fields: { offer_uuid: 'Choose an advertiser or an offer, not both' } })
  const advertiser = advertiser_uuid ? await findAdvertiserId(db, advertiser_uuid) : null
  if (advertiser === undefined) throw new AppError('invalid_input', { fields: { advertiser_uuid: 'Choose an advertiser' } })
  const offer = offer_uuid ? await findLeadOfferId(db, offer_uuid) : null
  if (offer === undefined) throw new AppError('invalid_input', { fields: { offer_uuid: 'Choose an API offer' } })
  return { advertiser_id: advertiser, offer_id: offer }
}

async function settleGone(
  trx: Trx,
  actor: Actor | null,
  now: number,
  gone: Awaited<ReturnType<typeof removeSuppressions>>,
  action: 'remove' | 'expire',
  said: string,
): Promise<void> {
  await freePeople(
    trx,
    gone.filter(({ advertiser_id, offer_id }) => advertiser_id === null && offer_id === null),
    new Date(now),
  )
  await recordAudit(
    trx,
    actor,
    now,
    gone.map(({ id, kind, shown, reason, advertiser_id, offer_id }) => ({
      action,
      entity: 'suppression' as const,
      entityId: id,
      before: { kind, value: shown, reason, advertiser_id, offer_id },
      ...(said !== '' && { after: { note: said } }),
    })),
  )
}

type Row = Awaited<ReturnType<typeof readRows>>['good'][number]

function readRows(bytes: Uint8Array, kind: File['kind'], now: number) {
  return readValues(bytes, { kinds: SUPPRESSION_KINDS, read: readSuppressed, most: MOST_SUPPRESSION_ROWS }, kind, now)
}

/** Each value once. */
function hashedOf(vault: LeadVault, good: readonly Row[]): (Row & { hash: Buffer })[] {
  const each = new Map(good.toReversed().map((one) => [`${one.kind} ${one.canonical}`, one]))
  return [...each.values()].map((one) => ({ ...one, hash: vault.hash(one.kind, one.canonical) }))
}

type Found = Awaited<ReturnType<typeof getSuppression>>

function present(row: Found): Suppression {
  const { advertiser_id, advertiser_uuid, advertiser, offer_id, offer_uuid, offer, created_at, expires_at, ...rest } = row
  const of = (id: number | null, uuid: string | null, name: string | null) =>
    id === null || uuid === null ? null : { id, uuid, name: name ?? '' }
  return {
    ...rest,
    advertiser: of(advertiser_id, advertiser_uuid, advertiser),
    offer: of(offer_id, offer_uuid, offer),
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
  }
}
