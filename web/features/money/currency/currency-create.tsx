import { useTranslation } from 'react-i18next'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Adds a currency of the network's own. */
export function CurrencyCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('currency')
  const form = useSaveForm({
    endpoint: currencyApi.create,
    initial: { code: '', name: '', sign: '', decimals: '2' },
    toInput: ({ code, decimals, ...rest }) => ({
      body: { ...rest, code: code.trim().toUpperCase(), decimals: decimals === '' ? Number.NaN : Number(decimals) },
    }),
    invalidate: [currencyApi.list, currencyRateApi.list],
    savedText: t('added'),
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('add')} action={t('addAction')} onClose={onClose}>
      <TextField of={form} name="code" label={t('code')} help={t('codeHelp')} required />
      <TextField of={form} name="name" label={t('name')} required />
      <TextField of={form} name="sign" label={t('sign')} help={t('signHelp')} />
      <NumberField of={form} name="decimals" label={t('decimals')} help={t('decimalsHelp')} whole required />
    </SideForm>
  )
}
