import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, someOf, timeZone, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { CALL_STATUSES } from './call-status.ts'
import { coldAudience, COLD_REFERENCE_FIELDS } from './cold-audience.ts'
import { leadStatus } from './lead.ts'
import { LEFT_OUT } from './lead-list.ts'

export const COLD_RULE_STATUSES = ['draft', 'active', 'paused', 'archived'] as const
const coldRuleStatus = z.enum(COLD_RULE_STATUSES)

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'A time such as 09:30')
/**
 * When a rule runs. `event`: a lead nobody took, one everybody refused, or a sale that was taken back or came to nothing. `silent`:
 * once an hour, of leads of which nothing was heard for so many days.
 */
const coldTrigger = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: z.enum(['unsold', 'rejected_by_all', 'returned']) }),
  z.object({
    kind: z.literal('call_status'),
    call_statuses: z.array(z.enum(CALL_STATUSES)).min(1, 'Choose at least one').max(CALL_STATUSES.length),
  }),
  z.object({ kind: z.literal('silent'), days: z.int().min(1).max(365) }),
  z.object({ kind: z.literal('hours'), hours: z.int().min(1).max(168) }),
  z.object({ kind: z.literal('daily'), at: clock, time_zone: timeZone }),
  z.object({ kind: z.literal('manual') }),
])
export type ColdTrigger = z.output<typeof coldTrigger>

/**
 * What a rule does with whom it takes: adds them to a list; makes a distribution like another one, which waits as a draft until somebody
 * starts it; or starts such a one, and adds whoever comes later to it while it runs.
 */
const coldAction = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list'), list_uuid: z.uuid('Choose a list') }),
  z.object({ kind: z.literal('distribution'), template_uuid: z.uuid('Choose a distribution') }),
  z.object({ kind: z.literal('send'), template_uuid: z.uuid('Choose a distribution') }),
])
export type ColdAction = z.output<typeof coldAction>
export const COLD_ACTIONS = ['list', 'distribution', 'send'] as const

/** One run takes no more people than that, whatever is set. */
const MOST_PER_RUN = 5_000

/** What a version of a rule holds. */
export const coldRuleSettings = z.object({
  trigger: coldTrigger,
  /** Leads that came within so many days are looked at. */
  within_days: z.int().min(1).max(3650),
  audience: coldAudience,
  action: coldAction,
  per_run: z.int().min(1).max(MOST_PER_RUN),
  per_day: z.int().min(1).max(100_000),
  /** Of several rules whose turn it is the lowest goes first. */
  priority: z.int().min(1).max(1000),
  /** Whom it takes no rule behind it takes. */
  stops: z.boolean(),
})
export type ColdRuleSettings = z.output<typeof coldRuleSettings>

const title = line(100).min(3, 'At least 3 characters')
export const coldRuleInput = coldRuleSettings.extend({ title })
export type ColdRuleInput = z.input<typeof coldRuleInput>

/**
 * Why people a rule matches are not taken, in the order in which it is asked. `open`: the lead waits for its first sale or for a person,
 * and is looked at again later. The last two: there was no room for them in the run or day.
 */
export const COLD_RULE_SKIPS = [...LEFT_OUT, 'open', 'stopped', 'per_run', 'per_day'] as const
export type ColdRuleSkip = (typeof COLD_RULE_SKIPS)[number]
const skipped = z.partialRecord(z.enum(COLD_RULE_SKIPS), z.int())

/** Why a run came to nothing: its list is gone; its offer takes no leads; nobody takes leads of it; whose rule it is works here no more. */
export const COLD_RULE_ERRORS = ['list_gone', 'offer_closed', 'no_products', 'owner_gone', 'unexpected'] as const
export type ColdRuleError = (typeof COLD_RULE_ERRORS)[number]
const runError = z.union([z.literal(''), z.enum(COLD_RULE_ERRORS)])

/** By what a run was begun; `dry`: it only counted. */
export const COLD_RUN_KINDS = ['event', 'schedule', 'manual', 'dry'] as const

const run = z.object({
  uuid,
  kind: z.enum(COLD_RUN_KINDS),
  /** Which version ran. */
  number: z.int(),
  at: moment,
  matched: z.int(),
  queued: z.int(),
  skipped,
  error: runError,
  list: reference.nullable(),
  recold: reference.nullable(),
  by: z.string(),
})
export type ColdRuleRun = z.output<typeof run>

/** Names of what conditions and actions refer to, as far as the caller may know them. */
const names = z.object({
  ...Object.fromEntries(COLD_REFERENCE_FIELDS.map((field) => [field, z.array(reference)])),
  template: z.array(reference),
} as Record<(typeof COLD_REFERENCE_FIELDS)[number] | 'template', z.ZodArray<typeof reference>>)
export type ColdRuleNames = z.output<typeof names>

