import { z } from 'zod'
import { moment } from './fields.ts'

/** List limits of the specification: 50 rows by default, never more than 100 per request. */
export const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 100

/** Fields every list request carries. `page` counts from 1. */
export const paging = {
  count: z.int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  page: z.int().min(1).max(1_000_000).default(1),
}

/** Sorting by one of the named columns; the first is the default. */
export function sorting<const Column extends string>(columns: readonly [Column, ...Column[]], direction: 'asc' | 'desc' = 'desc') {
  return {
    sort: z.enum(columns).default(columns[0] as never),
    direction: z.enum(['asc', 'desc']).default(direction),
  }
}

/**
 * `data` of a list answer. `total` holds the sums of this page's numeric columns (the export adds pages up);
 * `summary` describes the whole result: its row count and, where asked for, its totals.
 */
export function listOf<Row extends z.ZodType, Totals extends z.ZodRawShape = Record<never, never>>(row: Row, totals?: Totals) {
  const sums = z.object((totals ?? {}) as Totals) // an absent argument is the empty shape
  return z.object({
    list: z.array(row),
    total: sums.partial().optional(),
    summary: z.object({ rows: z.int(), totals: sums.partial().optional() }),
  })
}

/**
 * Fields of requests for raw rows, newest first. `until` comes from page one's answer and freezes the result; `after`
 * is the cursor of the page before and wins over `page`: an export with it neither skips nor repeats a row.
 */
export const rawPaging = {
  ...paging,
  after: z.string().max(100).nullable().default(null),
  until: z.iso.datetime().nullable().default(null),
}

/**
 * `data` of a list of raw rows: `until` and `after` go into the request of the next page; `after` is null on the last one. `totals`
 * are those of the whole result, where they come with it.
 */
export function rawListOf<Row extends z.ZodType, Totals extends z.ZodRawShape = Record<never, never>>(row: Row, totals?: Totals) {
  return z.object({
    list: z.array(row),
    /** Sums of this page, one entry per column and currency, such as `payout_USD`. */
    total: z.record(z.string(), z.string()).optional(),
    summary: z.object({
      rows: z.int(),
      /** There are more than `rows`, which are as many as are counted: counting millions would take longer than finding a page of them. */
      more: z.boolean().optional(),
      /** Older rows were not looked through, though some may fit: a period that ends before this moment finds them. */
      since: moment.optional(),
      totals: z.object((totals ?? {}) as Totals).optional(), // an absent argument is the empty shape
    }),
    until: z.string(),
    after: z.string().nullable(),
  })
}
