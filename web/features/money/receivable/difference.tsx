import { Money } from '#web/kit/show/money.tsx'

/** More or less than before: its sign is always written. */
export function Difference({ amount, currency }: { amount: string; currency: string }) {
  const isLess = amount.startsWith('-')
  return (
    <span style={{ color: isLess ? 'var(--ohma-bad)' : 'var(--ohma-good)' }}>
      {!isLess && '+'}
      <Money amount={amount} currency={currency} />
    </span>
  )
}
