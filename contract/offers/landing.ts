import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  byUuid,
  line,
  moment,
  paragraph,
  reference,
  requiredLine,
  someOf,
  statusChange,
  tags,
  uuid,
  version,
  webAddress,
} from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { blankOf, stored } from '#contract/shape.ts'
import { offerStatus } from './offer-fields.ts'
import { landingStatus, landingType, weight } from './offer-landing.ts'

/** public: every affiliate of its offers sees it; private: only those named, and it is never drawn, only asked for. */
export const landingPrivacy = z.enum(['public', 'private'])

/** The languages a page may be in, by ISO 639-1: what pickers offer as `languages` of the constants. */
export const LANGUAGES: readonly string[] =
  'en uk de fr es it pt pl cs sk ro hu bg el tr nl sv no da fi et lv lt ru kk ar he hi id ms th vi ja ko zh'.split(' ')
const ANY_LANGUAGE = ['', ...LANGUAGES]
// no z.enum: an answer may hold what was saved when any two letters were taken
const language = z
  .string()
  .refine((code) => ANY_LANGUAGE.includes(code), 'Choose a language of the list')
  .meta({ enum: ANY_LANGUAGE })

/** What staff may edit of a landing: forms, answers, and the columns read and written follow from it. */
export const landingFields = {
  name: requiredLine(150),
  /** With the macros of offers. */
  url: webAddress().refine((text) => text !== '', 'Required'),
  type: landingType,
  /** '' = none in particular. */
  language,
  tags,
  privacy: landingPrivacy,
  /** Its picture, a file. */
  preview: uuid.nullable(),
  /** Staff only. */
  notes: paragraph(),
}

/** `advertiser`: whose offers it may stand in, null = anybody's; `affiliates`: whom a private one is for. */
export const landingInput = z.object({ ...landingFields, advertiser_uuid: uuid.nullable(), affiliate_uuids: z.array(uuid).max(1000) })
/** `version` is that of the answer the form was filled from. */
export const landingUpdate = landingInput.extend({ version })
export type LandingInput = z.input<typeof landingInput>

/** The form of a new landing. */
export const blankLanding = blankOf(landingInput, { type: 'landing', privacy: 'public' })

export const landingDetail = z.object({
  uuid,
  id: z.int(),
  ...stored(landingFields),
  status: landingStatus,
  advertiser: reference.nullable(),
  affiliates: z.array(reference),
  /** What staff answered when they decided. */
  reason: z.string(),
  /** Who proposed it. */
  proposed_by: z.string().nullable(),
  /** Offers that have it, and how many of them run. */
  used_by: z.array(reference.extend({ status: offerStatus, weight })),
  offers: z.int(),
  active_offers: z.int(),
  /** The last look at its address: an HTTP status, or a word for why there was none. */
  checked_at: moment.nullable(),
  check_status: z.int().nullable(),
  check_error: z.string(),
  /** Looks in a row that failed. */
  failures: z.int(),
  version,
  created_at: moment,
})

export const landing = landingDetail.omit({ affiliates: true, notes: true, used_by: true })

/** What the last look at a landing's address found; `unchecked`: nobody looked yet. */
export const REACHABLE = ['works', 'fails', 'unchecked'] as const

export const landingFilters = z.object({
  ...paging,
  ...sorting([
    'id',
    'name',
    'advertiser',
    'type',
    'status',
    'language',
    'privacy',
    'offers',
    'check',
    'url',
    'proposed_by',
    'reason',
    'checked_at',
    'created_at',
  ]),
  search: line(100).default(''),
  /** None = all but deleted ones. */
  status: someOf(landingStatus),
  type: someOf(landingType),
  language: z.array(language).max(100).default([]),
  tag: z.array(requiredLine(40)).max(30).default([]),
  offer_uuid: z.array(uuid).max(100).default([]),
  /** Landings only for these; those for anybody's offers are not among them. */
  advertiser_uuid: z.array(uuid).max(100).default([]),
  privacy: someOf(landingPrivacy),
  reachable: someOf(z.enum(REACHABLE)),
})

const uuids = z.array(uuid).min(1).max(1000)

/** Landings as those manage them who look after all; within an offer: `offer-landing.ts`. */
export const landingApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/landing/v1/list',
    access: 'landing.read',
    reads: true,
    summary: 'Landings and pre-landings.',
    body: landingFilters,
    response: listOf(landing),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/landing/v1/get/:uuid',
    access: 'landing.read',
    summary: 'One landing with the offers that have it.',
    params: byUuid,
    response: landingDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/landing/v1/create',
    access: 'landing.write',
    summary: 'Makes an active landing.',
    body: landingInput,
    response: landingDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/landing/v1/update/:uuid',
    access: 'landing.write',
    summary: 'Changes a landing, never its status.',
    params: byUuid,
    body: landingUpdate,
    response: landingDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/landing/v1/set-status',
    access: 'landing.write',
    summary: 'Gives up to 1,000 landings a status. Only active ones are drawn or reached; one that waits is turned down by `decide`.',
    body: statusChange(landingStatus),
    response: z.object({ changed: z.int() }),
  }),
  decide: endpoint({
    method: 'POST',
    path: '/api/landing/v1/decide',
    access: 'landing.write',
    summary: 'Approves up to 1,000 landings that wait, or rejects them with a reason; others are passed over.',
    body: z
      .object({ uuids, approve: z.boolean(), reason: paragraph(500).default('') })
      .refine(({ approve, reason }) => approve || reason !== '', { path: ['reason'], error: 'Required' }),
    response: z.object({ changed: z.int() }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/landing/v1/undo',
    access: 'landing.write',
    summary: 'Takes own decisions about up to 1,000 landings back: they wait again. Those somebody changed since are passed over.',
    body: z.object({ uuids }),
    response: z.object({ changed: z.int() }),
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/landing/v1/check/:uuid',
    access: 'landing.write',
    summary: 'Asks for the page now, as the job does every few hours.',
    params: byUuid,
    response: landingDetail,
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/landing/v1/options',
    access: 'report.read',
    reads: true,
    summary:
      'Landings to choose from: for staff those that may stand in their offers, for an affiliate those of its offers; at most 50. A search that is a uuid finds one of any status.',
    body: z.object({
      search: line(100).default(''),
      status: someOf(landingStatus),
      type: someOf(landingType),
      /** Only those that may stand in offers of this advertiser: its own and anybody's. Staff only; null = of whomever. */
      advertiser_uuid: uuid.nullable().default(null),
      /** Only those of nobody in particular, as offers of leads may have. */
      unowned: z.boolean().default(false),
    }),
    response: z.object({
      list: z.array(reference.extend({ type: landingType, status: landingStatus, language: z.string(), url: z.string() })),
    }),
  }),
  propose: endpoint({
    method: 'POST',
    path: '/api/landing/v1/propose/:uuid',
    access: 'offer.write',
    summary: 'Proposes a landing within an offer one may change: it stands there at once and is drawn once it is approved.',
    params: byUuid,
    body: z.object({ name: landingFields.name, url: landingFields.url, type: landingType, language, preview: uuid.nullable(), weight }),
    /** `version` is the offer's, one more than before: a form that stands over the version before may follow. */
    response: reference.extend({ version }),
  }),
}
