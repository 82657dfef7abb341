import { BillingScreen } from '#web/billing-screen.tsx'
import { InvoiceCreate } from '#web/features/money/invoice/invoice-create.tsx'
import { InvoiceDelete } from '#web/features/money/invoice/invoice-delete.tsx'
import { InvoiceEdit } from '#web/features/money/invoice/invoice-edit.tsx'
import { EitherInvoiceScreen } from '#web/invoice-screen.tsx'
import { loadLateTexts } from '#web/i18n/language.ts'
import { PaymentsScreen } from '#web/payments-screen.tsx'

const SCREENS = {
  billing: BillingScreen,
  invoiceCreate: InvoiceCreate,
  invoiceEdit: InvoiceEdit,
  invoiceDelete: InvoiceDelete,
  invoiceDetail: EitherInvoiceScreen,
  payments: PaymentsScreen,
}

/** A screen about money with its texts, those of the ledger, of payouts and of settings: as one file, of which whoever signs in is told one name. */
export async function moneyScreen(id: keyof typeof SCREENS) {
  await Promise.all(
    (['commission', 'invoice', 'ledger', 'payout', 'receivable', 'reconciliation', 'referral', 'request', 'setting'] as const).map(
      loadLateTexts,
    ),
  )
  return SCREENS[id]
}
