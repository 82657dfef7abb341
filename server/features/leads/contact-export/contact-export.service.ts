import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { ContactExport, contactExportApi } from '#contract/leads/contact-export.ts'
import { securitySetting } from '#contract/people/security.ts'
import type { Actor } from '#server/access/actor.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { openSealer, type Sealer } from '#server/platform/seal.ts'
import { getList } from '../lead-list/lead-list.queries.ts'
import { openLeadVault } from '../session/vault.ts'
import { readAsked } from '../user-session/read-asked.ts'
import {
  exportedSince,
  findExported,
  insertExport,
  listExports,
  lockExport,
  updateExport,
  type ExportRow,
} from './contact-export.queries.ts'

type Parts = { db: Db; secretKey: string | null }

const DAY = 86_400_000

/** The latest files of the caller, and how many more leads they may export. */
export async function showExports(db: Db, now: number, actor: Actor): Promise<CallOutput<typeof contactExportApi.list>> {
  const [most, used, list] = await Promise.all([
    mostExported(db, actor),
    exportedSince(db, actor.accountId, new Date(now - DAY)),
    listExports(db, actor.accountId),
  ])
  return { most, left: Math.max(most - used, 0), list: list.map((row) => present(row, now)) }
}

/**
 * Writes down which leads somebody wants the contacts of, and why; a worker makes the file. Counted under a lock, so that two at once never
 * come to more than is allowed. What the filters found is kept, not what they looked for, which may be an address. Throws `export_closed`,
 * `export_limit`, `export_empty`.
 */
export async function askForExport(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { reason, note, lead_list_uuid, ...filters }: z.output<typeof contactExportApi.create.body>,
): Promise<ContactExport> {
  const most = await mostExported(db, actor)
  if (most === 0) throw new AppError('export_closed')
  const { asked, contacts } = readAsked(filters, actor, openLeadVault(secretKey), now)
  const list = lead_list_uuid === null ? null : await getList(db, actor.scope, lead_list_uuid)
  if (list === undefined) throw new AppError('unknown_reference', { fields: { lead_list_uuid: 'Choose a list' } })
  const found = await findExported(db, actor.scope, { ...asked, listId: list?.id ?? null }, contacts, new Date(now), most + 1)
  if (found.length === 0) throw new AppError('export_empty')
  return db.transaction().execute(async (trx) => {
    await lockName(trx, `contact export ${actor.accountId}`)
    const left = Math.max(most - (await exportedSince(trx, actor.accountId, new Date(now - DAY))), 0)
    if (found.length > left)
      throw new AppError('export_limit', {
        values: { rows: found.length > most ? `>${most}` : String(found.length), left: String(left) },
      })
    const row = await insertExport(trx, {
      account_id: actor.accountId,
      reason,
      note,
      session_ids: found,
      rows: found.length,
      created_at: new Date(now),
    })
    const { search, ...named } = filters
    const used = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null && String(value) !== ''))
    await recordAudit(trx, actor, now, {
      action: 'create',
      entity: 'contact_export',
      entityId: row.id,
      after: {
        reason,
        note,
        rows: found.length,
        filters: used,
        ...(search !== '' && { searched: true }),
        ...(list !== null && { list: list.title }),
      },
    })
    return present(row, now)
  })
}

/** The file of somebody’s own, once it is written that they took it. Throws `not_found`, `export_gone`. */
export async function takeFile(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  uuid: string,
): Promise<{ name: string; bytes: Uint8Array }> {
  return db.transaction().execute(async (trx) => {
    const file = await lockExport(trx, actor.accountId, uuid)
    if (file === undefined) throw new AppError('not_found')
    if (file.sealed === null || isOver(file.expires_at, now)) throw new AppError('export_gone')
    // whose role was closed meanwhile takes nothing out any more
    if ((await mostExported(trx, actor)) === 0) throw new AppError('export_closed')
    await updateExport(trx, file.id, { downloads: file.downloads + 1 })
    await recordAudit(trx, actor, now, {
      action: 'download',
      entity: 'contact_export',
      entityId: file.id,
      after: { rows: file.rows, downloads: file.downloads + 1 },
    })
    const day = file.created_at.toISOString().slice(0, 10)
    return { name: `contacts-${day}-${file.id}.csv`, bytes: Buffer.from(openExportSealer(secretKey).open(file.sealed)) }
  })
}

/** Deletes a file of somebody’s own before its time. Throws `not_found`, `export_gone`. */
export async function removeExport(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const file = await lockExport(trx, actor.accountId, uuid)
    if (file === undefined) throw new AppError('not_found')
    if (file.sealed === null) throw new AppError('export_gone')
    await updateExport(trx, file.id, { state: 'deleted', sealed: null })
    await recordAudit(trx, actor, now, { action: 'delete', entity: 'contact_export', entityId: file.id, before: { rows: file.rows } })
  })
}

/** Of how many leads somebody may take contacts out within 24 hours. */
export async function mostExported(db: DbOrTrx, { role }: Pick<Actor, 'role'>): Promise<number> {
  if (role === 'affiliate') return 0
  return (await getSetting(db, securitySetting)).contact_exports[role]
}

/** Keeps files with contacts until their hours are over. */
export function openExportSealer(secretKey: string | null): Sealer {
  return openSealer(secretKey, 'contact export')
}

function isOver(expiresAt: Date | null, now: number): boolean {
  return expiresAt !== null && expiresAt.getTime() <= now
}

/** A file whose time is over is said to be deleted also before a worker came by. */
function present(row: ExportRow, now: number): ContactExport {
  return {
    uuid: row.uuid,
    created_at: row.created_at.toISOString(),
    state: row.state === 'ready' && isOver(row.expires_at, now) ? 'deleted' : row.state,
    reason: row.reason,
    note: row.note,
    rows: row.rows,
    expires_at: row.expires_at?.toISOString() ?? null,
    downloads: row.downloads,
  }
}
