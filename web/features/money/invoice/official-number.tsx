import { useTranslation } from '#web/i18n/use-translation.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { saveDocument, saveNote } from '#web/features/money/invoice/save-document.ts'
import { OfficialNumbers, papersOf } from '#web/invoice/official-numbers.tsx'

/** The official numbers of a self-billed invoice and its notes; a statement is none: what the affiliate wrote has its own number. */
export function InvoiceOfficialNumbers({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  return (
    <OfficialNumbers
      of={invoice.mode === 'self_billing' ? papersOf(invoice) : []}
      entry={{ invoice, endpoint: invoiceApi.number, invalidate: SHOW_INVOICES, saved: t('toast.number') }}
      onCopy={({ note, number }) =>
        void (note === null ? saveDocument(invoice, 'copy', false) : saveNote({ uuid: note, number }, false, 'copy'))
      }
    />
  )
}
