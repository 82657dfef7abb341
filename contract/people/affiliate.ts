import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import {
  byUuid,
  contacts,
  countryCode,
  line,
  moment,
  paragraph,
  personal,
  reference,
  requiredLine,
  someOf,
  statusChange,
  tags,
  uuid,
  version,
  webAddress,
} from '#contract/fields.ts'
import { currency } from '#contract/money/amount.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { figuresAsked, figureTotals, FIGURES, figuresShown } from '#contract/traffic/figures.ts'
import { accountFields, handedOver } from '#contract/people/account.ts'
import { blankOf, stored } from '#contract/shape.ts'

/** Life of an affiliate: only `active` ones may send traffic and sign in. */
export const AFFILIATE_STATUSES = ['unverified', 'moderation', 'active', 'inactive', 'banned', 'rejected'] as const
export const affiliateStatus = z.enum(AFFILIATE_STATUSES)

const balance = z.object({ currency, available: z.string(), hold: z.string() })

/** What staff may edit of an affiliate: forms, answers, and the columns read and written follow from it. */
export const affiliateFields = {
  status: affiliateStatus,
  /** What they are called in the platform they came from; for staff alone. */
  external_id: line(100),
  company: line(),
  website: webAddress(),
  country: countryCode.nullable(),
  phone: personal(line(40)),
  contacts: personal(contacts),
  tags,
  notes: paragraph(),
  traffic_sources: z.array(requiredLine(40)).max(50),
  verticals: z.array(requiredLine(40)).max(50),
  geos: z.array(countryCode).max(250),
  currency,
}

export const affiliateInput = z.object({ ...accountFields, ...affiliateFields, manager_uuid: uuid.nullable() })
export type AffiliateInput = z.input<typeof affiliateInput>
export const affiliateUpdate = affiliateInput.extend({ version })

/** The form of a new affiliate; the zone is the network's. */
export const blankAffiliate = blankOf(affiliateInput, { status: 'active', currency: 'USD' })

export const affiliateDetail = z.object({
  uuid,
  id: z.int(),
  ...stored(accountFields),
  ...stored(affiliateFields),
  manager: reference.nullable(),
  balance: z.array(balance),
  created_at: moment,
  last_login_at: moment.nullable(),
  version,
})

export const affiliate = affiliateDetail.pick({
  uuid: true,
  id: true,
  name: true,
  email: true,
  external_id: true,
  status: true,
  manager: true,
  country: true,
  currency: true,
  tags: true,
  balance: true,
  created_at: true,
  last_login_at: true,
})

/** An affiliate in a list. */
export const affiliateRow = affiliate.extend(figuresShown)

export const affiliateFilters = z.object({
  ...paging,
  ...sorting(['id', 'name', 'email', 'external_id', 'status', 'manager', 'country', 'currency', 'created_at', 'last_login_at', ...FIGURES]),
  ...figuresAsked,
  search: line(100).default(''),
  status: someOf(affiliateStatus),
  manager_uuid: z.array(uuid).max(100).default([]),
  country: z.array(countryCode).max(250).default([]),
  tag: z.array(requiredLine(40)).max(30).default([]),
})

/** Affiliates as staff see them: those in the caller's scope. */
export const affiliateApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/list',
    access: 'affiliate.read',
    reads: true,
    summary: 'Affiliates in the own scope.',
    body: affiliateFilters,
    response: listOf(affiliateRow, figureTotals),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/affiliate/v1/get/:uuid',
    access: 'affiliate.read',
    summary: 'One affiliate.',
    params: byUuid,
    response: affiliateDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/create',
    access: 'affiliate.write',
    summary: 'Makes an affiliate; its set-password link is mailed, or answered to admin and head before mail is set up.',
    body: affiliateInput,
    response: z.object({ uuid, id: z.int(), ...handedOver }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/update/:uuid',
    access: 'affiliate.write',
    summary: 'Changes an affiliate.',
    params: byUuid,
    body: affiliateUpdate,
    response: affiliateDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/set-status',
    access: 'affiliate.write',
    summary:
      'Gives up to 1,000 affiliates one status. Who signed up is told by mail what became of it, of a rejection with the `reason`, without which it is refused.',
    body: statusChange(affiliateStatus).extend({ reason: paragraph(500).default('') }),
    response: z.object({ changed: z.int() }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/undo',
    access: 'affiliate.write',
    summary:
      'Gives up to 1,000 affiliates the status they had before the actor gave them this one. Those somebody changed since are passed over; where nothing is left it is a `conflict`.',
    body: statusChange(affiliateStatus).omit({ expected: true }),
    response: z.object({ changed: z.int() }),
  }),
  passwordLink: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/password-link/:uuid',
    access: 'affiliate.write',
    key: 'never',
    summary:
      'Makes a fresh one-time set-password link and mails it; admin and head are shown it before mail is set up, and where they ask for it.',
    params: byUuid,
    body: z.object({ show: z.boolean().default(false) }),
    response: z.object(handedOver),
  }),
  passwordLinks: endpoint({
    method: 'POST',
    path: '/api/affiliate/v1/password-links',
    access: 'affiliate.write',
    key: 'never',
    summary:
      'Mails set-password links to those of up to 1,000 affiliates who are active and have no password. Answers how many were mailed, and how many not: they have one, are not active, or were mailed enough within an hour (`later`).',
    body: z.object({ uuids: z.array(uuid).min(1).max(1000) }),
    response: z.object({ mailed: z.int(), with_password: z.int(), not_active: z.int(), later: z.int() }),
  }),
}
