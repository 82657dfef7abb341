import { z } from 'zod'
import { moment } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'

/** What lists of offers and people tell of the last 30 days, and are sorted by; days in the caller's zone, as in statistics. */
export const FIGURES = ['clicks', 'conversions', 'cr', 'epc', 'total_payout', 'total_revenue', 'last_at'] as const
export type FigureId = (typeof FIGURES)[number]

/** The figures of some rows together. Money in the network's currency; null is unknown. */
export const figureTotals = {
  clicks: z.int(),
  conversions: z.int(),
  /** 3.5 = 3.5 %. */
  cr: z.number().nullable(),
  epc: z.string().nullable(),
  /** null where a rate is missing. */
  total_payout: z.string().nullable(),
  /** null for those who may not see it, and where a rate is missing. */
  total_revenue: z.string().nullable(),
  currency,
}

/** The figures of one row. */
export const figures = z.object({
  ...figureTotals,
  /** The last click (to the quarter hour) or conversion of these days. */
  last_at: moment.nullable(),
})

/** The field of a list's request that asks for figures; sorting by one of them does, too. */
export const figuresAsked = { figures: z.boolean().default(false) }

/** The field of its rows: null where nobody asked, and where statistics cannot be read. */
export const figuresShown = { figures: figures.nullable() }
