import { AppError } from '#server/platform/errors.ts'
import { dayIn } from '#server/rules/zone-day.ts'

type Period = { period_from: string | null; period_to: string }

/** Refuses by name a period that ends before it begins, as documents would print it. Throws `invalid_input`. */
export function refuseReversed({ period_from: from, period_to: to }: Period): void {
  if (from !== null && from > to) throw new AppError('invalid_input', { fields: { period_to: 'The last day lies before the first' } })
}

/** The same, and of one that ends after today in a zone: what will be earned in it is not there to be invoiced. Throws `invalid_input`. */
export function refusePeriod(now: number, period: Period, zone: string): void {
  refuseReversed(period)
  const to = period.period_to
  const today = dayIn(now, zone)
  if (to > today) throw new AppError('invalid_input', { fields: { period_to: `This day lies ahead: the last that may be is ${today}` } })
}
