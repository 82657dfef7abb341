import type { Currency } from '#contract/money/amount.ts'
import { UNKNOWN } from '#web/format.ts'
import { Money } from '#web/kit/show/money.tsx'

/** What something comes to in each currency: wraps between the sums, and never cuts one. */
export function Sums({ of }: { of: readonly { currency: Currency; net: string }[] }) {
  if (of.length === 0) return UNKNOWN
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', columnGap: 12, whiteSpace: 'nowrap', padding: '4px 0' }}>
      {of.map(({ net, currency }) => (
        <Money key={currency} amount={net} currency={currency} />
      ))}
    </span>
  )
}
