import { date } from '#web/format.ts'

/** What a clock in a zone shows at a moment (ISO 8601), as `YYYY-MM-DD HH:mm:ss`. */
export function clockAt(moment: string, zone: string): string {
  return new Date(Date.parse(moment) + offsetAt(Date.parse(moment), zone)).toISOString().slice(0, 19).replace('T', ' ')
}

/** A moment (ISO 8601) as a log has it, to the second: 23:26:35 of today, 21 Nov 23:26:35 of other days, with the year where it is another one. */
export function logTime(moment: string, zone: string, now: number, locale?: string): string {
  const [day = '', time = ''] = clockAt(moment, zone).split(' ')
  const today = dayAt(new Date(now).toISOString(), zone)
  if (day === today) return time
  return `${date(moment, zone, { ...(locale !== undefined && { locale }), yearless: day.slice(0, 4) === today.slice(0, 4) })} ${time}`
}

/** The calendar day on which a moment (ISO 8601) falls in a zone, as `YYYY-MM-DD`. */
export function dayAt(moment: string, zone: string): string {
  return clockAt(moment, zone).slice(0, 10)
}

/** The calendar day it is now in a zone, as `YYYY-MM-DD`. */
export function todayIn(zone: string): string {
  return dayAt(new Date().toISOString(), zone)
}

/** The moment (ISO 8601) at which a clock in a zone shows `YYYY-MM-DD HH:mm:ss`; a time that summer time skips is taken an hour later. */
export function momentAt(clock: string, zone: string): string {
  const asUtc = Date.parse(`${clock.replace(' ', 'T')}Z`)
  // the offset of a moment near by may be that of the other side of a clock change, so look again where that leads
  const first = asUtc - offsetAt(asUtc, zone)
  return new Date(asUtc - offsetAt(first, zone)).toISOString()
}

/** Milliseconds a zone is ahead of UTC at a moment. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second')) - Math.floor(at / 1000) * 1000
}
