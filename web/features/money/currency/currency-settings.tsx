import { useTranslation } from '#web/i18n/use-translation.ts'
import { LastChange } from '#web/last-change.tsx'
import { CurrencyList } from '#web/features/money/currency/currency-list.tsx'
import { CurrencyRates } from '#web/features/money/currency/currency-rates.tsx'
import { RateFeed } from '#web/features/money/currency/rate-feed.tsx'
import { RateTable } from '#web/features/money/currency/rate-table.tsx'
import type english from './currency.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    currency: typeof english
  }
}

/** Which currencies the network works in, its own ones, and what they are worth. */
export function CurrencySettings() {
  const { t } = useTranslation('currency')
  return (
    <>
      <CurrencyList />
      <CurrencyRates />
      <RateTable />
      <RateFeed />
      <LastChange of={{ kind: 'currency', part: '' }} title={t('title')} />
    </>
  )
}
