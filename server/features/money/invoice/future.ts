import { AppError } from '#server/platform/errors.ts'
import { dayIn } from '#server/rules/zone-day.ts'

/** Refuses by name a period that ends after today in a zone: what will be earned in it is not there to be invoiced. Throws `invalid_input`. */
export function refuseFuture(now: number, periodTo: string, zone: string): void {
  const today = dayIn(now, zone)
  if (periodTo > today)
    throw new AppError('invalid_input', { fields: { period_to: `This day lies ahead: the last that may be is ${today}` } })
}
