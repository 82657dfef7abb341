import { randomBytes } from 'node:crypto'
import { INTEGRATION_TYPES, LEAD_FIELDS, type IntegrationType } from '#contract/leads/integration-type.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import type { FieldErrors } from '#server/platform/errors.ts'
import { describeUserAgent } from '#server/rules/click/user-agent.ts'
import type { CheckedLead } from './check-lead.ts'
import type { LeadOffer } from './session.queries.ts'
import type { Told } from './vault.ts'

/** What is kept as it was sent; contacts are as they are compared, a password may be made. */
const PERSONAL = [...LEAD_FIELDS, 'user_agent', 'comment'] as const

/** What is sealed: all that is said of the person. */
export function toldOf(input: LeadInput, { phone, email }: CheckedLead, { type }: Pick<LeadOffer, 'type'>): Told {
  const { password = '' } = input.password === undefined ? withPassword({}, type) : input
  const own = Object.fromEntries(PERSONAL.map((name) => [name, input[name] ?? '']))
  const fields = Object.fromEntries(Object.entries(input.fields ?? {}).map(([name, value]) => [`fields.${name}`, value]))
  return { ...own, phone, email, password, ...fields }
}

/** What is told of somebody, with a password where the kind of leads needs one and nobody said any. */
export function withPassword(told: Told, type: IntegrationType): Told {
  return INTEGRATION_TYPES[type].needsPassword && (told.password ?? '') === '' ? { ...told, password: newPassword() } : told
}

/** What says nothing of who it is. */
export function openlyOf(input: LeadInput): Record<string, unknown> {
  const { os, browser, device } = describeUserAgent(input.user_agent ?? '')
  const subs = Array.from({ length: 10 }, (_, at) => input[`sub${at + 1}` as 'sub1'] ?? '')
  const { tz = '', landing_url = '', funnel = '', source = '' } = input
  return { subs, source, tz, landing_url, funnel, os, browser, device }
}

/** The fields of a lead that hold half a character, which no database keeps: of many leads only theirs is refused. */
export function brokenFields(input: LeadInput): FieldErrors {
  const broken = Object.entries(input).filter(([, value]) => !isWhole(value))
  return Object.fromEntries(broken.map(([name]) => [name, 'This is no text']))
}

function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  return typeof value !== 'object' || value === null || Object.entries(value).every(([name, one]) => name.isWellFormed() && isWhole(one))
}

/** Long enough for anybody's rules: letters of both kinds, digits, a sign. */
function newPassword(): string {
  return `Aa7-${randomBytes(9).toString('base64url')}`
}
