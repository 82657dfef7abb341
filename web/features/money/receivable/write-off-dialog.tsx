import { useTranslation } from '#web/i18n/use-translation.ts'
import { advertiserInvoiceApi, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { money } from '#web/format.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

type DialogProps = { of: AdvertiserInvoiceRow; onClose: () => void }

/** Gives up what is open of an invoice. */
export function WriteOffDialog({ of, onClose }: DialogProps) {
  const { t } = useTranslation('receivable')
  const { t: request } = useTranslation('request')
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.writeOff,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: of.uuid }, body: { reason, revision: of.revision } }),
    invalidate: [...SHOW_RECEIVABLES, proposalApi.list],
    savedText: '',
    onSaved: ({ status }) => {
      notify.success(status === 'written_off' ? t('toast.writeOff') : request('proposed.toast'))
      onClose()
    },
  })
  const text = t('writeOff.text', { name: of.advertiser.name, sum: money(of.open, of.currency) })
  const asked = { kind: 'write_off', amount: of.open, currency: of.currency, advertiser_invoice_uuid: of.uuid } as const
  const says = useProposed(asked, { title: t('writeOff'), action: t('writeOff') })
  return (
    <DialogForm of={form} title={says.title} text={text} action={says.action} danger={says.note === null} careful onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} required />
      {says.note}
    </DialogForm>
  )
}
