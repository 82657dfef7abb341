import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { currencyRateApi } from '#contract/money/currency.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { day as dayText } from '#web/format.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { todayIn } from '#web/zone-time.ts'

type Rates = CallOutput<typeof currencyRateApi.list>

/** The rates of exchange of today, as the network's zone has it. A rate holds until the next day that has one; what was converted before stays. */
export function CurrencyRates() {
  const day = todayIn(useConstants().partner_settings.time_zone)
  const rates = useQuery(query(currencyRateApi.list, { body: { day } }))
  return rates.data && <RatesForm key={rates.dataUpdatedAt} day={day} rates={rates.data} />
}

function RatesForm({ day, rates }: { day: string; rates: Rates }) {
  const { t } = useTranslation('currency')
  const others = rates.list.filter(({ currency }) => currency !== rates.base)
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
    invalidate: [currencyRateApi.list],
    savedText: t('rates.saved'),
    onSaved: () => {},
  })
  return (
    <PageForm of={form} label={t('rates.title')} action={t('rates.save')}>
      <FormSection title={t('rates.title')} text={t('rates.text', { base: rates.base })}>
        {others.map(({ currency, day: since }) => (
          <NumberField
            key={currency}
            of={form}
            name={`rates.${currency}`}
            label={`1 ${currency}`}
            unit={rates.base}
            help={since === null ? t('rates.none') : t('rates.since', { day: dayText(since) })}
          />
        ))}
      </FormSection>
    </PageForm>
  )
}
