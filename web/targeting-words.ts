import i18next from 'i18next'
import type { z } from 'zod'
import type { targeting } from '#contract/offers/offer-fields.ts'
import { countryName } from '#web/format.ts'
import { locale } from '#web/notation.ts'

type Targeting = z.output<typeof targeting>
export type TargetDimension = keyof Targeting
type NetworkNames = Readonly<Record<string, string>>

/** The properties of a visitor in the order screens show them: those most offers look at, and the rarer ones. */
export const USUAL_TARGETS = ['geo', 'device', 'os', 'browser', 'language'] as const
export const RARE_TARGETS = ['region', 'city', 'os_version', 'network'] as const
export const TARGETS = [...USUAL_TARGETS, ...RARE_TARGETS] satisfies TargetDimension[]

/** The signs of conditions on versions, by the words for them. */
export const VERSION_WORDS = { '>=': 'from', '<': 'below', '=': 'exactly' } as const

/** Which visitors fit, in one line: "Any", "Poland, Czechia", "all but Android below 10". Networks are named as the server told. */
export function targetWords(dimension: TargetDimension, set: Targeting[TargetDimension], names: NetworkNames): string {
  if (set === null) return i18next.t('any', { ns: 'target' })
  // names of places have commas of their own
  const list = set.values
    .map((value) => valueWords(dimension, value, names))
    .join(dimension === 'region' || dimension === 'city' ? '; ' : ', ')
  return set.mode === 'include' ? list : i18next.t('but', { ns: 'target', list })
}

/** `US/California/Los Angeles` as "Los Angeles, California, US", and a region likewise. */
export function placeName(value: string): string {
  const [country = '', region = '', ...city] = value.split('/')
  return [city.join('/'), region, country].filter((part) => part !== '').join(', ')
}

/** What people call a network; one the data do not know is told by its number. */
export function networkName(value: string, names: NetworkNames): string {
  return names[value] ?? `AS${value}`
}

function valueWords(dimension: TargetDimension, value: string, names: NetworkNames): string {
  if (dimension === 'geo') return countryName(value)
  if (dimension === 'device') return i18next.t(`code.${value}`, { ns: 'report', defaultValue: value })
  if (dimension === 'language') return new Intl.DisplayNames(locale(), { type: 'language' }).of(value) ?? value
  if (dimension === 'region' || dimension === 'city') return placeName(value)
  if (dimension === 'network') return networkName(value, names)
  return dimension === 'os_version' ? versionWords(value) : value
}

/** `Android >= 10` as "Android from 10". */
function versionWords(condition: string): string {
  const { os, operator, version } = readCondition(condition)
  return `${os} ${i18next.t(VERSION_WORDS[operator], { ns: 'target', version })}`
}

/** The parts of a condition on the version of a system, as the contract lets them in. */
export function readCondition(condition: string): { os: string; operator: keyof typeof VERSION_WORDS; version: string } {
  const [, os = condition, operator = '=', version = ''] = /^(.+) (>=|<|=) (.+)$/.exec(condition) ?? []
  return { os, operator: operator as keyof typeof VERSION_WORDS, version } // of three signs, as just found
}
