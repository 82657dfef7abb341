import { isNothing, type Currency } from '#contract/money/amount.ts'
import { money } from '#web/format.ts'

type MoneyProps = {
  amount: string | null | undefined
  currency: Currency
  /** The price of an offer: shown with all its decimals. */
  exact?: boolean
  /** Figures stand below each other: all have the decimals of the currency, and those of nothing are pale. */
  column?: boolean
  /** A change: what is more has a plus. */
  signed?: boolean
}

/**
 * An amount (decimal text) in its currency, with the decimals people write in it; where the books have more, the whole on hover.
 * Copying takes the plain figure, which spreadsheets and banks understand.
 */
export function Money({ amount, currency, exact = false, column = false, signed = false }: MoneyProps) {
  const [shown, whole] = [money(amount, currency, { exact, column, signed }), money(amount, currency, { exact: true, column, signed })]
  return (
    <span
      className="ohma-number"
      data-nothing={(column && typeof amount === 'string' && isNothing(amount)) || undefined}
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
