import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, timeZone, uuid } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { commaList, cursorPageOf, cursorPaging } from '#contract/partner-page.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#contract/paging.ts'
import { click, CLICK_KINDS } from './click.ts'
import { conversion, conversionStatus } from './conversion.ts'
import { DIMENSION_IDS, dimensionOf, type DimensionId } from './dimension.ts'
import { METRIC_IDS, metricOf, type MetricId } from './metric.ts'
import { areInOrder, reportDay, REVERSED } from './period.ts'
import { MAX_GROUPS, ratesMissing, reportKey } from './report.ts'

/** What affiliates group by and see: nothing that asks for more than reports themselves. */
const groupings = DIMENSION_IDS.filter((id) => dimensionOf(id).permission === undefined) as [DimensionId, ...DimensionId[]] // there are many
const metrics = METRIC_IDS.filter((id) => metricOf(id).permission === undefined) as [MetricId, ...MetricId[]] // there are many
const grouping = z.enum(groupings)
const metric = z.enum(metrics)

/** Days of the zone, both inclusive. */
const days = { from: reportDay, to: reportDay, zone: timeZone.optional() }

export const partnerStatistics = z.object({
  /** One entry per grouping asked for, by its name; what is grouped by a thing has its number and what it is called. */
  data: z.array(
    z.object({ keys: z.partialRecord(grouping, reportKey), values: z.partialRecord(metric, z.union([z.string(), z.number()]).nullable()) }),
  ),
  /** Of the whole result. */
  totals: z.partialRecord(metric, z.union([z.string(), z.number()]).nullable()),
  rows: z.int(),
  page: z.int(),
  /** The moments the days came to; `to` is exclusive. */
  period: z.object({ from: moment, to: moment }),
  zone: z.string(),
  currency: z.string(),
  /** Days without a rate: amounts they belong to are null. */
  rates_missing: z.array(ratesMissing),
})

/** Figures, for programs of affiliates. */
export const partnerApiReportApi = {
  statistics: endpoint({
    method: 'GET',
    path: '/api/partner/v1/statistics',
    access: 'partner.api',
    summary: 'Your figures by up to four groupings. Money is decimal text in the currency of the answer.',
    query: z
      .object({
        ...days,
        group: commaList(grouping, MAX_GROUPS).prefault('day'),
        metrics: commaList(metric, metrics.length).prefault('clicks,conversions,payout'),
        offer_uuid: commaList(byUuid.shape.uuid, 100),
        geo: commaList(countryCode, 250),
        currency: currency.optional(),
        /** Whether payout and EPC count pending conversions. */
        pending: z.enum(['true', 'false']).default('false'),
        page: z.coerce.number<string>().int().min(1).max(1_000_000).default(1),
        count: z.coerce.number<string>().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
      })
      .refine(areInOrder, REVERSED),
    response: partnerStatistics,
  }),
}

/** A conversion as its affiliate knows it. */
export const partnerConversion = conversion.omit({ affiliate: true, advertiser: true, revenue: true, amount: true })

/** Conversions, for programs of affiliates. */
export const partnerApiConversionApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/conversions',
    access: 'partner.api',
    summary: 'Your conversions, the newest first.',
    query: z.object({
      ...cursorPaging,
      /** Of receipt, from inclusive, to exclusive. */
      from: moment.optional(),
      to: moment.optional(),
      status: commaList(conversionStatus, 5),
      offer_uuid: commaList(uuid, 100),
      /** A click id of ours or yours, or a transaction id, whole. */
      search: line(512).default(''),
    }),
    response: cursorPageOf(partnerConversion),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/partner/v1/conversions/:uuid',
    access: 'partner.api',
    summary: 'One conversion of yours.',
    params: byUuid,
    response: partnerConversion,
  }),
}

export const partnerClick = click.omit({ affiliate: true, advertiser: true })

/** Raw clicks, for programs of affiliates. */
export const partnerApiClickApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/partner/v1/clicks',
    access: 'partner.api',
    summary: 'Your raw clicks of some days, the newest first.',
    query: z
      .object({
        ...cursorPaging,
        ...days,
        kind: commaList(z.enum(CLICK_KINDS), CLICK_KINDS.length).prefault('counted,refused'),
        search: line(512).default(''),
      })
      .refine(areInOrder, REVERSED),
    response: cursorPageOf(partnerClick),
  }),
}
