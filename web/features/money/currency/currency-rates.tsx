import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { rateTableApi } from '#contract/money/currency-rate.ts'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { day as dayText } from '#web/format.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { focusField, useSaveForm } from '#web/kit/form/use-save-form.ts'
import { todayIn } from '#web/zone-time.ts'

type Rates = CallOutput<typeof currencyRateApi.list>

/** The rates of exchange of today of the currencies in use; others are added. Today is as the network's zone has it. A rate holds for seven days or until the next day that has one; what was converted before stays. */
export function CurrencyRates() {
  const day = todayIn(useConstants().partner_settings.time_zone)
  const rates = useQuery(query(currencyRateApi.list, { body: { day } }))
  const currencies = useQuery(query(currencyApi.list, {}))
  if (rates.data === undefined || currencies.data === undefined) return null
  const used = currencies.data.list.filter((one) => one.in_use).map(({ code }) => code)
  return <RatesForm key={rates.dataUpdatedAt} day={day} rates={rates.data} used={used} />
}

function RatesForm({ day, rates, used }: { day: string; rates: Rates; used: readonly string[] }) {
  const { t } = useTranslation('currency')
  const others = rates.list.filter(({ currency }) => currency !== rates.base)
  const [added, setAdded] = useState<readonly string[]>([])
  const shown = others.filter(({ currency, day: last }) => last !== null || used.includes(currency) || added.includes(currency))
  const rest = others.filter((one) => !shown.includes(one)).map(({ currency }) => currency)
  const before = new Map(others.map(({ currency, rate }) => [currency, rate ?? '']))
  const form = useSaveForm({
    endpoint: currencyRateApi.set,
    initial: { rates: Object.fromEntries(before) as Record<string, string> },
    // only what was changed gets today's date
    toInput: (values) => ({
      body: {
        day,
        rates: others.flatMap(({ currency }) => {
          const rate = values.rates[currency] ?? ''
          return rate !== '' && rate !== before.get(currency) ? [{ currency, rate }] : []
        }),
      },
    }),
    invalidate: [currencyRateApi.list, rateTableApi.month, rateTableApi.history],
    savedText: t('rates.saved'),
    onSaved: () => {},
  })
  return (
    <PageForm of={form} label={t('rates.title')} action={t('rates.save')}>
      <FormSection title={t('rates.title')} text={t('rates.text', { base: rates.base })}>
        {shown.map(({ currency, rate, day: since }) => (
          <NumberField
            key={currency}
            of={form}
            name={`rates.${currency}`}
            label={`1 ${currency}`}
            unit={rates.base}
            help={since === null ? t('rates.none') : t(rate === null ? 'rates.expired' : 'rates.since', { day: dayText(since) })}
          />
        ))}
        {rest.length > 0 && (
          <Select
            label={t('rates.add')}
            placeholder={t('rates.addHint')}
            data={rest}
            searchable
            value={null}
            onChange={(currency) => {
              if (currency === null) return
              setAdded([...added, currency])
              requestAnimationFrame(() => focusField(form.id, `rates.${currency}`))
            }}
          />
        )}
      </FormSection>
    </PageForm>
  )
}
