import { z } from 'zod'
import { bytes, endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment, reference, requiredLine, someOf, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { hostField } from './host-name.ts'

/** panel: where people sign in, and where mails lead; tracking: where links and postbacks point. */
export const DOMAIN_KINDS = ['panel', 'tracking'] as const
export const domainKind = z.enum(DOMAIN_KINDS)
export type DomainKind = z.output<typeof domainKind>

/** pending: nobody has shown yet that it is the network's; failing: it is, and a look found something wrong; burnt: only old links use it. */
export const DOMAIN_STATUSES = ['pending', 'verified', 'failing', 'burnt'] as const
export const domainStatus = z.enum(DOMAIN_STATUSES)
export type DomainStatus = z.output<typeof domainStatus>

/** acme: this network gets and renews its certificate; proxy: whatever stands in front of it does. */
export const CERTIFICATE_MODES = ['acme', 'proxy'] as const
export const certificateMode = z.enum(CERTIFICATE_MODES)

/** What is looked at, in this order; the first that is wrong names a failing domain. */
export const DOMAIN_CHECKS = ['resolves', 'record', 'http', 'https', 'certificate', 'unsafe'] as const
export type DomainCheckName = (typeof DOMAIN_CHECKS)[number]

/** What a check found. `found` beside it holds the addresses, the record, the beginning of a page, names of a certificate. */
export const DOMAIN_FINDINGS = [
  'fine',
  /** Of no matter here, such as https where links are http. */
  'not_needed',
  /** No address, no record. */
  'nothing',
  /** Another record, or a page of somebody else. */
  'other',
  'private_address',
  /** Nobody answered who knows names. */
  'no_answer',
  'connection_refused',
  'connection_reset',
  'timed_out',
  'too_many_redirects',
  'tls_failed',
  'failed',
  'expired',
  'ends_soon',
  'other_name',
  'untrusted',
  /** Its certificate is being got. */
  'waiting',
  'listed',
  'no_list',
] as const
export type DomainFinding = (typeof DOMAIN_FINDINGS)[number]

/** `ok` is null where it is of no matter. */
export const domainCheck = z.object({
  check: z.enum(DOMAIN_CHECKS),
  ok: z.boolean().nullable(),
  finding: z.enum(DOMAIN_FINDINGS),
  found: z.array(z.string()),
  /** Of a certificate: whole days it is still valid. */
  days: z.int().nullable(),
})
export type DomainCheck = z.output<typeof domainCheck>

/** A burnt domain may be taken back for so long. */
export const UNDO_BURN_HOURS = 24
/** So many affiliates and offers one is assigned to. */
export const MOST_ASSIGNMENTS = 200
/** What an imported list of unsafe hosts may hold. */
export const MOST_UNSAFE_HOSTS = 100_000
export const LARGEST_UNSAFE_LIST = 1024 * 1024

type Assigned = { affiliate_id: number | null; offer_id: number | null }
/** What burning a domain took from it (`removed`), and what of it another got that it had not had before. */
export type BurntMoved = { replacement_id: number | null; default: boolean; assignments: Assigned[]; removed: Assigned[] }

const assignment = z.object({ affiliate: reference.nullable(), offer: reference.nullable() })

export const domainRow = z.object({
  uuid,
  id: z.int(),
  host: z.string(),
  kind: domainKind,
  status: domainStatus,
  default: z.boolean(),
  certificate: certificateMode,
  verified_at: moment.nullable(),
  verified_by: z.enum(['dns', 'file']).nullable(),
  checked_at: moment.nullable(),
  failing: z.enum(DOMAIN_CHECKS).nullable(),
  failing_since: moment.nullable(),
  certificate_expires_at: moment.nullable(),
  burnt_at: moment.nullable(),
  /** How many affiliates and offers it is assigned to. */
  assigned: z.int(),
  created_at: moment,
})

export const domainDetail = domainRow.extend({
  /** How links of it begin. */
  address: z.string(),
  /** The name or address its record points at, so that it leads here; null where this server knows none that others reach it at. */
  points_to: z.string().nullable(),
  /** The TXT record that shows it is the network's. */
  record: z.object({ name: z.string(), value: z.string() }),
  /** The page that shows it, which this network answers by itself once the name leads here. */
  file: z.object({ path: z.string(), content: z.string() }),
  checks: z.array(domainCheck),
  certificate_issued_at: moment.nullable(),
  certificate_error: z.string(),
  burnt_by: z.string().nullable(),
  burnt_reason: z.string(),
  /** Until when that may be taken back. */
  undo_until: moment.nullable(),
  assignments: z.array(assignment),
  version,
})

export const domainInput = z.object({ host: hostField, kind: domainKind, certificate: certificateMode })
export const domainUpdate = z.object({
  certificate: certificateMode,
  /** Of an affiliate, of an offer, or of both; only tracking domains have any. */
  assignments: z
    .array(z.object({ affiliate_uuid: uuid.nullable(), offer_uuid: uuid.nullable() }))
    .max(MOST_ASSIGNMENTS, `At most ${MOST_ASSIGNMENTS} rows`),
  version,
})

export const domainFilters = z.object({
  ...paging,
  ...sorting(['host', 'kind', 'status', 'checked_at', 'certificate_expires_at', 'created_at', 'id'], 'asc'),
  search: line(253).default(''),
  kind: someOf(domainKind),
  status: someOf(domainStatus),
})

/** What uses a domain: what changes when it is burnt or removed. */
export const domainUses = z.object({
  default: z.boolean(),
  assignments: z.int(),
  /** Active affiliates whose links it begins, the offers they run, and their short links. */
  affiliates: z.int(),
  offers: z.int(),
  short_links: z.int(),
  /** Those of the same kind that could take its place, the likeliest first; without one the configured address does. */
  replacements: z.array(z.object({ uuid, host: z.string(), status: domainStatus })),
  /** The configured address. */
  fallback: z.string(),
})

const unsafeList = z.object({ rows: z.int(), name: z.string(), imported_at: moment.nullable(), imported_by: z.string().nullable() })

/** Names of the network: where the panel is opened and where links point. */
export const domainApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/domain/v1/list',
    access: 'setting.domains',
    reads: true,
    summary: 'The panel and tracking domains of the network.',
    body: domainFilters,
    response: listOf(domainRow),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/domain/v1/get/:uuid',
    access: 'setting.domains',
    summary: 'One domain, how to verify it, and what the last look found.',
    params: byUuid,
    response: domainDetail,
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/domain/v1/create',
    access: 'setting.domains',
    summary: 'Adds a domain, which nothing uses before it is verified. API keys do all this with tracking domains alone.',
    body: domainInput,
    response: domainDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/domain/v1/update/:uuid',
    access: 'setting.domains',
    summary: 'Changes who gets its certificate, and whose links it is for.',
    params: byUuid,
    body: domainUpdate,
    response: domainDetail,
  }),
  check: endpoint({
    method: 'POST',
    path: '/api/domain/v1/check/:uuid',
    access: 'setting.domains',
    summary:
      'Looks at a domain now: its names, what answers there, its certificate, the list of unsafe hosts. Verifies one that is pending.',
    params: byUuid,
    response: domainDetail,
  }),
  setDefault: endpoint({
    method: 'POST',
    path: '/api/domain/v1/set-default/:uuid',
    access: 'setting.domains',
    summary: 'Makes a verified domain the default of its kind; of the panel only an admin may.',
    params: byUuid,
    response: domainDetail,
  }),
  uses: endpoint({
    method: 'GET',
    path: '/api/domain/v1/uses/:uuid',
    access: 'setting.domains',
    summary: 'What uses a domain, and what could take its place.',
    params: byUuid,
    response: domainUses,
  }),
  burn: endpoint({
    method: 'POST',
    path: '/api/domain/v1/burn/:uuid',
    access: 'setting.domains',
    summary:
      'Takes a domain out of use for everything new: another takes over its default and its assignments, and affiliates concerned are told. Old links keep working. Of the panel only an admin may.',
    params: byUuid,
    body: z.object({ reason: requiredLine(300), replacement_uuid: uuid.nullable() }),
    response: domainDetail,
  }),
  undoBurn: endpoint({
    method: 'POST',
    path: '/api/domain/v1/undo-burn/:uuid',
    access: 'setting.domains',
    summary: `Takes that back within ${UNDO_BURN_HOURS} hours; what was given to another domain since stays there.`,
    params: byUuid,
    response: domainDetail,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/api/domain/v1/remove/:uuid',
    access: 'setting.domains_danger',
    summary: 'Removes a domain; one that is in use only where that is confirmed.',
    params: byUuid,
    body: z.object({ confirm: z.boolean().default(false) }),
    response: z.object({}),
  }),
  unsafe: endpoint({
    method: 'GET',
    path: '/api/domain/v1/unsafe',
    access: 'setting.domains',
    summary: 'The list of unsafe hosts that was imported last.',
    response: unsafeList,
  }),
  importUnsafe: endpoint({
    method: 'POST',
    path: '/api/domain/v1/import-unsafe',
    access: 'setting.domains',
    summary: `Replaces the list of unsafe hosts by a text: one a line, at most 1 MB and ${MOST_UNSAFE_HOSTS} of them; an empty one clears it. What is no host is passed over and counted.`,
    query: z.object({ name: line(200).default('') }),
    body: bytes,
    response: unsafeList.extend({ skipped: z.int() }),
  }),
}
