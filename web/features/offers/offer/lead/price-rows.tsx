import { useTranslation } from '#web/i18n/use-translation.ts'
import { pricesLeft } from '#contract/leads/product.ts'
import { fieldText } from '#web/i18n/language.ts'
import { PriceRows as Rows } from '#web/price/price-rows.tsx'
import classes from './lead.module.css'
import { memberAt, type MemberProps } from './member-at.ts'
import { ownPriceWords } from './own-price-words.ts'

/** What a product pays and costs by goal and country in its place, and what it pays by itself wherever that says nothing. */
export function PriceRows({ of, path }: MemberProps) {
  const { t } = useTranslation('offer')
  const { own, prices = [] } = memberAt(of, path) ?? {}
  const { goals, currency } = of.values
  const named = goals.filter(({ code }) => code !== '')
  const left = own === undefined ? [] : pricesLeft(prices, own.prices).filter(({ goal }) => named.some(({ code }) => code === goal))
  return (
    <>
      <Rows
        of={of}
        path={`${path}.prices`}
        words={{
          title: t('lead.prices'),
          text: t('lead.pricesText'),
          row: (number) => t('lead.priceRow', { number }),
          goal: t('lead.goal'),
          geos: t('lead.geos'),
          others: t('lead.otherGeos'),
          price: t('lead.price'),
          remove: (number) => t('lead.priceRemove', { number }),
          add: t('lead.priceAdd'),
        }}
        goals={named.map(({ code, title }) => ({ value: code, label: title || code }))}
        goal={(goals.find(({ is_default }) => is_default) ?? goals[0])?.code ?? ''}
        currency={currency}
        payout={{ label: t('lead.payout'), placeholder: t('lead.asGoal') }}
      />
      {own !== undefined && left.length > 0 && (
        <div data-wide>
          <p className="ohma-soft">{t('lead.ownPricesHere', { prices: ownPriceWords(left, named, own.currency).join('; ') })}</p>
          {own.currency !== currency && (
            <p className={classes.error}>{fieldText(`Its prices are in ${own.currency}, this offer is in ${currency}`)}</p>
          )}
        </div>
      )}
    </>
  )
}
