import { z } from 'zod'
import { bounded, countryCode, line, moment, timeZone } from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { CALL_STATUSES } from './call-status.ts'
import { openingHours } from './opening-hours.ts'

/** By whose clocks windows open: one zone's, the advertiser's, or that of the person asked. */
export const WINDOW_ZONES = ['fixed', 'advertiser', 'lead'] as const

/** When a distribution sends. Windows are wall time: a change of clocks makes one shorter or longer. */
export const recoldSchedule = z
  .object({
    /** Null = as soon as it is started. */
    starts_at: moment.nullable(),
    /** Null = when everybody was asked. */
    ends_at: moment.nullable(),
    windows_in: z.enum(WINDOW_ZONES),
    /** Of `fixed`, and of caps and days whatever the windows are in. */
    time_zone: timeZone,
    /** By weekday, Monday first; a day without is closed; null = open at any time. */
    hours: openingHours.nullable(),
  })
  .refine(({ starts_at, ends_at }) => starts_at === null || ends_at === null || starts_at < ends_at, {
    path: ['ends_at'],
    message: 'Ends before it starts',
  })
export type RecoldSchedule = z.output<typeof recoldSchedule>

export const RECOLD_ORDERS = ['newest', 'oldest', 'shuffled'] as const
const limit = z.int().min(1).max(9_999_999).nullable()

/** How fast and how many. Intervals in seconds, drawn evenly between both; null = no limit. */
export const recoldPacing = z
  .object({
    interval_min: z.int().min(1).max(2_592_000),
    interval_max: z.int().min(1).max(2_592_000),
    per_hour: limit,
    per_day: limit,
    total: limit,
    /** At most so many of a country, all in all. */
    per_geo: bounded(countryCode, z.int().min(0).max(9_999_999), 250),
    order: z.enum(RECOLD_ORDERS),
    /** After so many failures of the advertisers' systems a person is given up. */
    attempts: z.int().min(1).max(5),
  })
  .refine(({ interval_min, interval_max }) => interval_min <= interval_max, { path: ['interval_max'], message: 'Shorter than the least' })
export type RecoldPacing = z.output<typeof recoldPacing>

/** What is told of somebody who did not say it: what was captured, nothing, or a value declared for all. Nothing is made up. */
const missing = z.discriminatedUnion('use', [
  z.object({ use: z.literal('captured') }),
  z.object({ use: z.literal('omit') }),
  z.object({ use: z.literal('declared'), value: line(100) }),
])
/** Fields a distribution may leave out or declare; who somebody is and when they registered is always told as it was. */
export const DATA_FIELDS = ['ip', 'user_agent', 'language', 'landing_url', 'funnel', 'source', 'comment'] as const

/** The parameters of the people chosen, and what is told of them. None of a list = any. */
export const recoldData = z.object({
  geos: z.array(countryCode).max(250),
  languages: z.array(z.string().regex(/^[a-z]{2}$/)).max(100),
  genders: z.array(z.enum(['male', 'female', 'other', 'unknown'])).max(4),
  os: z.array(line(40)).max(20),
  devices: z.array(line(40)).max(20),
  fields: z.partialRecord(z.enum(DATA_FIELDS), missing),
})
export type RecoldData = z.output<typeof recoldData>

const days = z.int().min(0).max(3650)

/** Whom a distribution passes over, beside those nobody may be offered. */
export const recoldSkip = z.object({
  /** A consent older than that counts for none; null = it does not age. */
  consent_days: days.nullable(),
  /** What of call centres means that nobody is asked again. */
  call_statuses: z.array(z.enum(CALL_STATUSES)).max(CALL_STATUSES.length),
  /** Who had the person is not offered it again for so many days; null = never again. */
  same_advertiser_days: days.nullable(),
  /** So many days after the last send of whatever kind. */
  cool_down_days: days,
  /** Cold sends of a person in all distributions. */
  most_sends: z.int().min(1).max(100),
  /** Since registration. */
  age_min_days: days.nullable(),
  age_max_days: days.nullable(),
})
export type RecoldSkip = z.output<typeof recoldSkip>

/** Why somebody was passed over, in the order in which it is asked; the first that holds is kept. */
export const SKIP_REASONS = [
  'erased',
  'restricted',
  'test',
  'suppressed',
  'no_consent',
  'old_consent',
  'open',
  'converted',
  'call_status',
  'same_advertiser',
  'cool_down',
  'most_sends',
  'age',
  'target',
  'data',
  'removed',
  'geo_cap',
] as const
export type SkipReason = (typeof SKIP_REASONS)[number]

/** By the hour (UTC), how many were to be sent when a distribution was last started. */
export const recoldForecast = z.array(z.object({ hour: moment, slots: z.int() }))
export type RecoldForecast = z.output<typeof recoldForecast>

const interval = z.object({ low: z.string(), high: z.string() }).nullable()
/**
 * What a distribution would bring and cost, out of earlier sales of the kind: four of five times it is between these, in the offer's
 * currency. null = nothing earlier tells it.
 */
export const recoldProjection = z.object({
  currency,
  revenue: interval,
  /** What affiliates would be paid. */
  payout: interval,
  /** How many earlier leads it rests on, how many of them of second sales, and how many brought money. */
  leads: z.int(),
  cold: z.int(),
  paid: z.int(),
})
export type RecoldProjection = z.output<typeof recoldProjection>
