import { billingSetting } from '#contract/money/billing.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { withDocument } from './own-document.queries.ts'

/** Which of these invoices are not paid before their affiliates have given their own. */
export async function lackDocument(db: DbOrTrx, invoices: readonly { id: number; mode: string | null }[]): Promise<Set<number>> {
  const statements = invoices.filter(({ mode }) => mode === 'statement').map(({ id }) => id)
  if (statements.length === 0 || !(await getSetting(db, billingSetting)).own_invoice) return new Set()
  const given = await withDocument(db, statements)
  return new Set(statements.filter((id) => !given.has(id)))
}
