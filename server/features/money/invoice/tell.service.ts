import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { InvoiceStatus } from '#contract/money/invoice.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { tellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { toldOf, type LockedInvoice } from './invoice.queries.ts'
import { roundedTo } from './posting.ts'

/** From which statuses a step to another one is news for the affiliate: a payment that came back makes none approved. */
const NEWS: Readonly<Partial<Record<InvoiceStatus, readonly InvoiceStatus[]>>> = {
  waiting: ['draft'],
  approved: ['waiting'],
  paid: ['waiting', 'approved', 'partly_paid'],
  declined: ['waiting'],
  cancelled: ['approved', 'paid', 'partly_paid'],
}

/** Tells the affiliate what became of an invoice, once for each step, with its number, sum and why. */
export async function tellStep(trx: Trx, now: number, before: LockedInvoice, status: InvoiceStatus, why: string): Promise<void> {
  if (NEWS[status]?.includes(before.status) !== true) return
  const { number, total, currency, affiliate_id: affiliateId } = await toldOf(trx, before.id)
  const said = status === 'declined' || status === 'cancelled' ? why : ''
  const reason = [number, await written(trx, total, currency), said].filter(Boolean).join(' · ')
  await tellAffiliates(trx, now, [
    { kind: 'invoice_moved', affiliateId, status, reason, once: `invoice ${before.id} ${before.revision} ${status}` },
  ])
}

/** Tells the affiliate that money sent to it did not arrive, or came back: for which invoice, how much, and why where that is about its own account. */
export async function tellBack(
  trx: Trx,
  now: number,
  invoice: Pick<LockedInvoice, 'number' | 'currency' | 'affiliate_id'>,
  became: 'failed' | 'returned',
  { amount, why = '', once }: { amount: string; why?: string; once: string },
): Promise<void> {
  const reason = [invoice.number, await written(trx, amount, invoice.currency), why].filter(Boolean).join(' · ')
  await tellAffiliates(trx, now, [{ kind: 'invoice_moved', affiliateId: invoice.affiliate_id, status: became, reason, once }])
}

/** An amount with its currency, as people write it in a sentence: rounded to the decimals in which it is paid. */
export async function written(db: DbOrTrx, amount: string, currency: Currency): Promise<string> {
  const decimals = await decimalsOf(db, currency)
  const [whole = '', part = ''] = fromUnits(roundedTo(decimals, toUnits(amount))).split('.')
  return `${decimals === 0 ? whole : `${whole}.${part.slice(0, decimals).padEnd(decimals, '0')}`} ${currency}`
}
