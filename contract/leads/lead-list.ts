import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, countryCode, line, moment, paragraph, reference, someOf, uuid, version } from '#contract/fields.ts'
import { listOf, paging, rawListOf, sorting } from '#contract/paging.ts'
import { conversion, conversionApi, conversionStatus, conversionTotals } from '#contract/traffic/conversion.ts'
import { CALL_STATUSES } from './call-status.ts'
import { leadStatus } from './lead.ts'
import { LEAD_ORIGINS, userSession, userSessionApi } from './user-session.ts'

/** How a list stands: nobody is in it; it may be sent; somebody is about to send it, or does, or a rule names it; it is put away. */
export const LEAD_LIST_STATUSES = ['draft', 'ready', 'in_use', 'archived'] as const
export const leadListStatus = z.enum(LEAD_LIST_STATUSES)

/** Where somebody of a list came from, and how they came into it. */
export const LEAD_SOURCES = ['session', 'conversion', 'file'] as const
export const LEAD_VIAS = ['manual', 'filter', 'rule', 'file', 'merge', 'split'] as const

/** Of leads whose first sale came to nothing: whom a second one begins with. */
export const UNSOLD_STATUSES = ['unsold', 'rejected', 'closed'] as const

/** Why a row is not taken into a list, in the order in which it is asked. */
export const LEFT_OUT = ['erased', 'restricted', 'test', 'suppressed', 'in_list', 'removed', 'duplicate'] as const
export const leftOut = z.enum(LEFT_OUT)
export type LeftOut = z.output<typeof leftOut>
/** Why nobody sends to somebody of a list. */
export const UNSENDABLE = ['removed', 'erased', 'restricted', 'suppressed', 'test'] as const

/** Rows that are added, copied or moved by one call; more than that is refused, and nothing done. */
export const MOST_ADDED = 100_000
const MOST_CHOSEN = 1_000

const title = line(100).min(3, 'At least 3 characters')
export const leadListFields = { title, description: paragraph(1000) }

const bySource = z.object({ session: z.int(), conversion: z.int(), file: z.int() })
const geo = z.object({ country: z.string(), items: z.int() })
/** Who sends a list. */
const use = z.object({ uuid, title: z.string(), status: z.string() })

/** A list as far as the caller sees who is in it. */
export const leadList = z.object({
  uuid,
  id: z.int(),
  ...leadListFields,
  status: leadListStatus,
  /** All that were not taken out. */
  total: z.int(),
  /** Of them those who may be sent: not erased, not restricted, not suppressed, no test. */
  sendable: z.int(),
  by_source: bySource,
  /** Of most people the three. */
  geos: z.array(geo),
  /** The latest five distributions of it, deleted ones aside, and how many there are. */
  used_in: z.array(use),
  uses: z.int(),
  owner: reference.nullable(),
  created_at: moment,
  updated_at: moment,
  version,
})
export type LeadList = z.output<typeof leadList>

const leadListDetail = leadList.extend({
  removed: z.int(),
  suppressed: z.int(),
  /** The countries of most people, all there are. */
  geos: z.array(geo),
})
export type LeadListDetail = z.output<typeof leadListDetail>

