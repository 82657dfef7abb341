import type { REPORT_DATES } from '#contract/money/report-reading.ts'

type Dates = (typeof REPORT_DATES)[number]

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK = String.raw`(?:[T ,]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s*([ap]m)?)?`
const ZONE = String.raw`\s*(z|utc|gmt|(?:utc|gmt)?[+-]\d{1,2}(?::?\d{2})?)?`
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${CLOCK}${ZONE}$`, 'i')
const YEAR_LAST = new RegExp(String.raw`^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})${CLOCK}${ZONE}$`, 'i')
const DAY_MONTH = new RegExp(String.raw`^(\d{1,2})[ -]([a-z]{3})[a-z]*\.?[ ,-]+(\d{4})${CLOCK}${ZONE}$`, 'i')
const MONTH_DAY = new RegExp(String.raw`^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${CLOCK}${ZONE}$`, 'i')

/** `zoned`: it names its zone, or needs none. */
export type TimeRead = { at: number; dayOnly: boolean; zoned: boolean }

/**
 * The wall clock of a text as if it were UTC, in milliseconds; what names its zone is turned into UTC. Null where it is no moment. Seconds
 * and milliseconds since 1970 are moments of UTC.
 */
export function readTime(text: string, dates: Dates): TimeRead | null {
  const trimmed = text.trim()
  if (/^\d{10}$/.test(trimmed)) return { at: Number(trimmed) * 1000, dayOnly: false, zoned: true }
  if (/^\d{13}$/.test(trimmed)) return { at: Number(trimmed), dayOnly: false, zoned: true }
  const iso = YEAR_FIRST.exec(trimmed)
  if (iso) return momentOf(iso.slice(4), Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const last = dates === 'iso' ? null : YEAR_LAST.exec(trimmed)
  if (last) {
    const [first, second, year] = [Number(last[1]), Number(last[2]), Number(last[3])]
    const [day, month] = dates === 'dmy' ? [first, second] : [second, first]
    return momentOf(last.slice(4), year < 100 ? 2000 + year : year, month, day)
  }
  const named = DAY_MONTH.exec(trimmed)
  if (named) return momentOf(named.slice(4), Number(named[3]), monthOf(named[2]), Number(named[1]))
  const american = MONTH_DAY.exec(trimmed)
  if (american) return momentOf(american.slice(4), Number(american[3]), monthOf(american[1]), Number(american[2]))
  return null
}

/** How the moments of a column are written; null where days and months cannot be told apart. */
export function guessDates(texts: readonly string[]): Dates | null {
  let points = false
  let told: Dates | null = null
  let any = false
  for (const text of texts) {
    const match = YEAR_LAST.exec(text.trim())
    if (!match) continue
    any = true
    points ||= text.includes('.') && !text.includes('/')
    if (Number(match[1]) > 12) told ??= 'dmy'
    else if (Number(match[2]) > 12) told ??= 'mdy'
  }
  if (!any) return 'iso'
  return told ?? (points ? 'dmy' : null)
}

function monthOf(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').toLowerCase()) + 1
}

function momentOf(
  [hours, minutes, seconds, half, zone]: readonly (string | undefined)[],
  year: number,
  month: number,
  day: number,
): TimeRead | null {
  const hour = half === undefined ? Number(hours ?? 0) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
  const at = Date.UTC(year, month - 1, day, hour, Number(minutes ?? 0), Number(seconds ?? 0))
  const date = new Date(at)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && Number(minutes ?? 0) < 60
  if (!isReal || year < 2000 || year > 2100) return null
  return { at: at - offsetOf(zone) * 60_000, dayOnly: hours === undefined, zoned: zone !== undefined }
}

function offsetOf(zone: string | undefined): number {
  const match = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone ?? '')
  if (!match) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0)
  return match[1] === '-' ? -minutes : minutes
}
