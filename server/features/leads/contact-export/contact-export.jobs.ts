import { createHash } from 'node:crypto'
import { can } from '#contract/access.ts'
import { CONTACT_EXPORT_HOURS } from '#contract/leads/contact-export.ts'
import { REVEALED_FIELDS } from '#contract/leads/reveal.ts'
import type { Scope } from '#server/access/scope.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { log } from '#server/platform/log.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { csvForPeople } from '#server/platform/csv.ts'
import { contactsOf } from '../reveal/reveal.service.ts'
import { openLeadVault, type LeadVault } from '../session/vault.ts'
import { mostExported, openExportSealer } from './contact-export.service.ts'
import { deleteExpired, insertReveals, lockWaiting, readExported, updateExport, type ExportedRow } from './contact-export.queries.ts'

type Parts = { db: Db; secretKey: string | null }

/** Leads read at once. */
const BATCH = 500

const COLUMNS = [
  'id', 'uuid', 'received_at', 'status', 'call_status', 'offer_id', 'offer', 'affiliate_id', 'affiliate', 'advertiser', 'country', 'external_id', 'click_id',
  ...REVEALED_FIELDS, 'exported_by',
] as const // prettier-ignore

/**
 * Makes the file that has waited longest, and answers whether there was one.
 *
 * File, state and what the story of each lead says of it are one transaction: of a worker that dies nothing is left but the wish. Read is
 * what who asked may see now, not what they could then; who may not at all any more gets none.
 */
export async function makeContactExport({ db, secretKey }: Parts, now: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const wish = await lockWaiting(trx)
    if (wish === undefined) return false
    const at = new Date(now)
    const end = (state: 'refused' | 'failed') => updateExport(trx, wish.id, { state, done_at: at, session_ids: [] })
    const actor = await actorOfAccount(trx, wish.account_id)
    if (actor === undefined || !can(actor.role, 'lead.export') || (await mostExported(trx, actor)) === 0) {
      await end('refused')
      return true
    }
    const rows = await readAll(trx, actor.scope, wish.session_ids)
    const mark = `${wish.name} <${wish.email}>, ${at.toISOString().slice(0, 16)}Z, ${wish.uuid}`
    const file = tryWrite(rows, openLeadVault(secretKey), mark)
    if (file === null) {
      await end('failed')
      return true
    }
    await updateExport(trx, wish.id, {
      state: 'ready',
      session_ids: [],
      rows: rows.length,
      done_at: at,
      expires_at: new Date(now + CONTACT_EXPORT_HOURS * 3_600_000),
      sealed: openExportSealer(secretKey).seal(file),
      sha256: createHash('sha256').update(file).digest('hex'),
    })
    const ids = rows.map(({ id }) => id)
    await insertReveals(trx, ids, { account_id: wish.account_id, at, reason: wish.reason, note: wish.note, export_id: wish.id })
    await recordAudit(trx, actor, now, { action: 'make', entity: 'contact_export', entityId: wish.id, after: { rows: rows.length } })
    return true
  })
}

/** Deletes files whose hours are over. */
export async function deleteContactExports(db: Db, now: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const gone = await deleteExpired(trx, new Date(now))
    await recordAudit(
      trx,
      null,
      now,
      gone.map(({ id, rows }) => ({ action: 'delete', entity: 'contact_export', entityId: id, before: { rows } })),
    )
  })
}

async function readAll(trx: Trx, scope: Scope, ids: readonly string[]): Promise<ExportedRow[]> {
  const all: ExportedRow[] = []
  // they were written newest first, and each part is read so
  for (let from = 0; from < ids.length; from += BATCH) all.push(...(await readExported(trx, scope, ids.slice(from, from + BATCH))))
  return all
}

/** The file; null where something in it was sealed with another key, which no further try would open. */
function tryWrite(rows: readonly ExportedRow[], vault: LeadVault, mark: string): string | null {
  try {
    return toFile(rows, vault, mark)
  } catch (error) {
    log.error({ err: error }, 'contacts could not be read for a file')
    return null
  }
}

/** Who took it stands in each row, so that it stays with a part that is copied out. */
function toFile(rows: readonly ExportedRow[], vault: LeadVault, mark: string): string {
  const data = rows.map(({ sealed, sees_affiliate, sees_advertiser, ...row }) => {
    const contacts = sealed === null ? {} : contactsOf(vault.openTold(sealed))
    const cells: Record<string, string | number | null> = {
      ...row,
      received_at: row.received_at.toISOString(),
      affiliate_id: sees_affiliate ? row.affiliate_id : null,
      affiliate: sees_affiliate ? row.affiliate : null,
      advertiser: sees_advertiser ? row.advertiser : null,
      ...contacts,
      exported_by: mark,
    }
    return COLUMNS.map((column) => cells[column] ?? '')
  })
  return csvForPeople(COLUMNS, data)
}
