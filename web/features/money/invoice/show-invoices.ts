import { invoiceApi } from '#contract/money/invoice.ts'

/** Endpoints whose answers show an invoice. */
export const SHOW_INVOICES = [invoiceApi.list, invoiceApi.get, invoiceApi.lines, invoiceApi.payable]
