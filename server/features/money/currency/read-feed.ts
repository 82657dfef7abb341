import { XMLParser } from 'fast-xml-parser'
import { divideRounded, fromUnits, toUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { RATE_FEEDS } from '#contract/money/currency-rate.ts'
import type { GivenRate } from './rate.queries.ts'

export type Feed = Exclude<(typeof RATE_FEEDS)[number], 'none' | 'url'>

/** Where the central banks tell the rates of the day, from their documentation; not seen live. */
export const FEED_URLS: Readonly<Record<Feed, string>> = {
  ecb: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  nbu: 'https://bank.gov.ua/NBUStatService/v1/statdirectory/exchange?json',
}

/** What one unit of currencies is worth, by day, in the bank's own currency: a fraction, so that nothing is rounded twice. */
type Told = { day: string; worth: ReadonlyMap<Currency, { up: bigint; down: bigint }> }

/**
 * The rates of an answer in the base currency of the network, rounded once to eight decimals. Says what is wrong where it is no
 * answer of that bank, or where the bank does not tell the base currency.
 */
export function readFeed(feed: Feed, text: string, base: Currency): GivenRate[] | { problem: 'not_understood' | 'base_missing' } {
  const told = feed === 'ecb' ? readEcb(text) : readNbu(text)
  if (told === null || told.worth.size < 2) return { problem: 'not_understood' }
  const own = told.worth.get(base)
  if (own === undefined) return { problem: 'base_missing' }
  return [...told.worth].flatMap(([currency, { up, down }]) => {
    const units = divideRounded(up * own.down * UNITS, down * own.up)
    return currency === base || units <= 0n || units >= 10n ** 18n ? [] : [{ currency, day: told.day, rate: fromUnits(units) }]
  })
}

/** `<Cube time="2026-11-20"><Cube currency="USD" rate="1.0865"/>…`: so much of each for one euro. */
function readEcb(text: string): Told | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseAttributeValue: false,
    removeNSPrefix: true,
    maxNestedTags: 20,
    isArray: (name) => name === 'Cube',
  })
  let root: unknown
  try {
    root = parser.parse(text, true)
  } catch {
    return null
  }
  const days = cubes(cubes(record(root)['Envelope']).at(0))
  const day = days.find((one) => typeof one['time'] === 'string')
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(String(day['time']))) return null
  const worth = new Map<Currency, { up: bigint; down: bigint }>([['EUR', { up: UNITS, down: UNITS }]])
  for (const one of cubes(day)) add(worth, one['currency'], one['rate'], (units) => ({ up: UNITS, down: units }))
  return { day: String(day['time']), worth }
}

/** `[{"cc":"USD","rate":41.2345,"exchangedate":"23.11.2026"},…]`: so many hryvnias for one of each. */
function readNbu(text: string): Told | null {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch {
    return null
  }
  if (!Array.isArray(list) || list.length === 0 || list.length > 1000) return null
  const rows = list.map(record)
  const [, date, month, year] = /^(\d{2})\.(\d{2})\.(\d{4})$/.exec(String(rows[0]?.['exchangedate'])) ?? []
  if (rows.some((row) => row['exchangedate'] !== rows[0]?.['exchangedate']) || year === undefined) return null
  const worth = new Map<Currency, { up: bigint; down: bigint }>([['UAH', { up: UNITS, down: UNITS }]])
  for (const row of rows) add(worth, row['cc'], row['rate'], (units) => ({ up: units, down: UNITS }))
  return { day: `${year}-${month}-${date}`, worth }
}

function add(
  worth: Map<Currency, { up: bigint; down: bigint }>,
  code: unknown,
  rate: unknown,
  as: (units: bigint) => { up: bigint; down: bigint },
): void {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(String(rate)) ?? []
  if (typeof code !== 'string' || !/^[A-Z]{3}$/.test(code) || whole === undefined) return
  const units = toUnits(`${whole}.${fraction.slice(0, 8).padEnd(1, '0')}`)
  if (units > 0n) worth.set(code, as(units))
}

function cubes(of: unknown): Record<string, unknown>[] {
  const found = record(of)['Cube']
  return Array.isArray(found) ? found.map(record) : []
}

function record(of: unknown): Record<string, unknown> {
  return typeof of === 'object' && of !== null ? (of as Record<string, unknown>) : {}
}
