import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InvoicePayment } from '#contract/money/invoice-payment.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { amountMistakes } from '#web/invoice/amount-mistakes.ts'
import { money } from '#web/format.ts'
import { FeeFields } from '#web/features/money/invoice/fee-fields.tsx'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

type OutcomeProps = {
  invoice: Pick<InvoiceDetail, 'uuid' | 'revision' | 'affiliate' | 'currency'>
  payment: InvoicePayment
  step: 'settle' | 'fail' | 'giveBack'
  onClose: () => void
}

/** Says what became of a payment by hand: it arrived, did not, or the bank gave it back; each with what the bank took for it. */
export function OutcomeDialog({ invoice, payment, step, onClose }: OutcomeProps) {
  const { t } = useTranslation('invoice')
  const today = todayIn(useZone())
  const form = useSaveForm({
    endpoint: invoiceApi[step],
    check: (values) => amountMistakes(values, { fee: payment.fee_currency }, []),
    initial: { reason: '', day: today as string | null, fee: '', fee_sure: false },
    toInput: ({ reason, day, fee, fee_sure }) => ({
      params: { uuid: invoice.uuid },
      body: {
        revision: invoice.revision,
        fee: fee || '0',
        fee_sure,
        ...(step !== 'settle' && { reason }),
        ...(step === 'giveBack' && { payment_uuid: payment.uuid, day: day ?? '' }),
      } as never, // each step takes its own part of these
    }),
    invalidate: SHOW_INVOICES,
    savedText: t(`toast.${step}`),
    onSaved: onClose,
  })
  const sum = money(payment.amount, payment.currency)
  return (
    <DialogForm
      of={form}
      title={t(step)}
      text={t(`${step}.text`, { name: invoice.affiliate.name, sum })}
      action={t(step)}
      danger={step !== 'settle'}
      careful
      onClose={onClose}
    >
      {step === 'giveBack' && <DayField of={form} name="day" label={t('giveBack.day')} required />}
      {step !== 'settle' && (
        <LongTextField
          of={form}
          name="reason"
          label={t('reason')}
          {...(step === 'giveBack' && { help: t('giveBack.reasonHelp') })}
          rows={2}
          required
        />
      )}
      <FeeFields of={form} amount={payment.amount} currency={payment.currency} booked={payment.fee_currency} />
    </DialogForm>
  )
}
