import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, line, moment } from '#contract/fields.ts'
import { defineSetting } from '#contract/network/define-setting.ts'
import { listOf, paging } from '#contract/paging.ts'
import { currency, positiveAmount } from './amount.ts'
import { FIRST_RATE_DAY } from './currency.ts'

/** How a rate came: typed in, in a file, from the daily address, or told anew when another base currency was chosen. */
export const RATE_SOURCES = ['hand', 'file', 'feed', 'base'] as const
const source = z.enum(RATE_SOURCES)

/** Where rates are fetched from day by day: nowhere, two central banks as their documentation says, or an address with a CSV of ours. */
export const RATE_FEEDS = ['none', 'ecb', 'nbu', 'url'] as const
export const rateFeedSetting = defineSetting(
  'rate-feed',
  { access: 'currency.rate', about: 'where rates are fetched from day by day', key: 'never' },
  {
    feed: z.enum(RATE_FEEDS),
    /** Of `url`: it answers lines `day,currency,rate`. */
    url: line(2000),
  },
  { feed: 'none', url: '' },
)

/** What came of the last look at the address. */
const feedState = z.object({
  last: z
    .object({
      at: moment,
      /** Why nothing came: a code of the safe fetcher, `HTTP …`, or what was wrong with the answer; '' = all is well. */
      problem: z.string(),
      /** The day its rates are of; null where none came. */
      day: day.nullable(),
      changed: z.int(),
      /** Of the currencies that can be chosen, those it does not tell. */
      without: z.array(currency),
    })
    .nullable(),
  last_ok_at: moment.nullable(),
  next_at: moment.nullable(),
})
export type RateFeedState = z.output<typeof feedState>

/** Days without a rate in force, both inclusive. */
const gap = z.object({ from: day, to: day })

const cell = z.object({
  /** Of this very day; null where an older one holds, or none. */
  rate: z.string().nullable(),
  source: source.nullable(),
  /** What holds on that day. */
  in_force: z.string().nullable(),
})

const historyRow = z.object({
  day,
  rate: z.string(),
  source,
  set_at: moment.nullable(),
  /** The last day it holds on. */
  until: day,
  /** The days after it on which none holds. */
  gap: gap.nullable(),
})

/** Why a line of a file is refused. */
export const RATE_MISTAKES = [
  'cells',
  'day_invalid',
  'day_old',
  'day_future',
  'currency_unknown',
  'currency_base',
  'rate_invalid',
  'twice',
] as const

const content = z.string().min(1, 'Required').max(2_000_000, 'At most two million characters')
const imported = z.object({
  base: currency,
  lines: z.int(),
  /** New rates, rates that replace another one, and those that say what stands there. */
  added: z.int(),
  replaced: z.int(),
  same: z.int(),
  days: gap.nullable(),
  currencies: z.array(currency),
  refused: z.int(),
  /** The first of the refused lines, by their number in the file. */
  mistakes: z.array(z.object({ line: z.int(), text: z.string(), mistake: z.enum(RATE_MISTAKES) })),
})
export type RateImport = z.output<typeof imported>

export const rateTableApi = {
  month: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/month',
    access: 'currency.rate',
    reads: true,
    summary: 'The rates of a month, day by day and currency by currency, with the days on which none is in force.',
    body: z.object({
      /** null = the present one. */
      month: z
        .string()
        .regex(/^(20[0-9]{2})-(0[1-9]|1[0-2])$/, 'A month such as 2026-11')
        .nullable()
        .default(null),
    }),
    response: z.object({
      base: currency,
      month: z.string(),
      today: day,
      currencies: z.array(currency),
      list: z.array(z.object({ day, cells: z.array(cell) })),
      gaps: z.array(gap.extend({ currency })),
    }),
  }),
  history: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/history',
    access: 'currency.rate',
    reads: true,
    summary: 'All rates of a currency in the base currency, the newest first, each with the days it holds on.',
    body: z.object({ ...paging, currency }),
    response: listOf(historyRow),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/remove',
    access: 'currency.rate',
    summary: 'Removes the rate of a day. What was converted by it stays.',
    body: z.object({ day: day.refine((text) => text >= FIRST_RATE_DAY, 'From 2000-01-01 on'), currency }),
    response: z.object({ changed: z.int() }),
  }),
  previewImport: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/preview-import',
    access: 'currency.rate',
    reads: true,
    summary: 'What a file of lines `day,currency,rate` would change.',
    body: z.object({ content }),
    response: imported,
  }),
  import: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/import',
    access: 'currency.rate',
    summary: 'Takes the rates of a file; refused lines are passed over. The same file again changes nothing.',
    body: z.object({ content }),
    response: imported,
  }),
  feedState: endpoint({
    method: 'GET',
    path: '/api/currency-rate/v1/feed',
    access: 'currency.rate',
    summary: 'What came of the last look at the daily address of rates.',
    response: feedState,
  }),
  fetchNow: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/fetch',
    access: 'currency.rate',
    summary: 'Fetches the rates of the day now.',
    key: 'never',
    response: feedState,
  }),
}

export const rateFeedApi = { read: rateFeedSetting.read, update: rateFeedSetting.update }

/** What moved on the account of a source, where that holds another currency than the document. */
export const movedInput = z.object({
  currency,
  amount: positiveAmount,
  /** Although it is more than a tenth off what the rate of the day makes of the amount. */
  sure: z.boolean().default(false),
})

/** The same as it was booked; `expected` is what the rate of the day made of the amount. */
export const movedShown = z.object({ currency, amount: z.string(), expected: z.string() })

export const exchangeApi = {
  quote: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/quote',
    access: 'billing.pay',
    reads: true,
    summary: 'What an amount is worth in another currency by the rate of a day.',
    body: z.object({ amount: positiveAmount, currency, to: currency, day }),
    response: z.object({ expected: z.string().nullable(), missing: currency.nullable() }),
  }),
}
