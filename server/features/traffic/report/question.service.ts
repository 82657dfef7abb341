import type { z } from 'zod'
import { dimensionOf, DIMENSIONS, FILTER_IDS, isFilter, type DimensionId, type FilterId } from '#contract/traffic/dimension.ts'
import { metricOf, type MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import type { OfferType } from '#contract/offers/offer-type.ts'
import { MAX_DAYS, type AskedOf, type reportInput } from '#contract/traffic/report.ts'
import { AppError } from '#server/platform/errors.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { trafficOf } from '#server/access/traffic-type.ts'
import type { Scope } from '#server/access/scope.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { conditionsFor, emptyKeys, isUsed, type Keys } from '#server/statistics/asked.ts'
import { daysIn, resolvePeriod, type Range } from '#server/statistics/period.ts'
import type { Condition, Lookups, ReportPlan } from '#server/statistics/plan.ts'
import { dayNumber, dayText, rateTable, type DayRate, type RateTable } from '#server/statistics/rates.ts'
import { MONEY_METRICS } from '#server/statistics/sums.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { listHiddenGoals, listLeadGoals } from '#server/features/offers/offer/goal.queries.ts'
import { knownLandings } from '#server/features/offers/landing/landing.queries.ts'
import { idsByName, idsOf, type NamedDimension } from './entity.queries.ts'
import { isNamed, keysOf, maskedKey, type Key } from './keys.service.ts'
import {
  affiliatesOfManagers,
  currenciesOfOffers,
  currencyOfAffiliate,
  managersOfAffiliates,
  ofType,
  ratesOfDays,
  rowScopeOf,
} from './report.queries.ts'

type Input = z.output<typeof reportInput>
export type Filters = Input['filters']
/** What reports, charts and dashboards ask alike. */
export type Question = Pick<Input, 'period' | 'zone' | 'currency' | 'time' | 'filters' | 'group'> & {
  metrics: readonly MetricId[]
  pending?: boolean
  offer_type?: OfferType | null
  traffic?: Input['traffic']
  search?: string
} & Partial<Pick<Input, 'compare' | 'compare_days' | 'match_weekday'>>

/** A question with everything looked up: the plan without its order and page, and how it was understood. */
export type Resolved = {
  plan: Omit<ReportPlan, 'order' | 'direction' | 'limit' | 'offset'>
  previous: Range
  /** What the filters name. */
  numbers: Numbers
  /** The same for the previous period: only the range and its rates differ. */
  previousPlan: () => Promise<Resolved['plan']>
  currency: Currency | 'each'
}

/** Checks that the caller may ask this, and looks up what the engine does not know. Throws `forbidden`, `range_too_long`. */
export async function resolveQuestion(db: DbOrTrx, now: number, actor: Actor, question: Question): Promise<Resolved> {
  refuseForbidden(actor, [...question.group, ...usedFilters(question.filters)], question.metrics)
  const zone = question.zone ?? actor.timeZone
  const { range, previous } = resolvePeriod(question.period, zone, now, question)
  const most = question.group.includes('hour') ? MAX_DAYS.hour : MAX_DAYS.other
  if (daysIn(range) > most) throw new AppError('range_too_long', { fields: { period: 'Choose a shorter period' } })
  if (daysIn(previous) > most) throw new AppError('range_too_long', { fields: { compare_days: 'Choose a shorter period' } })
  const each = question.currency === 'each'
  const groups: DimensionId[] = each && !question.group.includes('currency') ? [...question.group, 'currency'] : question.group
  const filtered = usedFilters(question.filters)
  const ratesOf = (stretch: Range) => (each || !asksMoney(question) ? null : ratesWithin(db, question.time === 'click' ? now : 0, stretch))
  const named = numbersOf(db, actor, question.filters)
  // All at once: how long these take is how much later than the engine a report answers.
  const [scope, type, money, rates, numbers, conditions, search, lookups] = await Promise.all([
    rowScopeOf(db, actor.scope),
    ofType(db, question.offer_type),
    currenciesFor(db, actor, question.currency),
    ratesOf(range),
    named,
    named.then((numbers) => conditionsOf(db, question.filters, numbers)),
    searchOf(db, actor, question.group, question.search ?? ''),
    // a filter by managers becomes one by their affiliates
    lookupsFor(db, actor.scope, [...groups, ...filtered.filter((dimension) => dimension !== 'manager')], question.metrics),
  ])
  const { currency } = money
  const table = (known: Known | null) => (known === null || currency === 'each' ? null : tableOf(known, { ...money, currency }))
  const plan = {
    range,
    zone,
    firstDay: question.period.first_day,
    time: question.time,
    pending: question.pending ?? false,
    groups,
    metrics: question.metrics,
    conditions,
    search,
    scope,
    ofType: type,
    traffic: trafficOf(question.offer_type !== 'api' ? (question.traffic ?? 'all') : question.traffic, actor.scope),
    lookups,
    rates: table(rates),
  }
  return {
    plan,
    previous,
    numbers,
    currency: money.currency,
    previousPlan: async () => ({ ...plan, range: previous, rates: table(await ratesOf(previous)) }),
  }
}

/** Refuses what the caller's role lacks: a figure hidden from the options is hidden from requests as well. */
export function refuseForbidden(actor: Actor, dimensions: readonly DimensionId[], metrics: readonly MetricId[]): void {
  const asked = [...dimensions.map((id) => dimensionOf(id).permission), ...metrics.map((id) => metricOf(id).permission)]
  if (asked.some((permission) => permission !== undefined && !may(actor, permission))) throw new AppError('forbidden')
}

/** The dimensions that filters name. */
export function usedFilters(filters: Partial<Filters>): FilterId[] {
  return FILTER_IDS.filter((id) => filters[id] !== undefined && isUsed(filters[id]))
}

/** The people and things that filters name, by their numbers. */
export type Numbers = ReadonlyMap<NamedDimension, Record<'is' | 'not', readonly number[]>>

/** The numbers of what filters name: numbers as they are, and those behind uuids the caller may know. */
export async function numbersOf(db: DbOrTrx, actor: Actor, filters: Partial<Filters>): Promise<Numbers> {
  const numbers = async (dimension: NamedDimension, keys: readonly string[]) => {
    const uuids = keys.filter((key) => !/^\d+$/.test(key))
    return [...keys.filter((key) => /^\d+$/.test(key)).map(Number), ...(await idsOf(db, actor.scope, dimension, uuids))]
  }
  const found = FILTER_IDS.filter(isNamed).flatMap((dimension) => {
    const asked = filters[dimension]
    if (asked === undefined || !isUsed(asked)) return []
    const both = Promise.all([numbers(dimension, asked.is), numbers(dimension, asked.not)])
    return both.then(([is, not]) => [dimension, { is, not }] as const)
  })
  return new Map(await Promise.all(found))
}

/** Filters as conditions of the engine: what they name by its numbers, managers as their present affiliates. */
export async function conditionsOf(db: DbOrTrx, filters: Filters, numbers: Numbers): Promise<Condition[]> {
  const found = usedFilters(filters).map(async (dimension) => {
    const asked = filters[dimension]
    const conditions = conditionsFor(asked, emptyKeys(dimension), isNamed(dimension) ? numbers.get(dimension) : fitting(dimension, asked))
    if (dimension !== 'manager') return conditions.map((condition) => ({ dimension, ...condition }))
    const theirs = (managers: Keys) => affiliatesOfManagers(db, managers.map(Number))
    return Promise.all(conditions.map(async (one) => ({ ...one, dimension: 'affiliate' as const, is: await theirs(one.is) })))
  })
  return (await Promise.all(found)).flat()
}

/** The engine holds two letters of a country and no other text. */
function fitting(dimension: FilterId, { is, not }: AskedOf): Record<'is' | 'not', Keys> {
  const codes = (keys: readonly string[]) => (dimension === 'geo' ? keys.filter((code) => /^[A-Z]{2}$/.test(code)) : keys)
  return { is: codes(is), not: codes(not) }
}

/**
 * What the people and things are called that filters name. A row is named to whoever has traffic in it; a filter may hold
 * any number, so of landings only those are named that the caller knows anyway.
 */
export async function keysOfFilters(db: DbOrTrx, actor: Actor, numbers: Numbers): Promise<Partial<Record<DimensionId, Key[]>>> {
  const named = [...numbers].map(async ([dimension, { is, not }]) => {
    const ids = [...new Set([...is, ...not])]
    const known = dimension === 'landing' || dimension === 'prelanding' ? await knownLandings(db, actor.scope, ids) : new Set(ids)
    const keys = await keysOf(db, actor.scope, dimension, ids.map(String))
    return [dimension, [...keys.values()].map((key) => (known.has(Number(key.id)) ? key : maskedKey(dimension, key.id)))]
  })
  return Object.fromEntries(await Promise.all(named))
}

/** A text is looked for in every grouping but time: in names, in numbers, in values. */
async function searchOf(db: DbOrTrx, actor: Actor, groups: readonly DimensionId[], search: string): Promise<Condition[]> {
  if (search === '') return []
  const number = /^\d{1,9}$/.test(search) ? [Number(search)] : []
  const searched = groups.filter(isFilter)
  // Nothing to look in: nothing is found.
  if (searched.length === 0) return [{ dimension: 'source', is: [] }]
  return Promise.all(
    searched.map(async (dimension): Promise<Condition> => {
      if (DIMENSIONS[dimension].type !== 'entity') return { dimension, is: [], contains: search }
      return { dimension, is: isNamed(dimension) ? [...number, ...(await idsByName(db, actor.scope, dimension, search))] : number }
    }),
  )
}

async function lookupsFor(db: DbOrTrx, scope: Scope, dimensions: readonly DimensionId[], metrics: readonly MetricId[]): Promise<Lookups> {
  const [managerOf, currencyOf, hiddenGoals, leadGoals] = await Promise.all([
    dimensions.includes('manager') ? managersOfAffiliates(db) : new Map<number, number>(),
    dimensions.includes('currency') ? currenciesOfOffers(db) : new Map<number, string>(),
    scope.kind === 'affiliate' ? listHiddenGoals(db) : [],
    metrics.includes('lead_cr') ? listLeadGoals(db, scope) : [],
  ])
  return { managerOf, currencyOf, hiddenGoals, leadGoals, asAffiliate: scope.kind === 'affiliate' }
}

function asksMoney({ metrics }: Question): boolean {
  return metrics.some((metric) => MONEY_METRICS.includes(metric) || metric === 'margin')
}

/** The currency asked for beside the network's. null stands for an affiliate's own currency, the network's for staff. */
export async function currenciesFor<Asked extends Question['currency']>(
  db: DbOrTrx,
  actor: Actor,
  asked: Asked,
): Promise<{ base: Currency; zone: string; currency: NonNullable<Asked> | Currency }> {
  const [{ base_currency: base, time_zone: zone }, own] = await Promise.all([
    getGeneralSettings(db),
    asked === null && actor.affiliateId !== null ? currencyOfAffiliate(db, actor.affiliateId) : undefined,
  ])
  return { base, zone, currency: asked ?? own ?? base }
}

type Known = { rates: (DayRate & { base: string })[]; days: { first: number; last: number } }

/** Rates of the days conversions of a stretch may lie on, in whatever zone; a click's conversion may come until today. */
async function ratesWithin(db: DbOrTrx, until: number, range: Range): Promise<Known> {
  const days = { first: dayNumber(range.from) - 1, last: dayNumber(Math.max(range.to - 1, until)) + 1 }
  return { rates: await ratesOfDays(db, dayText(days.first), dayText(days.last)), days }
}

function tableOf({ rates, days }: Known, { base, zone, currency }: { base: Currency; zone: string; currency: Currency }): RateTable {
  // Another base was chosen between the two questions: no rate is better than one of another currency.
  const known = rates.filter((row) => row.base === base)
  return rateTable(known, base, currency, [...new Set<string>([...known.map((row) => row.currency), base, currency])], {
    ...days,
    zone,
  })
}