const row = z.object({
  uuid,
  id: z.int(),
  title: z.string(),
  status: coldRuleStatus,
  /** By hand, or after three runs in a row that failed. */
  pause_reason: z.enum(['', 'by_hand', 'failing']),
  owner: reference.nullable(),
  settings: coldRuleSettings,
  /** Of the settings; and of those that are in force, null until it is started first. */
  number: z.int(),
  live_number: z.int().nullable(),
  /** Whether these settings were run dry. */
  tried: z.boolean(),
  /** The last run that was no dry one. */
  last_run: run.nullable(),
  next_run_at: moment.nullable(),
  /** Leads it has heard of and not yet looked at. */
  waiting: z.int(),
  /** Whom it took in seven days, and what became of them in distributions. */
  week: z.object({ queued: z.int(), sent: z.int(), accepted: z.int() }),
  created_at: moment,
})
export type ColdRuleRow = z.output<typeof row>
const detail = row.extend({ names, version })
export type ColdRuleDetail = z.output<typeof detail>

const person = z.object({
  uuid,
  id: z.string(),
  /** Masked. */
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  affiliate: reference.nullable(),
  offer: reference,
  status: leadStatus,
  call_status: z.enum(CALL_STATUSES).nullable(),
  received_at: moment,
})
export type ColdRulePerson = z.output<typeof person>

/** What a rule would do now. */
const counted = z.object({
  matched: z.int(),
  /** There are more than are looked at. */
  more: z.boolean(),
  queued: z.int(),
  skipped,
  /** The first twenty of those it would take. */
  sample: z.array(person).max(20),
})
export type ColdRuleCounted = z.output<typeof counted>

const change = { access: 'cold.write', params: byUuid, response: detail } as const

/** Rules that put people up for a second sale by themselves. */
export const coldRuleApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/list',
    access: 'cold.read',
    reads: true,
    summary: 'Rules of the own scope with how their last run went; archived ones where they are asked for.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'title', 'status', 'priority', 'next_run_at', 'created_at']),
      search: line(100).default(''),
      status: someOf(coldRuleStatus),
    }),
    response: listOf(row.extend({ names })),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/cold-rule/v1/get/:uuid',
    access: 'cold.read',
    summary: 'One rule by its latest settings.',
    params: byUuid,
    response: detail,
  }),
  templates: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/templates',
    access: 'cold.write',
    reads: true,
    summary: 'Distributions a rule may make others like, by a part of their title; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference) }),
  }),
  count: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/count',
    access: 'cold.write',
    reads: true,
    summary: 'Whom a rule would take now, as its form stands. Nothing is stored or done.',
    body: coldRuleSettings.extend({
      /** Null = not chosen yet. */
      action: coldAction.nullable(),
      /** The rule that is changed, where there is one: whom it has taken it does not take again. */
      uuid: uuid.nullable().default(null),
    }),
    response: counted,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/create',
    access: 'cold.write',
    summary: 'Makes a rule as a draft.',
    body: coldRuleInput,
    response: detail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/update/:uuid',
    access: 'cold.write',
    summary: 'Changes a rule: other settings are another version, which is in force once it is started. Until then the one before runs on.',
    params: byUuid,
    body: coldRuleInput.extend({ version }),
    response: detail,
  }),
  dryRun: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/dry-run/:uuid',
    access: 'cold.write',
    summary: 'Runs the latest version dry: counts and logs whom it would take, and takes nobody.',
    params: byUuid,
    response: counted,
  }),
  activate: endpoint({
    ...change,
    method: 'POST',
    path: '/api/cold-rule/v1/activate/:uuid',
    summary: 'Starts a rule, or puts its latest version in force. Refused until that version was run dry.',
  }),
  pause: endpoint({
    ...change,
    method: 'POST',
    path: '/api/cold-rule/v1/pause/:uuid',
    summary: 'Lets a rule stand still: what happens meanwhile it does not hear of.',
  }),
  archive: endpoint({
    ...change,
    method: 'POST',
    path: '/api/cold-rule/v1/archive/:uuid',
    summary: 'Puts a rule away for good; its log stays.',
  }),
  run: endpoint({
    ...change,
    method: 'POST',
    path: '/api/cold-rule/v1/run-now/:uuid',
    summary:
      'Has an active rule run at once, over all leads that stand as it asks, also those of before it was started. Asked again before it has begun it runs once.',
  }),
  runs: endpoint({
    method: 'POST',
    path: '/api/cold-rule/v1/runs/:uuid',
    access: 'cold.read',
    reads: true,
    summary: 'What a rule has done, the latest first. Runs are kept for 90 days.',
    params: byUuid,
    body: z.object({ ...paging, kind: someOf(z.enum(COLD_RUN_KINDS)) }),
    response: listOf(run),
  }),
  versions: endpoint({
    method: 'GET',
    path: '/api/cold-rule/v1/versions/:uuid',
    access: 'cold.read',
    summary: 'The settings a rule has had, the latest first, at most 50, with the names of what they refer to.',
    params: byUuid,
    response: z.object({
      list: z.array(
        z.object({
          number: z.int(),
          settings: coldRuleSettings,
          /** What was copied of the distribution it makes others like is not what the version before copied. */
          template_changed: z.boolean(),
          by: z.string(),
          created_at: moment,
        }),
      ),
      names,
    }),
  }),
}
