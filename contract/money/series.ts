import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { line } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'

/** What is numbered by itself, each year from 1: self-billed invoices and statements of each affiliate, invoices to advertisers, and credit notes of each. */
export const SERIES = ['SB', 'SBC', 'PS', 'PSC', 'INV', 'CN'] as const
export type Series = (typeof SERIES)[number]

/** Those of each affiliate, so that nobody counts the documents of others. */
export function isOfAffiliate(series: Series): boolean {
  return series !== 'INV' && series !== 'CN'
}

/** How numbers are written until somebody says otherwise. */
export function usualPattern(series: Series): string {
  return isOfAffiliate(series) ? `${series}-{affiliate}-{year}-{n}` : `${series}-{year}-{n}`
}

/** How the numbers of a series are written, from a year on. */
export const seriesPattern = z.object({
  series: z.enum(SERIES),
  year: z.int().min(2020).max(2200),
  pattern: line(40),
})
export type SeriesPattern = z.output<typeof seriesPattern>

/** The pattern of a series in a year: the last one that began until then. */
export function patternIn(patterns: readonly SeriesPattern[], series: Series, year: number): string {
  const begun = patterns.filter((one) => one.series === series && one.year <= year).toSorted((a, b) => b.year - a.year)
  return begun[0]?.pattern ?? usualPattern(series)
}

/** A number as its pattern writes it. */
export function numberBy(pattern: string, { affiliate, year, n }: { affiliate: number; year: number | string; n: number }): string {
  return pattern.replace('{affiliate}', String(affiliate)).replace('{year}', String(year)).replace('{n}', String(n))
}

/** What is wrong with a pattern; undefined where nothing is. Two patterns of other shapes never write the same number. */
export function patternProblem({ series, pattern }: Pick<SeriesPattern, 'series' | 'pattern'>): string | undefined {
  const names = [...pattern.matchAll(/\{(\w*)\}/g)].map(([, name]) => name)
  const wanted = isOfAffiliate(series) ? ['affiliate', 'n', 'year'] : ['n', 'year']
  if (names.toSorted().join() !== wanted.join())
    return isOfAffiliate(series) ? 'Name {affiliate}, {year} and {n} once each' : 'Name {year} and {n} once each'
  if (!/^[A-Za-z0-9/._{}-]+$/.test(pattern)) return 'Latin letters, digits and / . _ - alone'
  if (/\}\{|\d\{|\}\d/.test(pattern)) return 'Put a letter or a sign between numbers'
  return undefined
}

/** The shape of a pattern: what its numbers look like, whatever the figures. */
export function shapeOf(pattern: string): string {
  return pattern.replace(/\{\w+\}|\d+/g, '#').toLowerCase()
}

export const seriesSetting = defineSetting(
  'series',
  { access: 'billing.approve', about: 'how documents are numbered', key: 'never' },
  { patterns: z.array(seriesPattern).max(60) },
  { patterns: [] },
)

export const seriesApi = {
  patterns: seriesSetting.read,
  updatePatterns: seriesSetting.update,
  begun: endpoint({
    method: 'GET',
    path: '/api/series/v1/begun',
    access: 'billing.approve',
    summary: 'The present year, and in which series it has begun: their patterns change for later years only.',
    response: z.object({ year: z.int(), begun: z.array(z.enum(SERIES)) }),
  }),
}
