import { z } from 'zod'

/** A currency's code: ISO 4217 or one of the network's own. Which there are, and their decimals, stands in the table `currency`. */
export const currency = z.string().regex(/^[A-Z0-9]{3,10}$/, 'A currency code such as USD')
export type Currency = z.output<typeof currency>

/** By what a list ranks amounts of several currencies: their worth in the base currency today. Those of currencies `without` a rate come last. */
export const ranking = z.object({ base: currency, without: z.array(currency) })

/** Decimals an amount may have at most, in whatever currency. */
export const MONEY_SCALE = 8
/** Texts have at least as many, whatever the currency: one amount is always written the same way. */
const SHORTEST_SCALE = 4

/** An amount is computed with in whole hundred-millionths. */
export const UNITS = 10n ** BigInt(MONEY_SCALE)

/** An amount from zero, of at most 14 digits before and 8 after the point, as text: money never becomes a float. */
export const positiveAmount = z.string().regex(/^\d{1,14}(\.\d{1,8})?$/, 'A number from 0 with at most eight decimals')

/** A percentage of 0 to 1000 with at most four decimals, as text. */
export const percent = z.string().regex(/^(1000(\.0{1,4})?|\d{1,3}(\.\d{1,4})?)$/, 'A percentage from 0 to 1000')

/** Of an amount somebody typed: whether it is missing, or finer than its currency, in a sentence; undefined where it is neither. */
export function amountMistake(text: string, decimals: number): string | undefined {
  if (text === '') return 'Required'
  if (!/^-?\d+\.\d+$/.test(text) || text.replace(/0+$/, '').length - text.indexOf('.') - 1 <= decimals) return undefined
  return decimals === 0 ? 'A whole number: the currency has no decimals' : `At most ${decimals} decimals, as the currency has`
}

/** Turns decimal text into a whole number of hundred-millionths. Throws on anything else. */
export function toUnits(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,8}))?$/.exec(text)
  if (!match) throw new Error(`not an amount: ${text}`)
  const [, sign, whole, fraction = ''] = match
  const units = BigInt(whole + fraction.padEnd(MONEY_SCALE, '0'))
  return sign ? -units : units
}

/** Turns hundred-millionths back into text, exactly: four decimals, or as many of eight as it needs. */
export function fromUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(MONEY_SCALE + 1, '0')
  const fraction = digits.slice(-MONEY_SCALE).replace(/0{1,4}$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -MONEY_SCALE)}.${fraction}`
}

/** Decimal text in the one form it is stored and compared in. Throws on anything else. */
export function amountText(text: string): string {
  return fromUnits(toUnits(text))
}

/** Decimal text with so many decimals; those beyond them have to be zeros, as they are left out. */
export function toDecimals(text: string, decimals: number): string {
  const [whole = '', fraction = ''] = text.split('.')
  return decimals === 0 ? whole : [whole, fraction.slice(0, decimals).padEnd(decimals, '0')].join('.')
}

/** Adds decimal texts exactly. */
export function addAmounts(...amounts: string[]): string {
  return fromUnits(amounts.reduce((sum, text) => sum + toUnits(text), 0n))
}

/** The same the other way round: what is taken where it was given. */
export function negated(text: string): string {
  return fromUnits(-toUnits(text))
}

/** Whether decimal text is zero. */
export function isNothing(text: string): boolean {
  return /^-?0+(\.0*)?$/.test(text)
}

/** Decimal text rounded half away from zero to the decimals people write in its currency. */
export function roundedTo(text: string, decimals: number): string {
  const unit = 10n ** BigInt(MONEY_SCALE - decimals)
  return fromUnits(divideRounded(toUnits(text), unit) * unit)
}

/** `numerator / denominator` in whole units, rounded half away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const quotient = (n * 2n + d) / (d * 2n)
  return negative ? -quotient : quotient
}

/** Decimals that computed amounts of a currency get: its own, and at least four. */
export function scaleOf(decimals: number): number {
  return Math.max(SHORTEST_SCALE, decimals)
}

/**
 * An amount times `factor / divisor`, rounded once, half away from zero, to `scale` decimals; where the amount itself has
 * more, to as many, so that prices per mille are not rounded away.
 */
export function multiplied(amount: string, factor: bigint, divisor: bigint, scale: number): string {
  const units = toUnits(amount)
  const unit = 10n ** BigInt(MONEY_SCALE - Math.max(scale, fromUnits(units).split('.')[1]?.length ?? 0))
  return fromUnits(divideRounded(units * factor, divisor * unit) * unit)
}

/** A percentage of an amount, both decimal texts, rounded as `multiplied` says. */
export function percentOf(base: string, rate: string, scale: number): string {
  return multiplied(base, toUnits(rate), 100n * UNITS, scale)
}
