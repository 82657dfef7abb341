import { amountText } from '#contract/money/amount.ts'
import type { PayoutFileDetail, PayoutFileRow, PayoutRow } from '#contract/money/payout.ts'
import type { FileRow, paymentsOf, PayoutRow as Row } from './payout.queries.ts'

/** A file in the list. */
export function presentFile(row: FileRow): PayoutFileRow {
  return {
    uuid: row.uuid,
    id: row.id,
    format: row.format,
    source: row.source,
    currency: row.currency,
    state: row.state,
    payments: row.payments,
    amount: amountText(row.amount),
    sent: row.sent,
    settled: row.settled,
    failed: row.failed,
    made_by: row.maker,
    created_at: row.created_at.toISOString(),
    released_by: row.releaser,
    released_at: row.released_at?.toISOString() ?? null,
  }
}

/** A file with what may be done with it. */
export function presentFileDetail(row: FileRow, more: Pick<PayoutFileDetail, 'may' | 'dropped' | 'sent_amount'>): PayoutFileDetail {
  return {
    ...presentFile(row),
    due_to: row.due_to,
    execution_day: row.execution_day,
    name: row.name,
    sha256: row.sha256?.toString('hex') ?? null,
    ended_by: row.ender,
    ended_at: row.ended_at?.toISOString() ?? null,
    ...more,
  }
}

/** A payment of a file with its invoices. */
export function presentPayout(row: Row, parts: Awaited<ReturnType<typeof paymentsOf>>): PayoutRow {
  const { uuid, affiliate, system, masked, amount, charged, leaves_debt, state, external_id, fee, fee_currency, reason } = row
  const invoices = parts.filter((part) => part.payout_id === row.id).map((part) => ({ uuid: part.invoice_uuid, number: part.number ?? '' }))
  return {
    uuid,
    affiliate,
    system,
    masked,
    amount,
    charged,
    leaves_debt,
    reference: row.reference ?? '',
    state,
    external_id,
    fee,
    fee_currency,
    reason,
    invoices,
  }
}
