import { useTranslation } from '#web/i18n/use-translation.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

export type CurrencyValues = { code: string; name: string; sign: string; decimals: string }

/** Values of the fields as the contract wants them; decimals that are no number are refused at their field. */
export function currencyInput({ code, decimals, ...rest }: CurrencyValues) {
  return { ...rest, code: code.trim().toUpperCase(), decimals: typedNumber(decimals) }
}

/** What can be said of a currency of the network's own but its code. */
export function CurrencyFields({ of }: { of: SaveForm<CurrencyValues> }) {
  const { t } = useTranslation('currency')
  return (
    <>
      <TextField of={of} name="name" label={t('name')} required />
      <TextField of={of} name="sign" label={t('sign')} help={t('signHelp')} />
      <NumberField of={of} name="decimals" label={t('decimals')} help={t('decimalsHelp')} whole required />
    </>
  )
}
