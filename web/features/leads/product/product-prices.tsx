import { useTranslation } from '#web/i18n/use-translation.ts'
import { INTEGRATION_TYPES, type IntegrationType } from '#contract/leads/integration-type.ts'
import { useConstants } from '#web/api/constants.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { PriceRows } from '#web/price/price-rows.tsx'
import type { ProductValues } from './product-values.ts'

/** What a product pays for each goal of its leads, wherever its place in an offer says nothing of its own. */
export function ProductPrices<Values extends ProductValues>({ of, type }: { of: SaveForm<Values>; type: IntegrationType }) {
  const { t } = useTranslation('product')
  const { currency: active } = useConstants()
  const { currency, prices } = of.values
  const goals = goalsOf(type)
  const paid = INTEGRATION_TYPES[type].goals.find(({ isPaid }) => isPaid) ?? INTEGRATION_TYPES[type].goals[0]
  // its integration may be of another kind by now
  const left = [...new Set(prices.map(({ goal }) => goal))].filter((goal) => !goals.some((one) => one === goal))
  const options = [...goals.map((value) => ({ value, label: t(`goal.${value}`) })), ...left.map((value) => ({ value, label: value }))]
  return (
    <FormSection title={t('prices')} text={t('pricesText')}>
      <SelectField
        of={of}
        name="currency"
        label={t('currency')}
        options={active.some(({ value }) => value === currency) ? active : [...active, { value: currency, label: currency }]}
        help={t('currencyHelp')}
        required
      />
      <PriceRows
        of={of}
        path="prices"
        words={{
          title: t('prices.rows'),
          text: t('prices.text'),
          row: (number) => t('prices.row', { number }),
          goal: t('prices.goal'),
          geos: t('geos'),
          others: t('prices.others'),
          price: t('prices.price'),
          remove: (number) => t('prices.remove', { number }),
          add: t('prices.add'),
        }}
        goals={options}
        goal={paid?.code ?? ''}
        currency={currency}
      />
    </FormSection>
  )
}

const GOALS = ['registration', 'ftd', 'redeposit', 'lead', 'sale', 'soi', 'doi'] as const

/** The goals leads of a kind are booked under; those of a product that takes any may be of every kind. */
function goalsOf(type: IntegrationType) {
  const codes = INTEGRATION_TYPES[type].goals.map(({ code }) => code)
  return type === 'generic' ? GOALS : GOALS.filter((goal) => codes.includes(goal))
}
