import { useTranslation } from '#web/i18n/use-translation.ts'
import { money, percent } from '#web/format.ts'
import { feeAsked } from '#web/invoice/fee-asked.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type FeeFieldsProps<Values> = { of: SaveForm<Values>; amount: string; currency: string; booked: string }

/** What the bank took, in the currency its account is booked in; much of it is confirmed. */
export function FeeFields<Values extends { fee: string; fee_sure: boolean }>({ of, amount, currency, booked }: FeeFieldsProps<Values>) {
  const { t } = useTranslation('invoice')
  const { all, percent: share, isToConfirm } = feeAsked(of, { amount, currency, booked })
  return (
    <>
      <NumberField of={of} name={'fee' as never} label={t('pay.fee')} help={t('pay.feeHelp')} unit={booked} />
      {isToConfirm && (
        <SwitchField
          of={of}
          name={'fee_sure' as never}
          label={t('pay.feeSure')}
          {...(booked === currency &&
            Number(amount) > 0 && {
              help: t('pay.feeSureHelp', {
                fee: money(all, booked),
                percent: percent(share),
              }),
            })}
        />
      )}
    </>
  )
}
