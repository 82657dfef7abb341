import { useTranslation } from '#web/i18n/use-translation.ts'
import { adjustmentApi, type AdjustmentRow } from '#contract/money/adjustment.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { SHOW_GIVEN } from '#web/features/money/invoice/adjustment/adjustment-words.ts'
import { FeeFields } from '#web/features/money/invoice/fee-fields.tsx'
import { money } from '#web/format.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

/** Says that the bank gave back a payment in advance, and what it took for that. */
export function GiveBackDialog({ of, name, onClose }: { of: AdjustmentRow; name: string; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const today = todayIn(useZone())
  const form = useSaveForm({
    endpoint: adjustmentApi.giveBack,
    check: (values) => amountMistakes(values, { fee: of.fee_currency ?? of.currency }, []),
    initial: { day: today as string | null, reason: '', fee: '', fee_sure: false },
    toInput: ({ day, fee, ...values }) => ({ params: { uuid: of.uuid }, body: { ...values, day: day ?? '', fee: fee || '0' } }),
    invalidate: SHOW_GIVEN,
    savedText: t('toast.giveBack'),
    onSaved: onClose,
  })
  const sum = money(of.amount, of.currency)
  return (
    <DialogForm
      of={form}
      title={t('giveBack')}
      text={t('giveBack.advance', { name, sum })}
      action={t('giveBack')}
      danger
      careful
      onClose={onClose}
    >
      <DayField of={form} name="day" label={t('giveBack.day')} required />
      <LongTextField of={form} name="reason" label={t('reason')} help={t('giveBack.reasonHelp')} rows={2} required />
      <FeeFields of={form} amount={of.amount} currency={of.currency} booked={of.fee_currency ?? of.currency} />
    </DialogForm>
  )
}
