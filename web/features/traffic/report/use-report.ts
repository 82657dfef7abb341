import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useContext, useMemo, useRef } from 'react'
import { useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import type { OfferType } from '#contract/offers/offer-type.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/paging.ts'
import type { Currency } from '#contract/money/amount.ts'
import { isOfLeads, type MetricId } from '#contract/traffic/metric.ts'
import { FILTER_IDS, type DimensionId } from '#contract/traffic/dimension.ts'
import { reportApi, unknownBy } from '#contract/traffic/report.ts'
import { call } from '#web/api/call.ts'
import { loadAll } from '#web/api/load-all.ts'
import { query } from '#web/api/query.ts'
import { ChosenFirstDay } from '#web/first-day.ts'
import { pendingBehind } from '#web/format-metric.ts'
import {
  DEFAULT_PRESET,
  readReport,
  reportBody,
  writeReport,
  type ReportAddress,
  type Step,
} from '#web/features/traffic/report/report-address.ts'

export type ReportOptions = CallOutput<typeof reportApi.options>
export type ReportAnswer = CallOutput<typeof reportApi.run>
export type ReportRow = ReportAnswer['list'][number]

/** The currency amounts are shown in; with a row per currency each row names its own. */
export function amountCurrency(asked: Currency | 'each', fallback: Currency): Currency {
  return asked === 'each' ? fallback : asked
}

/** The name of a figure's column of the period compared with, in an export. */
export const earlierId = (id: string) => `earlier_${id}`

/** An address that was asked for, and so not one that leaves the period to the person. */
function stated(search: URLSearchParams): URLSearchParams {
  if (search.size === 0) search.set('period', DEFAULT_PRESET)
  return search
}

/** What a report shows first: the figures everybody may see, then staff's money. */
const FIRST: Readonly<Record<OfferType, readonly MetricId[]>> = {
  direct: ['clicks', 'uniques', 'conversions', 'cr', 'revenue', 'payout', 'profit', 'epc'],
  api: ['leads', 'leads_accepted', 'lead_acceptance', 'clicks', 'conversions', 'revenue', 'payout', 'profit'],
}

/** Direct links bring no leads. */
function optionsOf(all: ReportOptions, type: OfferType): ReportOptions {
  if (type === 'api') return all
  const dimensions = all.dimensions.filter(({ side }) => side !== 'lead')
  return { ...all, dimensions, metrics: all.metrics.filter(({ id }) => !isOfLeads(id)) }
}

/** A report on offers of one type as its page sees it: the address, its answers, and how to change it. */
export function useReport(all: ReportOptions, type: OfferType) {
  const [search, setSearch] = useSearchParams()
  const options = useMemo(() => optionsOf(all, type), [all, type])
  const defaults = useMemo(() => FIRST[type].filter((id) => options.metrics.some((metric) => metric.id === id)), [options, type])
  const address = useMemo(() => readReport(search, defaults), [search, defaults])
  useContext(ChosenFirstDay)
  const question = { ...reportBody(address), offer_type: type }
  const { sort: _sort, direction: _direction, ...course } = question
  const narrowed = FILTER_IDS.filter((id) => question.filters?.[id] !== undefined)
  const unknown = unknownBy(address.metrics, address.group, narrowed)

  const asked = address.pending ? address.metrics : [...address.metrics, ...pendingBehind(address.metrics)]
  const run = useQuery({
    ...query(reportApi.run, { body: { ...question, metrics: asked, count: DEFAULT_PAGE_SIZE, page: address.page } }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const series = useQuery({
    ...query(reportApi.series, { body: course }, { quiet: true }),
    placeholderData: keepPreviousData,
  })

  /**
   * Changes the address; anything but the page leads back to page one. Every change can be stepped back from.
   * Drawn at once: the next click changes what this one made. A `step` looks into something; the way there stands in the address until what is asked changes by other means.
   */
  const go = useCallback(
    (change: Partial<ReportAddress>, step?: Omit<Step, 'search'>) => {
      setSearch(
        (before) => {
          const present = readReport(before, defaults)
          const kept = 'filters' in change || 'period' in change || 'group' in change ? [] : present.trail
          const search = writeReport({ ...present, trail: [] }, defaults).toString()
          const trail = step === undefined ? kept : [...present.trail, { ...step, search }]
          return stated(writeReport({ ...present, page: 1, ...change, trail }, defaults))
        },
        { flushSync: true },
      )
    },
    [setSearch, defaults],
  )
  // what the filters are called: the answer says it, and rows that were seen name what they are narrowed to before it comes
  const names = useRef(new Map<string, string>()).current
  for (const [dimension, keys] of Object.entries(run.data?.filtered ?? {}))
    for (const { id, uuid, label } of keys) names.set(`${dimension} ${id}`, label).set(`${dimension} ${uuid}`, label)
  for (const row of run.data?.list ?? []) row.keys.forEach((key, index) => names.set(`${address.group[index]} ${key.id}`, key.label))

  return {
    options,
    /** What a value of a dimension is called, where an answer said so. */
    nameOf: (id: string, value: string) => names.get(`${id} ${value}`),
    address,
    /** The figures that are shown: those somebody knows by what is grouped and filtered by. */
    metrics: address.metrics.filter((id) => !unknown.includes(id)),
    /** The others, and by what they are not known. */
    unknown,
    unknownBy: [...new Set<DimensionId>([...address.group, ...narrowed])].filter(
      (id) => unknownBy(unknown, address.group.includes(id) ? [id] : [], [id]).length > 0,
    ),
    go,
    /** Goes back to where a step of the trail was made. */
    back: (index: number) => {
      const before = readReport(new URLSearchParams(address.trail[index]?.search), defaults)
      setSearch(stated(writeReport({ ...before, trail: address.trail.slice(0, index) }, defaults)), { flushSync: true })
    },
    run,
    series,
    pageSize: DEFAULT_PAGE_SIZE,
    /** Loads the whole result page by page, for the export. */
    loader: () =>
      loadAll<ReportRow>(async (paging, signal) => {
        const page = await call(reportApi.run, { body: { ...question, ...paging } }, { signal, quiet: true })
        const { totals, previous } = page.summary
        const before = Object.entries(previous ?? {}).map(([id, value]) => [earlierId(id), value])
        return { ...page, whole: { ...totals, ...Object.fromEntries(before) } }
      }),
  }
}

export type ReportState = ReturnType<typeof useReport>