/** Somebody of a list, masked, and where they came from. */
export const leadListItem = z.object({
  id: z.string(),
  source: z.enum(LEAD_SOURCES),
  via: z.enum(LEAD_VIAS),
  added_at: moment,
  added_by: z.string(),
  removed_at: moment.nullable(),
  /** Why nobody sends to them; null = they may be sent. */
  unsendable: z.enum(UNSENDABLE).nullable(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  country: z.string(),
  session: z.object({ uuid, id: z.string() }).nullable(),
  received_at: moment.nullable(),
  status: leadStatus.nullable(),
  call_status: z.enum(CALL_STATUSES).nullable(),
  offer: reference.nullable(),
  affiliate: reference.nullable(),
  conversion: z.object({ uuid, id: z.string(), status: conversionStatus, reason: z.string() }).nullable(),
  /** The file they came in. */
  file: z.string().nullable(),
  /** To how many products they were offered, as far as the caller sees. */
  sends: z.int(),
})
export type LeadListItem = z.output<typeof leadListItem>

const itemId = z.string().regex(/^[1-9]\d{0,17}$/)
const itemIds = z.object({ item_ids: z.array(itemId).min(1).max(MOST_CHOSEN) })

/** What narrows those who may be added, beside what lists of sessions and conversions are narrowed by. */
const candidates = {
  /** In none of the lists the caller sees. */
  not_listed: z.boolean().default(false),
  /** Never offered to any of these advertisers. */
  not_sent_to_uuid: z.array(uuid).max(20).default([]),
  /** Days since the lead came. */
  age_min: z.int().min(0).max(3650).nullable().default(null),
  age_max: z.int().min(0).max(3650).nullable().default(null),
}
/** Sessions or conversions of offers of leads that may be added. */
const sessionFilters = userSessionApi.list.body.omit({ traffic: true }).extend(candidates)
const conversionFilters = conversionApi.list.body.omit({ offer_type: true, traffic: true }).extend(candidates)
export type SessionCandidates = z.output<typeof sessionFilters>
export type ConversionCandidates = z.output<typeof conversionFilters>

/** Chosen rows, or all that filters match. */
const chosen = <Filters extends z.ZodType>(matching: Filters) =>
  z
    .object({ uuids: z.array(uuid).max(MOST_CHOSEN).default([]), matching: matching.nullable().default(null) })
    .refine(({ uuids, matching: all }) => (all === null) === uuids.length > 0, {
      path: ['uuids'],
      message: 'Choose rows, or all that match',
    })
const counted = z.object({
  added: z.int(),
  /** Who is left out, by the first reason that holds. */
  left_out: z.partialRecord(leftOut, z.int()),
  /** Up to when rows were counted: sent along, adding takes these and none that came since. */
  until: moment,
})
const ofSessions = chosen(sessionFilters)
const ofConversions = chosen(conversionFilters)
export type ChosenSessions = z.output<typeof ofSessions>
export type ChosenConversions = z.output<typeof ofConversions>

/** Lists of people for a second sale: the own ones and the team's, and of them those whose affiliates are the team's. */
export const leadListApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/list',
    access: 'cold.read',
    reads: true,
    summary: 'Lists of leads in the own scope.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'title', 'total', 'owner', 'created_at', 'updated_at']),
      search: line(100).default(''),
      /** None named = all but archived ones. */
      status: someOf(leadListStatus),
      owner_uuid: z.array(uuid).max(100).default([]),
    }),
    response: listOf(leadList),
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/options',
    access: 'cold.read',
    reads: true,
    summary: 'Lists to choose from, archived ones aside: at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference) }),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/lead-list/v1/get/:uuid',
    access: 'cold.read',
    summary: 'One list, how many are in it and where they came from.',
    params: byUuid,
    response: leadListDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/create',
    access: 'cold.write',
    summary: 'Makes an empty list.',
    body: z.object(leadListFields),
    response: z.object({ uuid, id: z.int() }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/update/:uuid',
    access: 'cold.write',
    summary: 'Renames a list.',
    params: byUuid,
    body: z.object({ ...leadListFields, version }),
    response: leadListDetail,
  }),
  archive: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/archive/:uuid',
    access: 'cold.write',
    summary: 'Puts a list away, or takes it out again. Refused while a distribution or rule uses it.',
    params: byUuid,
    body: z.object({ archived: z.boolean() }),
    response: leadListDetail,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/remove/:uuid',
    access: 'cold.write',
    summary: 'Deletes a list. Refused while a distribution or rule uses it. What was sent stays.',
    params: byUuid,
    response: z.object({}),
  }),
  sessions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/sessions/:uuid',
    access: 'cold.write',
    reads: true,
    summary: 'User sessions of the own affiliates that may be added to a list, newest first; those that may not say why.',
    params: byUuid,
    body: sessionFilters,
    response: rawListOf(userSession.extend({ left_out: leftOut.nullable() })),
  }),
  conversions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/conversions/:uuid',
    access: 'cold.write',
    reads: true,
    summary: 'Conversions of leads of the own affiliates whose people may be added to a list, newest first; those that may not say why.',
    params: byUuid,
    body: conversionFilters,
    response: rawListOf(conversion.extend({ left_out: leftOut.nullable() }), conversionTotals),
  }),
  trySessions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/try-sessions/:uuid',
    access: 'cold.write',
    reads: true,
    summary: 'How many people of some sessions would be added, and how many not, by reason.',
    params: byUuid,
    body: ofSessions,
    response: counted,
  }),
  addSessions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/add-sessions/:uuid',
    access: 'cold.write',
    summary: 'Adds the people of up to 1,000 sessions, or of all that filters match, up to 100,000; each once, by the newest session.',
    params: byUuid,
    body: ofSessions,
    response: counted,
  }),
  tryConversions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/try-conversions/:uuid',
    access: 'cold.write',
    reads: true,
    summary: 'How many people of some conversions would be added, and how many not, by reason.',
    params: byUuid,
    body: ofConversions,
    response: counted,
  }),
  addConversions: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/add-conversions/:uuid',
    access: 'cold.write',
    summary: 'Adds the people of up to 1,000 conversions, or of all that filters match, up to 100,000; each once, by the newest lead.',
    params: byUuid,
    body: ofConversions,
    response: counted,
  }),
  items: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/items/:uuid',
    access: 'cold.read',
    reads: true,
    summary: 'Who is in a list, masked, the latest first, and where each came from.',
    params: byUuid,
    body: z.object({
      ...paging,
      ...sorting(['added_at', 'country']),
      source: someOf(z.enum(LEAD_SOURCES)),
      via: someOf(z.enum(LEAD_VIAS)),
      country: z.array(countryCode).max(250).default([]),
      affiliate_uuid: z.array(uuid).max(100).default([]),
      /** Taken out of the list, still in it, or both. */
      shown: z.enum(['present', 'removed', 'all']).default('present'),
      /** A session's uuid or number, or a whole e-mail address or telephone. */
      search: line(254).default(''),
    }),
    response: listOf(leadListItem),
  }),
  sends: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/sends/:uuid',
    access: 'cold.read',
    reads: true,
    summary: 'To whom somebody of a list was offered, as far as the caller sees: the latest 200.',
    params: byUuid,
    body: z.object({ item_id: itemId }),
    response: z.object({
      list: z.array(
        z.object({
          uuid,
          asked_at: moment,
          session: z.object({ uuid, id: z.string() }),
          origin: z.enum(LEAD_ORIGINS),
          offer: reference,
          /** Null where it is not the caller's to know. */
          advertiser: reference.nullable(),
          product: reference.nullable(),
          status: z.string(),
          reason: z.string(),
          call_status: z.enum(CALL_STATUSES).nullable(),
        }),
      ),
    }),
  }),
  removeItems: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/remove-items/:uuid',
    access: 'cold.write',
    summary: 'Takes up to 1,000 people out of a list; they stay in it as taken out, and are sent no more.',
    params: byUuid,
    body: itemIds,
    response: z.object({ changed: z.int() }),
  }),
  restoreItems: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/restore-items/:uuid',
    access: 'cold.write',
    summary: 'Takes up to 1,000 people into a list again.',
    params: byUuid,
    body: itemIds,
    response: z.object({ changed: z.int() }),
  }),
  moveItems: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/move-items/:uuid',
    access: 'cold.write',
    summary: 'Moves up to 1,000 people to another list. Who is there already only leaves this one; who was taken out there stays here.',
    params: byUuid,
    body: itemIds.extend({ to_uuid: z.uuid('Choose a list') }),
    response: z.object({ moved: z.int(), there: z.int(), left: z.int() }),
  }),
  merge: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/merge/:uuid',
    access: 'cold.write',
    summary: 'Takes the people of another list in, up to 100,000; the other one stays, or is archived. Done again it adds nobody twice.',
    params: byUuid,
    body: z.object({ from_uuid: z.uuid('Choose a list'), archive: z.boolean().default(false) }),
    response: z.object({ added: z.int(), there: z.int() }),
  }),
  split: endpoint({
    method: 'POST',
    path: '/api/lead-list/v1/split/:uuid',
    access: 'cold.write',
    summary: 'Moves those of some countries, or a share of all, up to 100,000, to a new list.',
    params: byUuid,
    body: z
      .object({
        title,
        countries: z.array(countryCode).max(250).default([]),
        percent: z.int().min(1).max(99).nullable().default(null),
      })
      .refine(({ countries, percent }) => (percent === null) === countries.length > 0, {
        path: ['percent'],
        message: 'Choose countries, or a share',
      }),
    response: z.object({ uuid, id: z.int(), moved: z.int() }),
  }),
}
