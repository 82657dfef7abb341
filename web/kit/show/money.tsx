import type { Currency } from '#contract/money/amount.ts'
import { money } from '#web/format.ts'

type MoneyProps = {
  amount: string | null | undefined
  currency: Currency
  /** A price: shown with all its decimals. Without, rounded to those of the currency, the whole on hover: lists, cards, tiles. */
  exact?: boolean
  /** The least it is shown with, where exact figures stand below each other: `sharedDecimals`. */
  decimals?: number
}

/** An amount (decimal text) in its currency. Copying takes the plain figure, which spreadsheets and banks understand. */
export function Money({ amount, currency, exact = false, decimals }: MoneyProps) {
  const least = decimals === undefined ? {} : { decimals }
  const [shown, whole] = [money(amount, currency, { exact, ...least }), money(amount, currency, { exact: true, ...least })]
  return (
    <span
      className="ohma-number"
      title={shown === whole ? undefined : whole}
      onCopy={(event) => {
        if (amount === null || amount === undefined) return
        event.clipboardData.setData('text/plain', amount)
        event.preventDefault()
      }}
    >
      {shown}
    </span>
  )
}
