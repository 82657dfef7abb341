import { useTranslation } from '#web/i18n/use-translation.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { sumTyped } from '#web/features/money/invoice/adjustment/sum-typed.ts'
import { useProposed } from '#web/invoice/use-proposed.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Gives the affiliate a bonus, or corrects what it gets up or down; it is booked and stands on the invoice at once. */
export function AdjustDialog({ invoice, onClose }: { invoice: InvoiceDetail; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const { t: request } = useTranslation('request')
  const form = useSaveForm({
    endpoint: invoiceApi.adjust,
    check: (values) => amountMistakes(values, { amount: invoice.currency }),
    initial: { kind: 'bonus' as 'bonus' | 'correction', amount: '', note: '' },
    toInput: (values) => ({ params: { uuid: invoice.uuid }, body: { ...values, revision: invoice.revision } }),
    invalidate: [...SHOW_INVOICES, proposalApi.list],
    savedText: '',
    onSaved: ({ history }) => {
      const isProposed = history.at(0)?.event === 'adjustment_proposed' || history.at(-1)?.event === 'adjustment_proposed'
      notify.success(isProposed ? request('proposed.toast') : t('toast.adjusted'))
      onClose()
    },
  })
  const says = useProposed(
    { kind: form.values.kind, amount: form.values.amount, currency: invoice.currency, affiliate_uuid: invoice.affiliate.uuid },
    { title: t('adjust'), action: t('add') },
  )
  return (
    <DialogForm
      of={form}
      title={says.title}
      text={[invoice.affiliate.name, sumTyped(form.values.amount, invoice.currency)].filter(Boolean).join(' · ')}
      action={says.action}
      careful
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="kind"
        label={t('adjust.kind')}
        options={(['bonus', 'correction'] as const).map((value) => ({ value, label: t(`adjusted.${value}`) }))}
        required
      />
      <NumberField of={form} name="amount" label={t('adjust.amount')} help={t('adjust.amountHelp')} unit={invoice.currency} required />
      <TextField of={form} name="note" label={t('adjust.note')} required />
      {says.note}
    </DialogForm>
  )
}
