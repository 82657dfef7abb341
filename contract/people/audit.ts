import { z } from 'zod'
import { ROLES } from '#contract/access.ts'
import { endpoint } from '#contract/endpoint.ts'
import { line, moment, named, reference, uuid } from '#contract/fields.ts'
import { listOf, paging, rawListOf, rawPaging, sorting } from '#contract/paging.ts'

/** Every kind of thing the log tells of. Each needs a text (`entity.<kind>`), and says where it is found (`thing.queries.ts`) and shown (`entry-words.ts`). */
export const AUDIT_KINDS = [
  'account',
  'advertiser',
  'advertiser_invoice',
  'affiliate',
  'affiliate_postback',
  'api_key',
  'billing_run',
  'blacklist_entry',
  'blacklist_import',
  'cold_rule',
  'contact_export',
  'conversion',
  'conversion_import',
  'currency',
  'currency_rate',
  'delivery',
  'domain',
  'import',
  'integration',
  'invitation',
  'invoice',
  'landing',
  'lead_list',
  'legal_text',
  'link',
  'mail',
  'mail_template',
  'manager',
  'news',
  'notification',
  'offer',
  'payment_source',
  'payout_file',
  'payout_request',
  'person',
  'postback',
  'product',
  'receipt',
  'recold',
  'reconciliation',
  'report_schedule',
  'saved_view',
  'setting',
  'suppression',
  'ticket',
  'ticket_template',
  'user_session',
  'webhook',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

/** Whether a word of the log is a kind of thing: what stands in it since an older version may be called otherwise. */
export function isAuditKind(entity: string): entity is AuditKind {
  return (AUDIT_KINDS as readonly string[]).includes(entity)
}

/** What has a history of its own, for whoever may read the thing. Offers have theirs, with undo, at `offerApi.history`. */
export const HISTORY_KINDS = [
  'affiliate',
  'advertiser',
  'manager',
  'landing',
  'ticket',
  'news',
  'domain',
  'integration',
  'product',
  'lead_list',
] as const satisfies readonly AuditKind[]

/** Settings have no uuid: the log knows each part by a word, such as the section, or the event and language of a mail template. */
export const SETTING_KINDS = ['setting', 'mail_template', 'legal_text', 'currency'] as const satisfies readonly AuditKind[]

/** A word of the log: what was done, or to what kind of thing. */
const word = z.string().regex(/^[a-z][a-z_]{0,59}$/, 'A word of the log')

/** One logged change: who did what to which thing, from where, and how it was before and after. Personal fields and secrets are masked as stored. */
export const auditEntry = z.object({
  id: z.string(),
  at: moment,
  /** Whose account did it; null = the system. Affiliates are told no name but their own. */
  actor: z.object({ uuid, name: z.string(), role: z.enum(ROLES) }).nullable(),
  /** The member of staff behind it, where somebody acted as an affiliate; affiliates are told that there was one, not who. */
  acting: z.object({ uuid: uuid.nullable(), name: z.string() }).nullable(),
  /** The API key that called, by its name. */
  key: z.string().nullable(),
  address: z.string(),
  action: z.string(),
  entity: z.string(),
  entity_id: z.string(),
  /** What the thing is called now and where it is; null where it has no name, is gone, or is not the caller's to know. */
  thing: z.object({ uuid, id: z.int(), name: z.string() }).nullable(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  named: z.array(named),
})
export type AuditEntry = z.output<typeof auditEntry>

export const auditFilters = z.object({
  ...rawPaging,
  ...sorting(['at']),
  /** The number, key or name of a thing; from three characters on also a part of what was written before or after. */
  search: line(100).default(''),
  /** Whose doing it was, as themselves or as somebody else. */
  person_uuid: z.array(uuid).max(100).default([]),
  entity: z.array(word).max(100).default([]),
  action: z.array(word).max(100).default([]),
  from: moment.nullable().default(null),
  to: moment.nullable().default(null),
})

/** The log of what was changed. Nobody changes or deletes what stands in it. */
export const auditApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/audit/v1/list',
    access: 'audit.read',
    reads: true,
    summary: 'Every logged change, newest first. Heads are not told what was done to the accounts of admins and other heads.',
    body: auditFilters,
    response: rawListOf(auditEntry),
  }),
  words: endpoint({
    method: 'GET',
    path: '/api/audit/v1/words',
    access: 'audit.read',
    summary: 'Which kinds of things and which actions the log holds, to choose from.',
    response: z.object({ entities: z.array(z.string()), actions: z.array(z.string()) }),
  }),
  people: endpoint({
    method: 'POST',
    path: '/api/audit/v1/people',
    access: 'audit.read',
    reads: true,
    summary: 'Accounts to choose from, by name, e-mail, number or uuid; at most 50.',
    body: z.object({ search: line(100).default('') }),
    response: z.object({ list: z.array(reference) }),
  }),
  history: endpoint({
    method: 'POST',
    path: '/api/audit/v1/history',
    access: 'signedIn',
    reads: true,
    summary:
      'What was done to one thing, newest first, for whoever may read it; of affiliates and managers also what was done to their account, and, where asked, what they did themselves.',
    body: z.object({ ...paging, kind: z.enum(HISTORY_KINDS), uuid, deeds: z.boolean().default(true) }),
    response: listOf(auditEntry),
  }),
  settings: endpoint({
    method: 'POST',
    path: '/api/audit/v1/settings',
    access: 'signedIn',
    reads: true,
    summary:
      'What was changed in one part of the settings, newest first, for whoever may read that part; of currencies, everything at once.',
    body: z.object({ ...paging, kind: z.enum(SETTING_KINDS), part: line(60).default('') }),
    response: listOf(auditEntry),
  }),
  own: endpoint({
    method: 'POST',
    path: '/api/audit/v1/own',
    access: 'signedIn',
    reads: true,
    summary: 'What was done by and to the own account, newest first.',
    body: z.object(paging),
    response: listOf(auditEntry),
  }),
}
