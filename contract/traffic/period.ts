import { z } from 'zod'
import { day } from '#contract/fields.ts'

/** `last_7_days` and `last_30_days` end with today; `this_…` end now, weeks begin on `first_day`. */
export const PERIOD_PRESETS = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_year',
  'custom',
] as const

/** The days a week begins on where people live. */
export const FIRST_DAYS = ['monday', 'saturday', 'sunday'] as const
export type FirstDay = (typeof FIRST_DAYS)[number]
/** 1 is Monday. */
export const WEEKDAY: Readonly<Record<FirstDay, number>> = { monday: 1, saturday: 6, sunday: 7 }

/** Whether a range of days, ends included, does not end before it begins. */
export const areInOrder = ({ from, to }: { from: string | null; to: string | null }) => from === null || to === null || from <= to
/** What is said of one that does. */
export const REVERSED = { message: 'The last day lies before the first', path: ['to'] }

/** A day that figures may be asked of, or that a document is of: further off no midnight fits a database. */
export const reportDay = day.refine((text) => text >= '2000-01-01' && text <= '2100-12-31', 'Choose a day from 2000 to 2100')
/** Days of the zone, both inclusive; `from` and `to` belong to `custom`. */
export const period = z
  .object({
    preset: z.enum(PERIOD_PRESETS).default('today'),
    from: reportDay.nullable().default(null),
    to: reportDay.nullable().default(null),
    /** Where a week begins: those of the presets, and those that figures are grouped by. */
    first_day: z.enum(FIRST_DAYS).default('monday'),
  })
  .refine(({ preset, from, to }) => preset !== 'custom' || (from !== null && to !== null), { message: 'Choose both days', path: ['from'] })
  .refine(areInOrder, REVERSED)
