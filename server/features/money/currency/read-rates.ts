import Papa from 'papaparse'
import type { Currency } from '#contract/money/amount.ts'
import type { RateImport } from '#contract/money/currency-rate.ts'
import { FIRST_RATE_DAY, rate as rateShape } from '#contract/money/currency.ts'
import type { GivenRate } from './rate.queries.ts'

type Mistake = RateImport['mistakes'][number]
export type ReadRates = { lines: number; rates: GivenRate[]; mistakes: Mistake[] }

/** So many lines a file may have: twelve currencies over twenty years. */
const MOST_LINES = 100_000
const COLUMNS = ['day', 'currency', 'rate'] as const

/**
 * Reads lines `day,currency,rate` (any delimiter, the columns in any order, numbers with a point or a comma). Null where the file
 * names no such columns or has too many lines; a line that says nothing sensible is refused by its number, the others stand.
 */
export function readRates(
  text: string,
  { base, today, known }: { base: Currency; today: string; known: ReadonlySet<Currency> },
): ReadRates | null {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: false, delimitersToGuess: [',', ';', '\t', '|'] })
  const places = COLUMNS.map((column) => data[0]?.findIndex((cell) => cell.trim().toLowerCase() === column) ?? -1)
  if (places.includes(-1) || data.length > MOST_LINES + 1) return null
  const width = data[0]?.length ?? 0
  const read: ReadRates = { lines: 0, rates: [], mistakes: [] }
  const seen = new Set<string>()
  for (const [index, cells] of data.entries()) {
    if (index === 0 || cells.every((cell) => cell.trim() === '')) continue
    read.lines++
    const [day = '', code = '', figure = ''] = places.map((place) => (cells[place] ?? '').trim())
    const rate = figure.replace(/[\s\u00a0]/g, '').replace(',', '.')
    const currency = code.toUpperCase()
    const isOdd = cells.findLastIndex((cell) => cell.trim() !== '') >= width || places.some((place) => place >= cells.length)
    const mistake = isOdd
      ? 'cells'
      : (mistakeOf({ day, currency, rate }, { base, today, known }) ?? (seen.has(`${currency} ${day}`) ? 'twice' : null))
    if (mistake === null) read.rates.push({ day, currency, rate })
    else read.mistakes.push({ line: index + 1, text: cells.join(' ').slice(0, 80), mistake })
    if (mistake === null) seen.add(`${currency} ${day}`)
  }
  return read
}

function mistakeOf(
  { day, currency, rate }: GivenRate,
  { base, today, known }: { base: Currency; today: string; known: ReadonlySet<Currency> },
): Mistake['mistake'] | null {
  if (!isDay(day)) return 'day_invalid'
  if (day < FIRST_RATE_DAY) return 'day_old'
  if (day > today) return 'day_future'
  if (currency === base) return 'currency_base'
  if (!known.has(currency)) return 'currency_unknown'
  return rateShape.safeParse(rate).success ? null : 'rate_invalid'
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}
