import type { Currency } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'

/** What a conversion was before a row of a file changed it, as far as that is given back. */
export type ConversionBefore = {
  status: ConversionStatus
  reason: string
  payout: string
  revenue: string
  amount: string | null
  reported_status: string | null
  reported_amount: string | null
  reported_currency: Currency | null
  hold_until: string | null
}

/** That of a conversion. */
export function beforeOf(row: Omit<ConversionBefore, 'hold_until'> & { hold_until: Date | null }): ConversionBefore {
  const { status, reason, payout, revenue, amount, reported_status, reported_amount, reported_currency, hold_until } = row
  return {
    status,
    reason,
    payout,
    revenue,
    amount,
    reported_status,
    reported_amount,
    reported_currency,
    hold_until: hold_until?.toISOString() ?? null,
  }
}
