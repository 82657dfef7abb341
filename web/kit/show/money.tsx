import type { Currency } from '#contract/money/amount.ts'
import { money } from '#web/format.ts'

type MoneyProps = {
  amount: string | null | undefined
  currency: Currency
  /** A price: shown with all its decimals. Without, rounded to those of the currency, the whole on hover: lists, cards, tiles. */
  exact?: boolean
}

/** An amount (decimal text) in its currency. Copying takes the plain figure, which spreadsheets and banks understand. */
export function Money({ amount, currency, exact = false }: MoneyProps) {
  const [shown, whole] = [money(amount, currency, { exact }), money(amount, currency, { exact: true })]
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
