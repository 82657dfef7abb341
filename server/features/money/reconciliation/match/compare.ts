import { fromUnits, MONEY_SCALE, toUnits } from '#contract/money/amount.ts'
import type { MatchSettings, OurConversion, TheirLine } from './sides.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** `other` names their amount in the conversion's currency; `currency` = another one, in which nothing can be compared. */
export type AmountCompared = { is: 'same' | 'currency' } | { is: 'other'; amount: string }

/** What a line and a conversion are to each other, each question asked with the report's settings and the clock of its file. */
export type Compare = {
  amounts(line: TheirLine, our: OurConversion): AmountCompared
  /** Milliseconds between the two; null where the line says no time. */
  apart(line: TheirLine, our: OurConversion): number | null
  /** Whether they may be the same moment, as far as the line says. */
  isClose(line: TheirLine, our: OurConversion): boolean
}

/** Their amount equals ours within one unit of the currency’s decimals, or within 1 % where it had to be converted. */
export function comparing(settings: MatchSettings, utcOf: (at: number) => number[]): Compare {
  const units = remembered((text: string) => toUnits(text))
  const converted = remembered((key: string) => {
    const [amount = '', from = '', to = ''] = key.split(' ')
    return settings.convert(amount, from, to)
  })
  const amounts: Compare['amounts'] = (line, our) => {
    if (line.amount === null) return { is: 'same' }
    const currency = line.currency ?? our.currency
    const [theirs, mine] = [units(line.amount), units(our.amount)]
    if (currency === our.currency)
      return distance(theirs, mine) <= smallest(settings, currency) ? { is: 'same' } : { is: 'other', amount: line.amount }
    const amount = converted(`${line.amount} ${currency} ${our.currency}`)
    if (amount === null) return { is: 'currency' }
    if (distance(units(amount), mine) * 100n <= distance(mine, 0n)) return { is: 'same' }
    // the same figure under another sign is no other amount
    return theirs === mine ? { is: 'currency' } : { is: 'other', amount: fromUnits(units(amount)) }
  }
  const apart: Compare['apart'] = (line, our) => {
    if (line.at === null) return null
    const each = utcOf(line.at).map((at) => (line.dayOnly ? outside(our.at, at, at + DAY) : Math.abs(our.at - at)))
    return Math.min(...each)
  }
  return { amounts, apart, isClose: (line, our) => (apart(line, our) ?? 0) <= settings.minutes * MINUTE }
}

/** One unit of a currency's decimals, in hundred-millionths. */
export function smallest({ decimals }: MatchSettings, currency: string): bigint {
  return 10n ** BigInt(MONEY_SCALE - (decimals.get(currency) ?? 2))
}

function outside(at: number, from: number, to: number): number {
  return at < from ? from - at : at >= to ? at - to + 1 : 0
}

function distance(a: bigint, b: bigint): bigint {
  return a < b ? b - a : a - b
}

function remembered<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = of(text)
    known.set(text, made)
    return made
  }
}
