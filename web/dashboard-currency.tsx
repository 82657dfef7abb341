import { lazy, Suspense, type ReactNode } from 'react'
import type { Currency } from '#contract/money/amount.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { useRemembered } from '#web/kit/remembered.ts'
import type { MissingRatesProps } from '#web/missing-rates.tsx'

const Choice = lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/dashboard-money.tsx'))).DashboardMoney }))
const Missing = lazy(async () => ({ default: (await withinChunkTimeout(() => import('#web/missing-rates.tsx'))).MissingRates }))

/** The currency somebody likes their dashboard in, null = the usual one, with the field that chooses it, which comes after the figures. */
export function useDashboardCurrency(): { currency: Currency | null; choice: ReactNode } {
  const [kept, keep] = useRemembered('currency', isCode)
  const currency = kept ?? null
  return {
    currency,
    choice: (
      <Suspense>
        <Choice currency={currency} onChange={keep} />
      </Suspense>
    ),
  }
}

/** What a dashboard cannot show for want of a rate. */
export function DashboardMissing({ of }: MissingRatesProps) {
  return (
    of.length > 0 && (
      <Suspense>
        <Missing of={of} />
      </Suspense>
    )
  )
}

function isCode(value: unknown): value is Currency {
  return typeof value === 'string' && /^[A-Z0-9]{3,10}$/.test(value)
}
