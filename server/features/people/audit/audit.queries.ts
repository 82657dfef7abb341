import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'

type AuditRow = {
  at: Date
  actor_id: number | null
  acting_id: number | null
  address: string
  action: string
  entity: string
  entity_id: string
  before: object | null
  after: object | null
}

/** Appends any number of entries to the audit log. */
export async function insertAudit(db: DbOrTrx, rows: AuditRow[]): Promise<void> {
  await insertRows(db, 'audit', rows)
}
