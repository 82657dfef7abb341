import { daysOf, type AskedPeriod } from '#web/period.ts'
import { todayIn } from '#web/zone-time.ts'

/**
 * The name of a file of traffic: what is in it, its days, the zone they are days of, and the currency of its money ('each' where every
 * row has its own, absent where there is none), and the days it is compared with. No period is all of the time.
 */
export function trafficFile(of: {
  what: string
  days: readonly string[] | AskedPeriod | null
  against?: readonly string[]
  zone: string
  currency?: string
}): string {
  return [
    of.what,
    ...(of.days === null ? ['all time'] : new Set(textsOf(of.days, of.zone))),
    ...(of.against?.length ? ['vs', ...new Set(of.against)] : []),
    of.zone,
    ...(of.currency ? [of.currency] : []),
  ]
    .join(' ')
    .replaceAll('/', '-')
}

function textsOf(days: readonly string[] | AskedPeriod, zone: string): readonly string[] {
  if (!('preset' in days)) return days
  const { from, to } = daysOf(days, todayIn(zone))
  return [from, to]
}
