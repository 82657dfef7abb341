import { useTranslation } from 'react-i18next'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { saveDocument, saveNote } from '#web/features/money/invoice/save-document.ts'
import { OfficialNumbers, papersOf, type Paper } from '#web/invoice/official-numbers.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** The official numbers of a self-billed invoice and its notes; a statement is none: what the affiliate wrote has its own number. */
export function InvoiceOfficialNumbers({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <OfficialNumbers
      of={invoice.mode === 'self_billing' ? papersOf(invoice) : []}
      dialog={(paper, onClose) => <NumberDialog invoice={invoice} paper={paper} onClose={onClose} />}
      onCopy={({ note, number }) =>
        void (note === null ? saveDocument(invoice, 'copy', false) : saveNote({ uuid: note, number }, false, 'copy'))
      }
    />
  )
}

function NumberDialog({ invoice, paper, onClose }: { invoice: InvoiceDetail; paper: Paper; onClose: () => void }) {
  const { t } = useTranslation('ledger')
  const form = useSaveForm({
    endpoint: invoiceApi.number,
    initial: { official_number: paper.official_number },
    toInput: (values) => ({ params: { uuid: invoice.uuid }, body: { ...values, note: paper.note, revision: invoice.revision } }),
    invalidate: SHOW_INVOICES,
    savedText: t('done', { ns: 'invoice' }),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('official.title', { number: paper.number })}
      text={t('official.help')}
      action={t('save', { ns: 'common' })}
      onClose={onClose}
    >
      <TextField of={form} name="official_number" label={t('official.label')} />
    </DialogForm>
  )
}
