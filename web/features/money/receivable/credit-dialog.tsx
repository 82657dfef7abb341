import { useTranslation } from 'react-i18next'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail, type AdvertiserInvoiceRow } from '#contract/money/advertiser-invoice.ts'
import { money } from '#web/format.ts'
import { SHOW_RECEIVABLES } from '#web/features/money/receivable/receivable-words.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type DialogProps = { of: AdvertiserInvoiceRow | AdvertiserInvoiceDetail; onClose: () => void }

/** Whether conversions of an invoice have become something else since. */
export function hasChanged(of: DialogProps['of']): boolean {
  return of.changed !== null || ('changes' in of && (of.changes?.rows ?? 0) > 0)
}

/** Takes an issued invoice back by a credit note: all of it, or what its conversions have lost; one that has ended only that. */
export function CreditDialog({ of, onClose }: DialogProps) {
  const { t } = useTranslation('receivable')
  const isEnded = of.status === 'credited' || of.status === 'written_off'
  const form = useSaveForm({
    endpoint: advertiserInvoiceApi.credit,
    initial: { kind: (hasChanged(of) ? 'changed' : 'whole') as string, reason: '' },
    toInput: ({ kind, reason }) => ({ params: { uuid: of.uuid }, body: { kind: kind as 'whole', reason, revision: of.revision } }),
    invalidate: SHOW_RECEIVABLES,
    savedText: t('done'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('creditNote')}
      text={t('credit.text', { name: of.advertiser.name, sum: money(of.total, of.currency, { exact: true }) })}
      action={t('creditNote')}
      danger
      careful
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="kind"
        label={t('credit.kind')}
        options={(isEnded ? (['changed'] as const) : (['whole', 'changed'] as const)).map((value) => ({
          value,
          label: t(`credit.${value}`),
        }))}
        required
      />
      <LongTextField of={form} name="reason" label={t('reason')} required />
    </DialogForm>
  )
}
