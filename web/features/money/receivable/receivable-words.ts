import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { ADVERTISER_INVOICE_STATUSES, advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { decimalText, readAmount } from '#web/kit/fields/decimal.ts'
import { statusLook } from '#web/kit/status/status-look.ts'

/** Where an advertiser's invoice stands. */
export const ADVERTISER_INVOICE_STATUS = statusLook({
  field: 'status',
  texts: 'receivable',
  values: ADVERTISER_INVOICE_STATUSES,
  tones: { draft: 'muted', issued: 'info', partly_paid: 'part', paid: 'good', credited: 'muted', written_off: 'bad' },
})

/** Endpoints whose answers show what advertisers owe. */
export const SHOW_RECEIVABLES = [
  advertiserInvoiceApi.list,
  advertiserInvoiceApi.get,
  advertiserInvoiceApi.lines,
  advertiserBillingApi.list,
  advertiserBillingApi.unbilled,
  advertiserBillingApi.account,
  receiptApi.list,
]

/** What somebody typed as an amount, which is none where nothing stands there; null while it cannot be read as one. */
export function amountTyped(text: string): string | null {
  return decimalText(text) === '' ? '0' : readAmount(text)
}

/** Whether an amount is nothing. */
export function isNone(amount: string): boolean {
  return /^-?0(\.0*)?$/.test(amount)
}

/** An amount as it is typed: without the zeros that only storage writes. */
export function typed(amount: string): string {
  return amount.replace(/(\.\d\d)0+$/, '$1')
}
