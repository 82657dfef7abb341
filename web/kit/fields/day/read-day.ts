/**
 * A day as people type it, with a time of day where one may stand at its end, and `time` (`HH:mm:ss`) where none does: `2026-11-24`, `24.11.2026`, `24/11`, `24 Nov 26`, with
 * numbers in the order of a locale and its names of months or the English ones. Answers `YYYY-MM-DD` or `YYYY-MM-DD HH:mm:ss`;
 * undefined is no day. A day without a year is in the year of `today` (`YYYY-MM-DD`).
 */
export function readDay(typed: string, today: string, locale: string | undefined, time?: string): string | undefined {
  const [whole, hours, minutes] = /(?:^|\s)(\d{1,2}):(\d{2})(?::\d{2})?$/.exec(typed.trim()) ?? []
  if (whole !== undefined && time === undefined) return undefined
  const text = typed.trim().slice(0, typed.trim().length - (whole?.length ?? 0))
  const day = dayOf(text, today, locale)
  if (day === undefined || time === undefined) return day
  if (hours === undefined) return `${day} ${time}`
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined
  return `${day} ${two(hours)}:${minutes}:00`
}

function dayOf(text: string, today: string, locale: string | undefined): string | undefined {
  const numbers = text.match(/\d+/g) ?? []
  const named = monthIn(text, locale)
  if (numbers.length > 3 || (named !== undefined && numbers.length > 2)) return undefined
  const yearFirst = numbers[0]?.length === 4
  const rest = yearFirst ? numbers.slice(1) : numbers
  const [first, second] = yearFirst || !monthLeads(locale) ? rest : [rest[1], rest[0]]
  const [month, day] = named === undefined ? (yearFirst ? [first, second] : [second, first]) : [named, rest[0]]
  const year = yearFirst ? numbers[0] : named === undefined ? rest[2] : rest[1]
  if (month === undefined || day === undefined) return undefined
  const found = `${yearOf(year, today)}-${two(month)}-${two(day)}`
  const date = new Date(`${found}T00:00:00Z`)
  // the 31st of a month of 30 days is none
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(found) ? found : undefined
}

function yearOf(year: string | undefined, today: string): string {
  return year === undefined ? today.slice(0, 4) : year.length === 2 ? `20${year}` : year
}

/** The number of the month a text names: in any language of ours the first three letters tell them apart. */
function monthIn(text: string, locale: string | undefined): string | undefined {
  const start = (word: string) => word.slice(0, 3).toLowerCase()
  const words = (text.match(/\p{L}{3,}/gu) ?? []).map(start)
  const months = [locale, 'en'].flatMap((language) => {
    const name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_none, index) => ({
      month: String(index + 1),
      start: start(name.format(Date.UTC(2000, index, 15))),
    }))
  })
  return months.find((one) => words.includes(one.start))?.month
}

function monthLeads(locale: string | undefined): boolean {
  const order = new Intl.DateTimeFormat(locale, { timeZone: 'UTC' }).formatToParts(0).map(({ type }) => type)
  return order.indexOf('month') < order.indexOf('day') && order.indexOf('year') > 0
}

function two(text: string): string {
  return text.padStart(2, '0')
}
