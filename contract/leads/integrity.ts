import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { byUuid, line, moment } from '#contract/fields.ts'

/** What is looked at before a lead is offered to anybody, in the order findings are told. No word the log masks. */
export const INTEGRITY_CHECKS = ['blacklist', 'telephone', 'mail', 'duplicate', 'ip', 'geo', 'velocity'] as const
export const integrityCheck = z.enum(INTEGRITY_CHECKS)
export type IntegrityCheck = z.output<typeof integrityCheck>

/** What follows where a check finds something; each is more than those before it. flag: staff see it, and nothing else happens. */
export const INTEGRITY_ACTIONS = ['off', 'flag', 'hold', 'reject'] as const
export const integrityAction = z.enum(INTEGRITY_ACTIONS)
export type IntegrityAction = z.output<typeof integrityAction>

/** What affiliates are told of a lead that was held or refused: a word for each check, never what was found. */
export const REFUSAL_CODES = {
  blacklist: 'blacklisted',
  telephone: 'invalid_phone',
  mail: 'invalid_email',
  duplicate: 'duplicate',
  ip: 'ip_refused',
  geo: 'geo_mismatch',
  velocity: 'too_many',
} as const satisfies Record<IntegrityCheck, string>
export type RefusalCode = (typeof REFUSAL_CODES)[IntegrityCheck]
/** What its offer wants to know of the consent is not there. */
export const CONSENT_MISSING = 'consent_missing'
export const refusalCode = z.enum([...(Object.values(REFUSAL_CODES) as [RefusalCode, ...RefusalCode[]]), CONSENT_MISSING]) // of a literal object

const atMost = z.int().min(1).max(1_000_000).nullable()

/** Of an offer: what each check leads to, and by what it goes. */
export const integritySettings = z.object({
  blacklist: z.object({ action: integrityAction }),
  /** `mobile_only`: a line that can only be a fixed one is found too. */
  telephone: z.object({ action: integrityAction, mobile_only: z.boolean() }),
  /** `roles`: addresses of an office rather than a person, such as info@. */
  mail: z.object({ action: integrityAction, roles: z.boolean() }),
  /**
   * A telephone or an e-mail address that came `most` times in `days` already: to this offer, to an advertiser whose product stands in
   * it, or anywhere.
   */
  duplicate: z.object({
    action: integrityAction,
    days: z.int().min(1).max(3650),
    within: z.enum(['offer', 'advertisers', 'network']),
    most: z.int().min(1).max(1000),
  }),
  ip: z.object({ action: integrityAction }),
  geo: z.object({ action: integrityAction }),
  /** So many leads in `minutes` are usual: from one address and from one device anywhere, of one affiliate for this offer; null = any number. */
  velocity: z.object({
    action: integrityAction,
    minutes: z.int().min(1).max(10_080),
    per_ip: atMost,
    per_device: atMost,
    per_affiliate: atMost,
  }),
})
export type IntegritySettings = z.output<typeof integritySettings>

/** What holds where nobody said otherwise: a blacklist is for refusing, all else is shown to whoever looks. */
export const USUAL_INTEGRITY: IntegritySettings = {
  blacklist: { action: 'reject' },
  telephone: { action: 'flag', mobile_only: false },
  mail: { action: 'flag', roles: true },
  duplicate: { action: 'flag', days: 30, within: 'network', most: 1 },
  ip: { action: 'flag' },
  geo: { action: 'flag' },
  velocity: { action: 'flag', minutes: 60, per_ip: 5, per_device: 5, per_affiliate: null },
}

/** What can be found, by check. `*_unknown` and `*_missing` say that it could not be looked at, and lead to nothing. */
export const INTEGRITY_FINDINGS = {
  blacklist: ['blacklisted'],
  telephone: ['phone_repeats', 'phone_sequence', 'phone_line', 'phone_country'],
  mail: ['email_disposable', 'email_typo', 'email_role'],
  duplicate: ['duplicate'],
  ip: ['ip_program', 'ip_hosting', 'ip_reserved', 'ip_missing', 'ip_unknown'],
  geo: ['geo_ip', 'geo_unknown'],
  velocity: ['velocity_ip', 'velocity_device', 'velocity_affiliate'],
} as const satisfies Record<IntegrityCheck, readonly string[]>
export type IntegrityFound = (typeof INTEGRITY_FINDINGS)[IntegrityCheck][number]

/** One thing that was found about a lead, with what followed and its figures; nothing of it tells who somebody is. */
export const integrityPart = z.object({
  check: integrityCheck,
  found: z.enum(Object.values(INTEGRITY_FINDINGS).flat() as [IntegrityFound, ...IntegrityFound[]]), // of a literal object
  /** Of the lead API, what it is about; '' = nothing that was sent. */
  field: z.string(),
  /** Out of 100; 0 = it says nothing against the lead. */
  weight: z.int(),
  /** none: it could not be looked at. */
  action: z.enum(['none', 'flag', 'hold', 'reject']),
  detail: z.record(z.string(), z.string()),
})
export type IntegrityPart = z.output<typeof integrityPart>

/** unchecked: it came before there were checks, or all of them are off. */
export const INTEGRITY_VERDICTS = ['unchecked', 'clean', 'flagged', 'held', 'rejected'] as const
export const integrityVerdict = z.enum(INTEGRITY_VERDICTS)
export type IntegrityVerdict = z.output<typeof integrityVerdict>

/** What a person said of a lead that was held. */
export const leadReview = z.object({ at: moment, by: z.string().nullable(), approved: z.boolean(), note: z.string() })

/** Leads that wait until somebody has looked at them. */
export const integrityApi = {
  review: endpoint({
    method: 'POST',
    path: '/api/integrity/v1/review',
    access: 'lead.decide',
    summary: 'Lets held leads of the own affiliates go on to the advertisers, or refuses them; those somebody has decided are passed over.',
    body: z.object({ uuids: z.array(byUuid.shape.uuid).min(1).max(100), approve: z.boolean(), note: line(500).default('') }),
    response: z.object({ changed: z.int() }),
  }),
}
