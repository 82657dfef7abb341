import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { currencyApi } from '#contract/money/currency.ts'
import { CurrencyFields, currencyInput } from '#web/features/money/currency/currency-fields.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Changes a currency of the network's own: its name and sign, and its decimals until money is counted in it. */
export function CurrencyEdit({ currency, onClose }: { currency: CallOutput<typeof currencyApi.update>; onClose: () => void }) {
  const { t } = useTranslation('currency')
  const form = useSaveForm({
    endpoint: currencyApi.update,
    record: currency,
    valuesOf: ({ code, name, sign, decimals }) => ({ code, name, sign, decimals: String(decimals) }),
    toInput: (values, { version }) => ({ body: { ...currencyInput(values), version } }),
    invalidate: [currencyApi.list],
    onSaved: onClose,
  })
  return (
    <SideForm of={form} title={currency.code} action={t('saveAction')} onClose={onClose}>
      <CurrencyFields of={form} />
    </SideForm>
  )
}
