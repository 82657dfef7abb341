import { useTranslation } from 'react-i18next'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { saveAdvertiserInvoice, saveCreditNote } from '#web/features/money/receivable/save-advertiser-document.ts'
import { OfficialNumbers, papersOf, type Paper } from '#web/invoice/official-numbers.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** The official numbers of an invoice to an advertiser and its notes. */
export function AdvertiserOfficialNumbers({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  return (
    <OfficialNumbers
      of={papersOf(invoice)}
      dialog={(paper, onClose) => <NumberDialog invoice={invoice} paper={paper} onClose={onClose} />}
      onCopy={({ note, number }) =>
        void (note === null ? saveAdvertiserInvoice(invoice, 'copy') : saveCreditNote({ uuid: note, number }, 'copy'))
      }
    />
  )
}

function NumberDialog({ invoice, paper, onClose }: { invoice: AdvertiserInvoiceDetail; paper: Paper; onClose: () => void }) {
  const { t } = useTranslation('ledger')
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.number,
    initial: { official_number: paper.official_number },
    toInput: (values) => ({ params: { uuid: invoice.uuid }, body: { ...values, note: paper.note, revision: invoice.revision } }),
    invalidate: SHOW_RECEIVABLES,
    savedText: t('done', { ns: 'receivable' }),
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
