import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { isLost } from './conversion-status.ts'
import { isEarned } from './postback-names.ts'
import type { Mention } from './postback-reading.ts'

type Counted = readonly Mention[] | { refusal: 'amount_ambiguous'; parameter: string; detail: string }

/** What is said without the amounts that are not those of the goal: of one that shares the sale what the sale brought, of one with a price what its dialect has surer ones for. */
export function countedAmounts(said: readonly Mention[], status: ConversionStatus, shares: boolean): Counted {
  return shares ? sold(said, status) : priced(said)
}

/**
 * What is said of a sale that is shared, without what it brought somebody (`payout` beside `sale_amount`). Where that is
 * all there is, nobody knows whether it is the sale: refused, unless nothing is owed anyway.
 */
function sold(said: readonly Mention[], status: ConversionStatus): Counted {
  const earned = said.filter(isEarnings)
  const [first] = earned
  if (first === undefined) return said
  const rest = said.filter((one) => !earned.includes(one))
  const hasSale = rest.some((one) => isAmount(one) && !isNothing(one.value))
  if (hasSale || isLost(status) || earned.every(({ value }) => isNothing(value))) return rest
  const detail = `${first.name}=${first.value.slice(0, 60)} may be the sale or what it brought: have the name mapped, or send the sale as amount`
  return { refusal: 'amount_ambiguous', parameter: first.name, detail }
}

/**
 * Of a goal with a price of its own, what a dialect says it is of several amounts: what it brings before the sale, the sale before what
 * others may pay for it. Without a dialect what a sale brought somebody is none beside the sale either, as where it is shared.
 */
function priced(said: readonly Mention[]): readonly Mention[] {
  if (said.some(({ stated }) => stated !== undefined)) return said.filter(({ sale }) => sale !== true)
  // one that may be an amount confirms another, and is none by itself
  const hasSale = said.some((one) => one.sale === true || (one.kind === 'amount' && !isEarnings(one) && !isNothing(one.value)))
  if (hasSale) return said.filter((one) => !isEarnings(one))
  // systems send a sale of nothing with what was paid for a lead
  const isPaid = said.some((one) => isEarnings(one) && !isNothing(one.value))
  return isPaid ? said.filter((one) => one.kind !== 'amount' || isEarnings(one) || !isZero(one.value)) : said
}

/** Whether an amount is what a sale brought somebody, and not the sale: as its dialect or its name says. */
function isEarnings(one: Mention): boolean {
  return isAmount(one) && one.sale !== true && (one.stated !== undefined || one.earned === true || isEarned(one.name))
}

/** Whether a parameter may be an amount. */
export function isAmount({ kind }: Mention): boolean {
  return kind === 'amount' || kind === 'amount?'
}

/** Whether an amount is a plain nought: no word, no sign of a currency. */
function isZero(value: string): boolean {
  return /^0+([.,]0*)?$/.test(value.trim())
}

/** Whether an amount is zero, however it is written. */
export function isNothing(value: string): boolean {
  return /^\D{0,4}0*([.,]0*)?\D{0,4}$/.test(value)
}
