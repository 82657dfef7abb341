import { useTranslation } from '#web/i18n/use-translation.ts'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { CurrencyFields, currencyInput } from '#web/features/money/currency/currency-fields.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Adds a currency of the network's own. */
export function CurrencyCreate({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('currency')
  const form = useSaveForm({
    endpoint: currencyApi.create,
    initial: { code: '', name: '', sign: '', decimals: '2' },
    toInput: (values) => ({ body: currencyInput(values) }),
    invalidate: [currencyApi.list, currencyRateApi.list],
    savedText: t('added'),
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={t('add')} action={t('addAction')} onClose={onClose}>
      <TextField of={form} name="code" label={t('code')} help={t('codeHelp')} required />
      <CurrencyFields of={form} />
    </SideForm>
  )
}
