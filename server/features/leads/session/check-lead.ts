import { INTEGRATION_TYPES, type IntegrationType, type LeadField } from '#contract/leads/integration-type.ts'
import type { LeadInput } from '#contract/leads/lead.ts'
import type { FieldErrors } from '#server/platform/errors.ts'
import { canonicalEmail, canonicalPhone, isEmail } from '#server/rules/lead/contact.ts'

/** A lead that may be offered: its telephone and e-mail as they are compared; '' where there is none. */
export type CheckedLead = { phone: string; email: string }

/** What a kind of leads asks of one; each field that is missing or wrong is named. */
export function checkLead(input: LeadInput, type: IntegrationType): CheckedLead | { mistakes: FieldErrors } {
  const mistakes: FieldErrors = {}
  const required: readonly LeadField[] = INTEGRATION_TYPES[type].required
  for (const field of required) if ((input[field] ?? '') === '') mistakes[field] = 'Required'
  const phone = canonicalPhone(input.phone ?? '', input.country ?? '')
  if ((input.phone ?? '') !== '' && phone === undefined) mistakes.phone = 'This is no telephone number of its country'
  const email = canonicalEmail(input.email ?? '')
  if (email !== '' && !isEmail(email)) mistakes.email = 'This is not an e-mail address'
  // otherwise nobody could tell one person from another
  if (phone === undefined && email === '' && mistakes.phone === undefined) mistakes.phone = 'Required'
  return Object.keys(mistakes).length > 0 ? { mistakes } : { phone: phone ?? '', email }
}
