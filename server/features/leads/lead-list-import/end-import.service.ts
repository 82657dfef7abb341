import type { LeadListImportDetail } from '#contract/leads/lead-list-import.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockList } from '#server/features/leads/lead-list/lead-list.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { deleteBrought, deleteDraft, deleteStrangers, getImport, isSent, lockBrought, updateImport } from './lead-list-import.queries.ts'
import { showImport } from './lead-list-import.service.ts'

/** Gives a draft up, or stops a file that is being read: who was added stays. One that is over stays as it is. Throws `not_found`. */
export async function cancelImport(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.status === 'draft') await deleteDraft(trx, row.id)
    if (row.status !== 'running') return
    await updateImport(trx, row.id, { status: 'cancelled', content: null, ended_at: new Date(now) })
    const after = { file_name: row.file_name, added: row.added }
    await recordAudit(trx, actor, now, { action: 'cancel_import', entity: 'lead_list', entityId: row.list_id, after })
  })
}

/**
 * Takes back what a file brought: its people leave whatever lists they stand in by it, and of whom nothing else is known nothing stays.
 * Twice, or two at once, changes it once. Throws `not_found`, `status_not_allowed` while it is read, `lead_list_import_sent`.
 */
export async function undoImport(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  actor: Actor,
  uuid: string,
): Promise<LeadListImportDetail> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.status === 'undone') return
    if (row.status === 'draft' || row.status === 'running') throw new AppError('status_not_allowed')
    await lockList(trx, actor, row.list_uuid)
    const people = await lockBrought(trx, row.id)
    if (await isSent(trx, row.id)) throw new AppError('lead_list_import_sent')
    await deleteBrought(trx, row.id)
    const forgotten = await deleteStrangers(trx, people, row.created_at)
    await updateImport(trx, row.id, { status: 'undone', content: null })
    const after = { file_name: row.file_name, people: people.length, forgotten }
    await recordAudit(trx, actor, now, { action: 'undo_import', entity: 'lead_list', entityId: row.list_id, after })
  })
  return showImport({ db, secretKey }, actor, uuid)
}
