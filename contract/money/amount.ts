import { z } from 'zod'

/** ISO 4217 codes the network works with; `decimals` are those of invoices and of what people read. */
export const CURRENCIES = {
  USD: { label: 'US dollar', decimals: 2 },
  EUR: { label: 'Euro', decimals: 2 },
  UAH: { label: 'Ukrainian hryvnia', decimals: 2 },
  GBP: { label: 'Pound sterling', decimals: 2 },
  PLN: { label: 'Polish złoty', decimals: 2 },
  CHF: { label: 'Swiss franc', decimals: 2 },
  CZK: { label: 'Czech koruna', decimals: 2 },
  TRY: { label: 'Turkish lira', decimals: 2 },
  BRL: { label: 'Brazilian real', decimals: 2 },
  INR: { label: 'Indian rupee', decimals: 2 },
  JPY: { label: 'Japanese yen', decimals: 0 },
  KWD: { label: 'Kuwaiti dinar', decimals: 3 },
} as const
export type Currency = keyof typeof CURRENCIES
export const CURRENCY_CODES = Object.keys(CURRENCIES) as [Currency, ...Currency[]] // keys of a literal object

export const currency = z.enum(CURRENCY_CODES)

/** The scale amounts are stored in: `numeric(18,4)`. */
export const MONEY_SCALE = 4

/** An amount from zero, of at most 14 digits before and 4 after the point, as text: money never becomes a float. */
export const positiveAmount = z.string().regex(/^\d{1,14}(\.\d{1,4})?$/, 'A number from 0 with at most four decimals')

/** A percentage of 0 to 1000 with at most four decimals, as text. */
export const percent = z.string().regex(/^(1000(\.0{1,4})?|\d{1,3}(\.\d{1,4})?)$/, 'A percentage from 0 to 1000')

/** Turns decimal text into a whole number of ten-thousandths. Throws on anything else. */
export function toUnits(text: string): bigint {
  const match = /^(-?)(\d+)(?:\.(\d{1,4}))?$/.exec(text)
  if (!match) throw new Error(`not an amount: ${text}`)
  const [, sign, whole, fraction = ''] = match
  const units = BigInt(whole + fraction.padEnd(MONEY_SCALE, '0'))
  return sign ? -units : units
}

/** Turns ten-thousandths back into text with exactly four decimals. */
export function fromUnits(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(MONEY_SCALE + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -MONEY_SCALE)}.${digits.slice(-MONEY_SCALE)}`
}

/** Adds decimal texts exactly. */
export function addAmounts(...amounts: string[]): string {
  return fromUnits(amounts.reduce((sum, text) => sum + toUnits(text), 0n))
}

/** `numerator / denominator` in whole units, rounded half away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const quotient = (n * 2n + d) / (d * 2n)
  return negative ? -quotient : quotient
}

/** A percentage of an amount, both decimal texts, rounded half away from zero to four decimals. */
export function percentOf(base: string, rate: string): string {
  return fromUnits(divideRounded(toUnits(base) * toUnits(rate), 100n * 10_000n))
}
