import { Money } from '#web/kit/show/money.tsx'

/** More or less than before: its sign is always written. */
export function Difference({ amount, currency }: { amount: string; currency: string }) {
  return (
    <span style={{ color: amount.startsWith('-') ? 'var(--ohma-bad)' : 'var(--ohma-good)' }}>
      <Money amount={amount} currency={currency} column signed />
    </span>
  )
}
