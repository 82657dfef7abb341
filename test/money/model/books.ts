/** Amounts in this model are whole hundred-millionths, as bigint; a debit is above zero, a credit below. */
export const ONE = 100_000_000n

/** What the model refuses, by the code the product has for it. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export function refuseIf(condition: boolean, code: string): void {
  if (condition) throw new Refused(code)
}

/** Balances by `kind owner currency`. */
export type Books = Map<string, bigint>

/** What moved at the source in another currency, and what the rate of its day made of the amount. */
export type Exchange = { currency: string; moved: bigint; expected: bigint }

/** `from → to amount`: a debit of the one, a credit of the other; below zero the sides swap. */
export function move(
  books: Books,
  currency: string,
  [from, fromOwner]: [string, number],
  [to, toOwner]: [string, number],
  amount: bigint,
): void {
  add(books, from, fromOwner, currency, amount)
  add(books, to, toOwner, currency, -amount)
}

export function balance(books: Books, kind: string, owner: number, currency: string): bigint {
  return books.get(`${kind} ${owner} ${currency}`) ?? 0n
}

function add(books: Books, kind: string, owner: number, currency: string, amount: bigint): void {
  const key = `${kind} ${owner} ${currency}`
  books.set(key, (books.get(key) ?? 0n) + amount)
}

/** Rounded half away from zero to so many decimals. */
export function round(amount: bigint, decimals: number): bigint {
  const unit = 10n ** BigInt(8 - decimals)
  const size = amount < 0n ? -amount : amount
  const whole = size / unit + (size % unit >= unit - (size % unit) ? 1n : 0n)
  return (amount < 0n ? -whole : whole) * unit
}

/** A share of an amount in per cent, both exact, rounded once. */
export function share(amount: bigint, percent: string, decimals: number): bigint {
  const unit = 10n ** BigInt(8 - decimals)
  const numerator = amount * parse(percent)
  const divisor = 100n * ONE * unit
  const size = numerator < 0n ? -numerator : numerator
  const whole = size / divisor + ((size % divisor) * 2n >= divisor ? 1n : 0n)
  return (numerator < 0n ? -whole : whole) * unit
}

/** `12.5` as hundred-millionths. */
export function parse(text: string): bigint {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * ONE + BigInt(fraction.padEnd(8, '0'))
  return negative ? -size : size
}

export function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

export function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}
