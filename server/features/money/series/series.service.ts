import {
  isOfAffiliate,
  numberBy,
  patternIn,
  patternProblem,
  type seriesApi,
  SERIES,
  seriesSetting,
  shapeOf,
  usualPattern,
  type Series,
  type SeriesPattern,
} from '#contract/money/series.ts'
import type { CallOutput } from '#contract/endpoint.ts'

import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { begunYears, nextNumber } from './series.queries.ts'

/**
 * The next number of a series, without gaps, as its pattern writes it in this year; of one of an affiliate its own. Its row stays locked
 * until the transaction ends. Throws `number_day` where the series has one of a later day.
 */
export async function takeNumber(trx: Trx, at: Date, of: Series, affiliateId = 0) {
  const [{ time_zone }, { patterns }] = await Promise.all([getGeneralSettings(trx), getSetting(trx, seriesSetting)])
  const day = dayIn(at.getTime(), time_zone)
  const year = day.slice(0, 4)
  const series = isOfAffiliate(of) ? `${of}-${affiliateId}-${year}` : `${of}-${year}`
  const n = await nextNumber(trx, series, day)
  if (n === undefined) throw new AppError('number_day')
  const number = numberBy(patternIn(patterns, of, Number(year)), { affiliate: affiliateId, year, n })
  return { series, series_number: n, number, number_day: day }
}

/** Which series have begun in this year. */
export async function showBegun(db: Db, now: number): Promise<CallOutput<typeof seriesApi.begun>> {
  const { time_zone } = await getGeneralSettings(db)
  const year = Number(dayIn(now, time_zone).slice(0, 4))
  const begun = (await begunYears(db)).filter((one) => one.year === year && SERIES.includes(one.series))
  return { year, begun: begun.map(({ series }) => series) }
}

/** Refuses patterns that could write a number twice, and those that change a year that has begun. Throws `invalid_input`. */
export async function checkPatterns(trx: Trx, patterns: readonly SeriesPattern[], before: readonly SeriesPattern[]): Promise<void> {
  // said of the series, which is a field of the form
  const refuse = (at: number, text: string) => new AppError('invalid_input', { fields: { [patterns[at]?.series ?? 'patterns']: text } })
  const seen = new Map<string, Series>(SERIES.map((one) => [shapeOf(usualPattern(one)), one]))
  for (const [at, one] of patterns.entries()) {
    const problem = patternProblem(one)
    if (problem !== undefined) throw refuse(at, problem)
    if (patterns.some((other, place) => place !== at && other.series === one.series && other.year === one.year))
      throw refuse(at, 'Each series once a year')
    const shape = shapeOf(one.pattern)
    const taken = seen.get(shape)
    if (taken !== undefined && taken !== one.series) throw refuse(at, 'Another series is written like this')
    seen.set(shape, one.series)
    // figures in another order could come to a number that there is already
    const alike = [usualPattern(one.series), ...patterns.filter(({ series }) => series === one.series).map(({ pattern }) => pattern)]
    if (alike.some((other) => shapeOf(other) === shape && other.toLowerCase() !== one.pattern.toLowerCase()))
      throw refuse(at, 'Numbers of another year could come out the same')
  }
  for (const { series, year } of await begunYears(trx))
    if (patternIn(patterns, series, year) !== patternIn(before, series, year)) {
      const at = patterns.findIndex((one) => one.series === series && one.year <= year)
      throw refuse(Math.max(at, 0), 'This year has begun: choose a later one')
    }
}
