import { useTranslation } from '#web/i18n/use-translation.ts'
import { ADVERTISER_ADJUSTMENTS, advertiserInvoiceApi, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

type DialogProps = { of: AdvertiserInvoiceRow; onClose: () => void }

/** A discount, a minimum or a fee beside conversions: it is owed, or let off, at once, or proposed to a second person. */
export function AdjustAdvertiserDialog({ of, onClose }: DialogProps) {
  const { t } = useTranslation('receivable')
  const { t: request } = useTranslation('request')
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.adjust,
    check: (values) => amountMistakes(values, { amount: of.currency }),
    initial: { kind: 'discount' as string, amount: '', note: '' },
    toInput: ({ kind, ...values }) => ({ params: { uuid: of.uuid }, body: { ...values, kind: kind as 'fee', revision: of.revision } }),
    invalidate: [...SHOW_RECEIVABLES, proposalApi.list],
    savedText: '',
    onSaved: ({ history }) => {
      const isProposed = history.at(0)?.event === 'adjustment_proposed' || history.at(-1)?.event === 'adjustment_proposed'
      notify.success(isProposed ? request('proposed.toast') : t('toast.adjusted'))
      onClose()
    },
  })
  const says = useProposed(
    { kind: form.values.kind as 'fee', amount: form.values.amount, currency: of.currency, advertiser_invoice_uuid: of.uuid },
    { title: t('adjust'), action: t('adjust.add') },
  )
  return (
    <DialogForm of={form} title={says.title} text={of.advertiser.name} action={says.action} careful onClose={onClose}>
      <SelectField
        of={form}
        name="kind"
        label={t('adjust.kind')}
        options={ADVERTISER_ADJUSTMENTS.map((value) => ({ value, label: t(`adjusted.${value}`) }))}
        required
      />
      <NumberField of={form} name="amount" label={t('adjust.amount')} help={t('adjust.amountHelp')} unit={of.currency} required />
      <TextField of={form} name="note" label={t('adjust.note')} required />
      {says.note}
    </DialogForm>
  )
}
