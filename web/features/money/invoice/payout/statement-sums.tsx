import type { StatementSum } from '#contract/money/statement.ts'
import { Money } from '#web/kit/show/money.tsx'

/** One figure of a statement, in each currency of it. */
export function StatementSums({ of, figure }: { of: readonly StatementSum[]; figure: 'opening' | 'earned' | 'paid' | 'closing' }) {
  return (
    <>
      {of.map((one) => (
        <div key={one.currency}>
          <Money amount={one[figure]} currency={one.currency} column />
        </div>
      ))}
    </>
  )
}
