import type { Say } from '#web/i18n/use-translation.ts'
import { toUnits, fromUnits, type Currency } from '#contract/money/amount.ts'
import { money, percent, UNKNOWN } from '#web/format.ts'
import { locale } from '#web/notation.ts'

/** A payout row as forms, details and history hold it: affiliates by the numbers people know them by. */
export type RuleTerms = {
  affiliates: readonly (string | number)[]
  /** By their names. */
  landings: readonly string[]
  geos: readonly string[]
  devices: readonly string[]
  oses: readonly string[]
  payout_fixed: string
  payout_percent: string
  revenue_fixed: string
  revenue_percent: string
}

/** A payout row in plain words: "Affiliates 12 and 40, from PL or CZ: 18.00 € per sale". */
export function ruleSentence(t: Say<'offer'>, rule: RuleTerms, goal: string, currency: Currency): string {
  return t('rule.sentence', { who: conditionWords(t, rule), payout: termsWords(t, rule.payout_fixed, rule.payout_percent, currency), goal })
}

/** Whom and where a payout row concerns. */
export function conditionWords(t: Say<'offer'>, rule: Pick<RuleTerms, 'affiliates' | 'landings' | 'geos' | 'devices' | 'oses'>): string {
  const parts = [
    ...(rule.affiliates.length > 0
      ? [t('rule.affiliates', { count: rule.affiliates.length, list: all(rule.affiliates.map(String)) })]
      : []),
    ...(rule.landings.length > 0 ? [t('rule.through', { list: any(rule.landings) })] : []),
    ...(rule.geos.length > 0 ? [t('rule.from', { list: any(rule.geos) })] : []),
    ...(rule.devices.length > 0
      ? [t('rule.on', { list: any(rule.devices.map((device) => t(`device.${device}` as 'device.mobile'))) })]
      : []), // devices of the contract
    ...(rule.oses.length > 0 ? [t('rule.with', { list: any(rule.oses) })] : []),
  ]
  const text = parts.length === 0 ? t('rule.everybody') : parts.join(', ')
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}

/** An amount, a percentage, or both: "18.00 € + 5.00%"; "nothing" where both are zero. */
export function termsWords(t: Say<'offer'>, fixed: string, rate: string, currency: Currency): string {
  const shown = (text: string, format: (text: string) => string) => (DECIMAL.test(text) ? format(text) : UNKNOWN)
  const parts = [
    ...(isZero(fixed) ? [] : [shown(fixed, (text) => money(text, currency, { exact: true }))]),
    ...(isZero(rate) ? [] : [shown(rate, (text) => percent(text))]),
  ]
  return parts.length === 0 ? t('rule.nothing') : parts.join(' + ')
}

// half-typed text is no number yet
const DECIMAL = /^\d+(\.\d+)?$/

/** What is left for the network: of the amounts, and of the percentages. undefined while something is no number yet. */
export function marginOf(rule: RuleTerms): { fixed: string; percent: string; negative: boolean } | undefined {
  try {
    const fixed = units(rule.revenue_fixed) - units(rule.payout_fixed)
    const rate = units(rule.revenue_percent) - units(rule.payout_percent)
    return { fixed: fromUnits(fixed), percent: fromUnits(rate), negative: fixed < 0n || rate < 0n }
  } catch {
    return undefined
  }
}

/** Decimal text as people type it: `18.5000` → `18.5`; zero is an empty cell, so that tables stay calm. */
export function tidyDecimal(text: string): string {
  const tidy = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text
  return tidy === '0' ? '' : tidy
}

/** Whether decimal text is zero, or nothing typed yet. */
export function isZero(text: string): boolean {
  return /^0*(\.0*)?$/.test(text)
}

function units(text: string): bigint {
  return toUnits(text === '' ? '0' : text)
}

function all(list: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'conjunction' }).format(shortened(list))
}

function any(list: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: 'disjunction' }).format(shortened(list))
}

const MOST = 8

function shortened(list: readonly string[]): string[] {
  return list.length <= MOST ? [...list] : [...list.slice(0, MOST - 1), `+${list.length - MOST + 1}`]
}
