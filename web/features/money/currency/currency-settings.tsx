import { CurrencyList } from '#web/features/money/currency/currency-list.tsx'
import { CurrencyRates } from '#web/features/money/currency/currency-rates.tsx'

/** Which currencies the network works in, its own ones, and what they are worth. */
export function CurrencySettings() {
  return (
    <>
      <CurrencyList />
      <CurrencyRates />
    </>
  )
}
