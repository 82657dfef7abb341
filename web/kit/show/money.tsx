import type { Currency } from '#contract/money/amount.ts'
import { money } from '#web/format.ts'

/** An amount (decimal text) in its currency. Copying takes the plain figure, which spreadsheets and banks understand. */
export function Money({ amount, currency }: { amount: string | null | undefined; currency: Currency }) {
  return (
    <span
      className="ohma-number"
      onCopy={(event) => {
        if (amount === null || amount === undefined) return
        event.clipboardData.setData('text/plain', amount)
        event.preventDefault()
      }}
    >
      {money(amount, currency)}
    </span>
  )
}
