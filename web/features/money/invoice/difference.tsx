import { Money } from '#web/kit/show/money.tsx'

/** More or less than before: its sign is always written. */
export function Difference({ amount: units, currency }: { amount: string; currency: string }) {
  const less = units.startsWith('-')
  return (
    <span style={{ color: less ? 'var(--ohma-bad)' : 'var(--ohma-good)' }}>
      {!less && '+'}
      <Money amount={units} currency={currency} />
    </span>
  )
}
