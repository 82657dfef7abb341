import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, day, line, moment, reference, someOf, uuid, version } from '#contract/fields.ts'
import { currency, positiveAmount } from '#contract/money/amount.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { CALL_STATUSES } from './call-status.ts'
import { leadStatus } from './lead.ts'
import { recoldFigures, recoldFiguresInput } from './recold-figures.ts'
import { recoldData, recoldForecast, recoldPacing, recoldProjection, recoldSchedule, recoldSkip, SKIP_REASONS } from './recold-plan.ts'

export const RECOLD_STATUSES = ['draft', 'active', 'paused', 'done', 'deleted'] as const
export const recoldStatus = z.enum(RECOLD_STATUSES)
export type RecoldStatus = z.output<typeof recoldStatus>

/** What became of a person of a distribution. */
export const RECOLD_ITEM_STATUSES = [
  'pending',
  'scheduled',
  'sending',
  'accepted',
  'rejected',
  'no_capacity',
  'failed',
  'ambiguous',
  'skipped',
  'cancelled',
] as const
export const recoldItemStatus = z.enum(RECOLD_ITEM_STATUSES)
export type RecoldItemStatus = z.output<typeof recoldItemStatus>

/**
 * Why it stands still: somebody paused it; no product of it takes leads; too many of the latest failed; the network looks at consents in
 * another way; its limit or its end date is reached; its windows never open; its offer is not running.
 */
export const PAUSE_REASONS = [
  'by_hand',
  'targets_closed',
  'failing',
  'consent_gate',
  'total',
  'ends_at',
  'never_open',
  'offer_closed',
] as const
export const pauseReason = z.enum(PAUSE_REASONS)
export type PauseReason = z.output<typeof pauseReason>

/** What whoever brought a person first is paid: nothing, an amount for each that brings money, or by the offer. */
export const PAYOUTS = ['none', 'fixed', 'original'] as const

/** A moment plans can be made with: what is far off has no calendar. */
const isNear = (at: string | null) => at === null || (at >= '2000' && at < '2101')
const FAR = 'Choose a moment from 2000 to 2100'

export const recoldFields = {
  title: line(100).min(3, 'At least 3 characters'),
  payout: z.enum(PAYOUTS),
  /** In the offer's currency; of `fixed` alone. */
  payout_amount: positiveAmount.nullable().default(null),
  schedule: recoldSchedule
    .refine(({ starts_at }) => isNear(starts_at), { path: ['starts_at'], message: FAR })
    .refine(({ ends_at }) => isNear(ends_at), { path: ['ends_at'], message: FAR }),
  pacing: recoldPacing,
  data: recoldData,
  skip: recoldSkip,
}

const inputFields = {
  ...recoldFields,
  list_uuid: z.uuid('Choose a list'),
  offer_uuid: z.uuid('Choose an offer'),
  /** Of the offer's products those that are asked; none = all. */
  product_uuids: z.array(uuid).max(500),
}
type Checked = { schedule: z.output<typeof recoldSchedule> }
const opens = ({ schedule }: Checked) => schedule.hours === null || schedule.hours.some((windows) => windows.length > 0)
const NEVER = { path: ['schedule', 'hours'], message: 'It would never send: open at least one window' }

const says = ({ payout, payout_amount }: { payout: string; payout_amount: string | null }) =>
  payout !== 'fixed' || Number(payout_amount ?? 0) > 0
const UNSAID = { path: ['payout_amount'], message: 'Required' }

/** A distribution as its form sends it. */
export const recoldInput = z.object(inputFields).refine(opens, NEVER).refine(says, UNSAID)
export type RecoldInput = z.input<typeof recoldInput>

const counts = z.record(recoldItemStatus, z.int())

const row = z.object({
  uuid,
  id: z.int(),
  title: z.string(),
  status: recoldStatus,
  pause_reason: z.union([z.literal(''), pauseReason]),
  list: reference,
  offer: reference,
  manager: reference.nullable(),
  /** Under whom its leads register; null where it is each person's own affiliate. */
  affiliate: reference.nullable(),
  schedule: recoldSchedule,
  pacing: recoldPacing,
  data: recoldData,
  counts,
  /** People of its list that are not taken in yet. */
  waiting: z.int(),
  conversions: z.int(),
  revenue: z.array(z.object({ currency, amount: z.string() })),
  next_send_at: moment.nullable(),
  last_send_at: moment.nullable(),
  started_at: moment.nullable(),
  finished_at: moment.nullable(),
  created_at: moment,
})
export type RecoldRow = z.output<typeof row>

