import { z } from 'zod'
import { network } from '#contract/address-list.ts'
import { endpoint } from '#contract/endpoint.ts'
import { goalCode } from '#contract/offers/offer-fields.ts'
import {
  byUuid,
  contacts,
  countryCode,
  email,
  line,
  moment,
  paragraph,
  personal,
  reference,
  requiredLine,
  someOf,
  statusChange,
  uuid,
  version,
} from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { conversionStatus } from '#contract/traffic/conversion.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { figuresAsked, figureTotals, FIGURES, figuresShown } from '#contract/traffic/figures.ts'
import { blankOf, stored } from '#contract/shape.ts'

/** Clicks on the offers of an advertiser that is not `active` are refused; postbacks for earlier clicks are still taken. */
export const ADVERTISER_STATUSES = ['active', 'inactive', 'deleted'] as const
export const advertiserStatus = z.enum(ADVERTISER_STATUSES)

/** What invoices need to know of the company. */
export const company = z.object({
  name: line(200).default(''),
  vat_id: line(40).default(''),
  registration_number: line(40).default(''),
  address: line(300).default(''),
  city: line(100).default(''),
  postal_code: line(20).default(''),
  country: countryCode.nullable().default(null),
})

/** A word of the advertiser and what it means: a status, or the goal of that code in whatever offer has one. */
export const postbackWord = z
  .object({ word: requiredLine(64), status: conversionStatus.nullable(), goal: goalCode.nullable() })
  .refine(({ status, goal }) => (status === null) !== (goal === null), { error: 'Choose a status or a goal', path: ['status'] })

/** What authorises postbacks: the token, an address on the list, either of them, or both. */
export const POSTBACK_AUTHS = ['token', 'ip', 'either', 'both'] as const

/** What staff may edit of an advertiser: forms, answers, and the columns read and written follow from it. */
export const advertiserFields = {
  name: requiredLine(),
  email: personal(z.union([z.literal(''), email])),
  status: advertiserStatus,
  /** What it is called in the platform it came from; for staff alone. */
  external_id: line(100),
  company,
  contacts: personal(contacts),
  postback_auth: z.enum(POSTBACK_AUTHS),
  /** None where the token alone authorises; otherwise at least one. */
  allowed_ips: z.array(network).max(100),
  /** Before the network's statuses; a goal's own code needs none. */
  postback_words: z
    .array(postbackWord)
    .max(200)
    .refine((words) => new Set(words.map(({ word }) => word.toLowerCase())).size === words.length, 'Each word once'),
  /** Whether a postback that names no status is approved; otherwise it is pending. */
  no_status_approved: z.boolean(),
  currency,
  notes: paragraph(),
}

export const advertiserInput = z.object({ ...advertiserFields, manager_uuid: uuid.nullable() })
export type AdvertiserInput = z.input<typeof advertiserInput>
export const advertiserUpdate = advertiserInput.extend({ version })

export const blankAdvertiser = blankOf(advertiserInput, {
  status: 'active',
  currency: 'USD',
  no_status_approved: true,
  postback_auth: 'token',
})

/** For so many hours a new token may leave the one before valid. */
export const KEPT_TOKEN_HOURS = [0, 24, 168] as const

export const advertiserDetail = z.object({
  uuid,
  id: z.int(),
  ...stored(advertiserFields),
  manager: reference.nullable(),
  /** Offers of any status. */
  offers: z.int(),
  /** It owes its credit limit, or more: its clicks go to trafficback and its products get no leads. */
  credit_blocked: z.boolean(),
  /** Part of the postback address the advertiser calls. */
  postback_token: z.string(),
  /** Until when the token before is taken too; null or past: only the present one is. */
  previous_token_until: moment.nullable(),
  created_at: moment,
  version,
})

export const advertiser = advertiserDetail.pick({
  uuid: true,
  id: true,
  name: true,
  email: true,
  external_id: true,
  status: true,
  manager: true,
  currency: true,
  offers: true,
  created_at: true,
})

/** An advertiser in a list. */
export const advertiserRow = advertiser.extend(figuresShown)

export const advertiserFilters = z.object({
  ...paging,
  ...sorting(['id', 'name', 'email', 'external_id', 'status', 'manager', 'offers', 'currency', 'created_at', ...FIGURES]),
  ...figuresAsked,
  search: line(100).default(''),
  /** None = all but deleted ones. */
  status: someOf(advertiserStatus),
  manager_uuid: z.array(uuid).max(100).default([]),
})

/** Advertisers as staff see them: those in the caller's scope. */
export const advertiserApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/list',
    access: 'advertiser.read',
    reads: true,
    summary: 'Advertisers in the own scope.',
    body: advertiserFilters,
    response: listOf(advertiserRow, figureTotals),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/advertiser/v1/get/:uuid',
    access: 'advertiser.read',
    summary: 'One advertiser.',
    params: byUuid,
    response: advertiserDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/create',
    access: 'advertiser.write',
    summary: 'Makes an advertiser with a postback token of its own.',
    body: advertiserInput,
    response: advertiserDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/update/:uuid',
    access: 'advertiser.write',
    summary: 'Changes an advertiser.',
    params: byUuid,
    body: advertiserUpdate,
    response: advertiserDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/set-status',
    access: 'advertiser.write',
    summary: 'Gives up to 1,000 advertisers one status; one with active offers cannot be deleted.',
    body: statusChange(advertiserStatus),
    response: z.object({ changed: z.int() }),
  }),
  options: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/options',
    access: 'advertiser.read',
    reads: true,
    summary: 'Active advertisers to choose from, in the own scope; at most 50. A search that is a uuid finds one of any status.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference.extend({ currency })) }),
  }),
  renewToken: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/renew-token/:uuid',
    access: 'advertiser.write',
    summary:
      'Gives an advertiser a new postback token. The old one stops working at once, or is taken for 24 or 168 hours more; refused while one before it is still taken, unless all stop at once.',
    params: byUuid,
    body: z.object({ keep_hours: z.literal(KEPT_TOKEN_HOURS, 'Choose 0, 24 or 168 hours').default(0) }),
    response: z.object({ postback_token: z.string(), previous_token_until: moment.nullable() }),
  }),
  endOldToken: endpoint({
    method: 'POST',
    path: '/api/advertiser/v1/end-old-token/:uuid',
    access: 'advertiser.write',
    summary: 'Takes the token before the present one no longer, from now on; where none is taken nothing changes.',
    params: byUuid,
    response: z.object({}),
  }),
}
