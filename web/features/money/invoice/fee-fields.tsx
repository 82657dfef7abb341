import { useTranslation } from '#web/i18n/use-translation.ts'
import { money, percent } from '#web/format.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type FeeFieldsProps<Values> = { of: SaveForm<Values>; amount: string; currency: string; booked: string }

/** What the bank took, in the currency its account is booked in; much of it is confirmed. */
export function FeeFields<Values extends { fee: string; fee_sure: boolean }>({ of, amount, currency, booked }: FeeFieldsProps<Values>) {
  const { t } = useTranslation('invoice')
  const typed = decimalText(of.values.fee)
  const fee = Number(typed)
  // with what it took for the payment before, and in another currency, only the server can tell
  const isAsked = of.values.fee_sure || of.form.errors['fee_sure'] !== undefined
  const isMuch = isAsked || (fee > 0 && (booked !== currency || fee * 10 > Number(amount)))
  return (
    <>
      <NumberField of={of} name={'fee' as never} label={t('pay.fee')} help={t('pay.feeHelp')} unit={booked} />
      {isMuch && (
        <SwitchField
          of={of}
          name={'fee_sure' as never}
          label={t('pay.feeSure')}
          {...(booked === currency &&
            Number(amount) > 0 && {
              help: t('pay.feeSureHelp', {
                fee: money(typed, booked),
                percent: percent((fee / Number(amount)) * 100),
              }),
            })}
        />
      )}
    </>
  )
}