export const recoldDetail = row.extend({
  payout: z.enum(PAYOUTS),
  payout_amount: z.string().nullable(),
  skip: recoldSkip,
  /** What it was said to bring when it was started. */
  projection: recoldProjection.nullable(),
  products: z.array(reference),
  version,
})
export type RecoldDetail = z.output<typeof recoldDetail>

/** Warnings that keep nobody from starting. */
export const RECOLD_WARNINGS = [
  'cannot_finish',
  'total',
  'never_open',
  'past_start',
  'no_consent_warned',
  'untested',
  'offer_closed',
  'targets_closed',
  'more_people',
] as const

const preview = z.object({
  /** People of the list, and of them those that would be sent now. */
  matched: z.int(),
  sendable: z.int(),
  skipped: z.partialRecord(z.enum(SKIP_REASONS), z.int()),
  /** Of those that would be sent. */
  geos: z.array(z.object({ country: z.string(), people: z.int() })),
  /** How many a weekday takes, Monday first. */
  capacity: z.array(z.int()).length(7),
  /** When the last one would be sent; null = nobody would, or some never. */
  finish: moment.nullable(),
  /** How many are left over by limits and the end date. */
  left: z.int(),
  first: z.array(z.object({ at: moment, country: z.string() })),
  projection: recoldProjection,
  warnings: z.array(z.object({ code: z.enum(RECOLD_WARNINGS), people: z.int() })),
})
export type RecoldPreview = z.output<typeof preview>

const item = z.object({
  uuid,
  status: recoldItemStatus,
  skip_reason: z.union([z.literal(''), z.enum(SKIP_REASONS)]),
  /** Masked. */
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  affiliate: reference.nullable(),
  scheduled_at: moment.nullable(),
  sent_at: moment.nullable(),
  ended_at: moment.nullable(),
  session: z
    .object({ uuid, id: z.string(), status: leadStatus, reason: z.string(), call_status: z.enum(CALL_STATUSES).nullable() })
    .nullable(),
  /** Who has it or may have it, as far as the caller sees. */
  product: reference.nullable(),
  lead_id: uuid.nullable(),
  goal: z.string(),
})
export type RecoldItem = z.output<typeof item>

const live = z.object({
  status: recoldStatus,
  pause_reason: z.union([z.literal(''), pauseReason]),
  counts,
  waiting: z.int(),
  skipped: z.partialRecord(z.enum(SKIP_REASONS), z.int()),
  now: moment,
  next_send_at: moment.nullable(),
  /** When the last is to be sent, as it was planned at the start or when it was resumed; null while it does not run. */
  planned_end: moment.nullable(),
  finished_at: moment.nullable(),
  last_send_at: moment.nullable(),
  /** Sent by the hour (UTC), and how many were to be. */
  sent: recoldForecast,
  forecast: recoldForecast,
  /** What advertisers' systems said of the latest that were not taken, never of whom. */
  errors: z.array(z.object({ at: moment, product: z.string(), reason: z.string() })),
  conversions: z.int(),
  revenue: z.array(z.object({ currency, amount: z.string() })),
})
export type RecoldLive = z.output<typeof live>

const product = reference.extend({
  advertiser: reference.nullable(),
  state: z.enum(['active', 'paused', 'credit_blocked', 'untested', 'suspended']),
})
const changed = z.object({ changed: z.int() })
const ask = { access: 'cold.write', params: byUuid, response: recoldDetail } as const

