import type { IntegrityPart, RefusalCode } from '#contract/leads/integrity.ts'
import { AppError } from '#server/platform/errors.ts'
import { codesOf } from '#server/rules/lead/integrity/judge.ts'

const TEXTS: Readonly<Record<RefusalCode, string>> = {
  blacklisted: 'Leads with this are not taken',
  invalid_phone: 'This does not look like the telephone of the person',
  invalid_email: 'This does not look like the e-mail address of a person',
  duplicate: 'This person was sent in already',
  ip_refused: 'Leads from there are not taken',
  geo_mismatch: 'This address is in another country than the lead says',
  too_many: 'Too many leads came in a short time',
}

/**
 * What somebody is told whose lead a check refuses: a code, and each field it is about; never what was found, nor on
 * which list. `meant`: the domain of a misspelt e-mail address.
 */
export function refusalFor(parts: readonly IntegrityPart[]): AppError {
  const told = codesOf(parts, 'reject')
  const fields = Object.fromEntries(told.toReversed().map(({ code, field }) => [field || 'offer_uuid', TEXTS[code]]))
  const meant = parts.find(({ action, detail }) => action === 'reject' && detail.meant !== undefined)?.detail.meant
  return new AppError('lead_refused', { fields, values: { code: told[0]?.code ?? '', ...(meant !== undefined && { meant }) } })
}
