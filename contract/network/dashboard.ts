import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { moment, timeZone, uuid } from '#contract/fields.ts'
import { sectionOf } from '#contract/network/define-setting.ts'
import { currency } from '#contract/money/amount.ts'
import { ownBalance } from '#contract/money/balance.ts'
import { metricValues, ratesMissing, reportKey, reportSeries } from '#contract/traffic/report.ts'

/** null = the caller's zone, and the network's base currency (an affiliate's own). */
const question = z.object({ zone: timeZone.nullable().default(null), currency: currency.nullable().default(null) })

/** `previous`: the same stretch of the period before (today until now ↔ yesterday until the same hour). */
const figures = z.object({ from: moment, to: moment, values: metricValues, previous: metricValues })
const top = z.array(z.object({ key: reportKey, values: metricValues }))

const common = {
  zone: z.string(),
  currency,
  rates_missing: z.array(ratesMissing),
  today: figures,
  yesterday: figures,
  month: figures,
  /** Thirty days, today last, with one line: everything. */
  series: reportSeries.pick({ grain: true, steps: true, lines: true }),
  /** Of the last 30 days, at most ten each, the largest first. */
  top_offers: top,
  top_geos: top,
}

export const staffDashboard = z.object({
  ...common,
  top_affiliates: top,
})

export const affiliateDashboard = z.object({
  ...common,
  balance: z.array(ownBalance),
})

export const systemHealth = z.object({
  at: moment,
  /** ok: all is well; warn: look at it; bad: figures or postbacks are late. */
  state: z.enum(['ok', 'warn', 'bad']),
  /** Each process that writes a status file, with what it says about itself. `age_s`: how old that is. */
  processes: z.array(
    z.object({
      name: z.string(),
      state: z.enum(['ok', 'warn', 'bad']),
      age_s: z.number(),
      figures: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()),
    }),
  ),
  /** Seconds the oldest click waits for its report; null when nothing waits or nobody says. */
  ingest_lag_s: z.number().nullable(),
  /** Conversion changes on their way to the statistics, and how long the oldest waits. */
  outbox: z.object({ rows: z.int(), oldest_s: z.number().nullable() }),
  postbacks: z.object({ waiting: z.int(), last_at: moment.nullable(), deliveries_due: z.int(), deliveries_dead: z.int() }),
  /** Messages that wait, and what went wrong last within a day: the server’s words, '' where it said none; null = nothing. */
  mail: z.object({ waiting: z.int(), last_problem: z.string().nullable() }),
  statistics: z.object({ state: z.enum(['ok', 'bad']), ms: z.number().nullable() }),
  /** When the last backup was finished; null = none was. */
  last_backup_at: moment.nullable(),
  /** The day the database of places is from, `YYYY-MM-DD`; null where its version does not say. */
  places_of: z.iso.date().nullable(),
})

/** What makes an empty network one that earns, in this order. */
export const FIRST_STEPS = ['settings', 'mail', 'advertiser', 'offer', 'affiliate', 'click', 'postback'] as const

export const firstSteps = z.object({
  /** null = somebody has put them away, for everybody and for good. */
  steps: z.array(z.object({ id: z.enum(FIRST_STEPS), done: z.boolean() })).nullable(),
  /** The first of each, where their steps lead on. */
  offer_uuid: uuid.nullable(),
  advertiser_uuid: uuid.nullable(),
  affiliate_uuid: uuid.nullable(),
  /** Whether somebody of staff works here beside the first admin. */
  manager: z.boolean(),
  /** Whom new affiliates go to, where that is one person who works here. */
  manager_uuid: uuid.nullable(),
  /** Whether a click was counted yet, or why the last one was not. */
  click: z.enum(['none', 'counted', 'program', 'test', 'refused']),
  /** Whether links have a name of the network's own. */
  domain: z.boolean(),
})

/** Whether the first steps were put away. */
export const firstStepsSetting = sectionOf('first_steps', { dismissed: z.boolean() }, { dismissed: false })

export const dashboardApi = {
  staff: endpoint({
    method: 'POST',
    path: '/api/dashboard/v1/staff',
    access: 'report.money',
    reads: true,
    summary: 'Figures of the own scope.',
    body: question,
    response: staffDashboard,
  }),
  affiliate: endpoint({
    method: 'POST',
    path: '/api/dashboard/v1/affiliate',
    access: 'balance.own',
    reads: true,
    summary: 'The own figures and balance.',
    body: question,
    response: affiliateDashboard,
  }),
  health: endpoint({
    method: 'GET',
    path: '/api/dashboard/v1/health',
    access: 'system.health',
    summary: 'Lag, queues and processes of this instance.',
    response: systemHealth,
  }),
  firstSteps: endpoint({
    method: 'GET',
    path: '/api/dashboard/v1/first-steps',
    access: 'setting.general',
    summary: 'Which of the first steps of a new network are done, read from what there is.',
    response: firstSteps,
  }),
  dismissFirstSteps: endpoint({
    method: 'POST',
    path: '/api/dashboard/v1/dismiss-first-steps',
    access: 'setting.general',
    summary: 'Puts the first steps away, for everybody and for good.',
    response: z.object({}),
  }),
}