/** People of a list offered again, so many an hour, within hours and limits. */
export const recoldApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/recold/v1/list',
    access: 'cold.read',
    reads: true,
    summary: 'Distributions of the own scope with how far they are; deleted ones where they are asked for.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'title', 'status', 'last_send_at', 'created_at']),
      /** Of its list, manager, affiliate, offer or product; title and number. */
      search: line(100).default(''),
      status: someOf(recoldStatus),
      list_uuid: z.array(uuid).max(50).default([]),
      /** Created from and to, days of the network. */
      from: day.nullable().default(null),
      to: day.nullable().default(null),
    }),
    response: listOf(row),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/recold/v1/get/:uuid',
    access: 'cold.read',
    summary: 'One distribution as it was set up.',
    params: byUuid,
    response: recoldDetail,
  }),
  live: endpoint({
    method: 'GET',
    path: '/api/recold/v1/live/:uuid',
    access: 'cold.read',
    summary: 'How far a distribution is: counts, when it sends next, plan against fact by the hour, why people were passed over.',
    params: byUuid,
    response: live,
  }),
  figures: endpoint({
    method: 'POST',
    path: '/api/recold/v1/figures',
    access: 'cold.read',
    reads: true,
    summary:
      'What second sales brought by a thousand sends, by age of the lead, source, first offer and advertiser, with complaints and opt-outs.',
    body: recoldFiguresInput,
    response: recoldFigures,
  }),
  stream: endpoint({
    method: 'GET',
    path: '/api/recold/v1/stream/:uuid',
    access: 'cold.read',
    key: 'never',
    summary: 'Tells as server-sent events that something of a distribution has changed.',
    params: byUuid,
    response: bytes,
  }),
  lists: endpoint({
    method: 'POST',
    path: '/api/recold/v1/lists',
    access: 'cold.write',
    reads: true,
    summary: 'Lists that can be sent, by a part of their title; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference.extend({ people: z.int() })) }),
  }),
  targets: endpoint({
    method: 'POST',
    path: '/api/recold/v1/targets',
    access: 'cold.write',
    reads: true,
    summary: 'API offers that can be sent to, with those of their products the caller may see; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference.extend({ products: z.array(product), running: z.boolean() })) }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/recold/v1/preview',
    access: 'cold.write',
    reads: true,
    summary: 'What a distribution would do: who would be sent and who not, when the first are and when it ends. Nothing is stored or sent.',
    body: z
      .object({ ...inputFields, title: line(100).default('') })
      .refine(opens, NEVER)
      .refine(says, UNSAID),
    response: preview,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/recold/v1/create',
    access: 'cold.write',
    summary: 'Makes a distribution as a draft.',
    body: recoldInput,
    response: recoldDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/recold/v1/update/:uuid',
    access: 'cold.write',
    summary: 'Changes a draft or a paused distribution; one that was started keeps its list.',
    params: byUuid,
    body: recoldInput.safeExtend({ version }),
    response: recoldDetail,
  }),
  start: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/start/:uuid',
    summary: 'Starts a draft, where somebody can be sent and somebody can take them.',
  }),
  pause: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/pause/:uuid',
    summary: 'Lets a distribution stand still; who is under way is settled.',
  }),
  resume: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/resume/:uuid',
    summary: 'Lets it go on, planned anew from now. People passed over for limits of countries wait again.',
    body: z.object({ /** Limits go on counting, or count from now. */ caps: z.enum(['continue', 'from_now']).default('continue') }),
  }),
  done: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/done/:uuid',
    summary: 'Ends it at once; whoever still waits is cancelled.',
  }),
  duplicate: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/duplicate/:uuid',
    summary: 'Makes a draft of the same, with a seed of its own.',
  }),
  remove: endpoint({
    ...ask,
    method: 'POST',
    path: '/api/recold/v1/delete/:uuid',
    summary: 'Puts it away; whoever still waits is cancelled, figures stay.',
  }),
  items: endpoint({
    method: 'POST',
    path: '/api/recold/v1/items/:uuid',
    access: 'cold.read',
    reads: true,
    summary: 'The people of a distribution, masked, by what became of them.',
    params: byUuid,
    body: z.object({
      ...paging,
      status: someOf(recoldItemStatus),
      skip_reason: someOf(z.enum(SKIP_REASONS)),
      country: z.array(z.string().length(2)).max(250).default([]),
    }),
    response: listOf(item),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/recold/v1/decide/:uuid',
    access: 'cold.write',
    summary: 'Tries failed people again, passes over or cancels those who wait; others keep what they are.',
    params: byUuid,
    body: z.object({ uuids: z.array(uuid).min(1).max(1000), action: z.enum(['retry', 'skip', 'cancel']) }),
    response: changed,
  }),
  move: endpoint({
    method: 'POST',
    path: '/api/recold/v1/move/:uuid',
    access: 'cold.write',
    summary: 'Moves up to 1,000 people from the list of a distribution to another one; those who wait are cancelled here.',
    params: byUuid,
    body: z.object({ uuids: z.array(uuid).min(1).max(1000), to_uuid: z.uuid('Choose a list') }),
    /** As moving people between lists answers; `cancelled` of them waited. */
    response: z.object({ moved: z.int(), there: z.int(), left: z.int(), cancelled: z.int() }),
  }),
}

/** An event of the stream. */
export const recoldEvent = z.object({ kind: z.literal('changed') })
