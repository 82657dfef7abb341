import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { payoutApi, type PayoutRow } from '#contract/money/payout.ts'
import { money, percent } from '#web/format.ts'
import { feeAsked } from '#web/invoice/fee-asked.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { SHOW_FILES } from './payout-words.ts'

/** Says by hand what became of one payment of a file. */
export function MarkDialog({ payout, currency, onClose }: { payout: PayoutRow; currency: string; onClose: () => void }) {
  const { t } = useTranslation('payout')
  const ways = payout.state === 'settled' ? (['returned'] as const) : (['settled', 'failed'] as const)
  const form = useSaveForm({
    endpoint: payoutApi.mark,
    // one thing alone can still become of it, or somebody says which
    initial: {
      becomes: (ways.length === 1 ? ways[0] : null) as 'settled' | 'failed' | 'returned' | null,
      external_id: '',
      fee: '',
      fee_sure: false,
      reason: '',
    },
    toInput: ({ becomes, fee, ...values }) => ({
      params: { uuid: payout.uuid },
      body: { ...values, becomes: becomes as 'settled', fee: fee || '0' }, // the schema asks for one
    }),
    invalidate: SHOW_FILES,
    savedText: t('toast.mark'),
    onSaved: onClose,
  })
  const { becomes } = form.values
  const fees = feeAsked(form, { amount: payout.amount, currency, booked: payout.fee_currency, before: payout.fee })
  const sum = money(payout.amount, currency)
  return (
    <DialogForm
      of={form}
      title={t('mark.title')}
      text={t('mark.text', { name: payout.affiliate.name, sum })}
      action={becomes === null ? t('mark.do') : t(`payment.${becomes}`)}
      danger={becomes !== null && becomes !== 'settled'}
      careful
      onClose={onClose}
    >
      {ways.length > 1 && (
        <SelectField
          of={form}
          name="becomes"
          label={t('state')}
          options={ways.map((value) => ({ value, label: t(`payment.${value}`) }))}
          required
        />
      )}
      {becomes !== null && (
        <Text fz={14} aria-live="polite">
          {t(`mark.${becomes}`)}
        </Text>
      )}
      <TextField of={form} name="external_id" label={t('external_id')} help={t('external_idHelp')} />
      <NumberField of={form} name="fee" label={t('fee')} unit={payout.fee_currency} />
      {fees.isToConfirm && (
        <SwitchField
          of={form}
          name="fee_sure"
          label={t('fee_sure')}
          {...(payout.fee_currency === currency && {
            help: t('fee_sureHelp', {
              fee: money(fees.all, currency),
              percent: percent(fees.percent),
            }),
          })}
        />
      )}
      <TextField of={form} name="reason" label={t('reason')} required={becomes !== null && becomes !== 'settled'} />
    </DialogForm>
  )
}
