import { billingModeOf, isSameVat, vatWords } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { foreignLines } from './note.queries.ts'

/**
 * Refuses an invoice whose VAT is not what was decided since, or that corrects one of another rate: nothing takes another rate in silence.
 * Throws `vat_changed`.
 */
export async function requireVat(
  trx: Trx,
  invoice: { id: number; affiliate_id: number; vat_category: string; vat_rate: string },
): Promise<void> {
  const { vat } = await billingModeOf(trx, invoice.affiliate_id)
  if (!isSameVat(invoice, vat) || (await foreignLines(trx, invoice.id, vat)).length > 0)
    throw new AppError('vat_changed', { values: { now: vatWords(vat) } })
}
