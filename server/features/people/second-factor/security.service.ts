import { STAFF_ROLES } from '#contract/access.ts'
import { MANAGED_ROLES } from '#contract/people/manager.ts'
import type { securitySetting } from '#contract/people/security.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { findSigningIn } from '../account/account.queries.ts'
import { isOutside } from '../auth/session.service.ts'

type Security = (typeof securitySetting)['defaults']

/**
 * Refuses lists of addresses that would lock out whoever saves them, or those whom they do not manage: an admin stays able to
 * come in whatever a head saves, and what their accounts are kept by is not a head's to say. Throws `invalid_input` at the field.
 */
export async function checkSecurity(
  trx: Trx,
  { allowed_ips, second_factor, reveals, contact_exports }: Security,
  { actor, before }: { actor: Actor | null; before: Security },
): Promise<void> {
  if (actor === null) return
  for (const role of STAFF_ROLES) {
    // nobody raises their own limit
    if (MANAGED_ROLES[actor.role].includes(role)) continue
    const raised =
      reveals[role] !== before.reveals[role] ? 'reveals' : contact_exports[role] !== before.contact_exports[role] && 'contact_exports'
    if (raised)
      throw new AppError('invalid_input', { fields: { [`${raised}.${role}`]: 'Only an admin decides how much admins and heads may see' } })
  }
  for (const role of STAFF_ROLES) {
    if (role === actor.role || MANAGED_ROLES[actor.role].includes(role)) continue
    if (second_factor.includes(role) !== before.second_factor.includes(role))
      throw new AppError('invalid_input', { fields: { second_factor: 'Only an admin decides whether admins need one' } })
    if (!sameJson(allowed_ips[role], before.allowed_ips[role]))
      throw refused(role, 'Only an admin decides where admins and heads work from')
  }
  const own = await findSigningIn(trx, actor.accountId)
  const lists = own?.allowed_ips ?? []
  if (isOutside(actor.address, { role: actor.role, allowed_ips: lists }, allowed_ips))
    throw refused(actor.role, 'Your own address is not on it: you would lock yourself out')
}

function refused(role: string, text: string): AppError {
  return new AppError('invalid_input', { fields: { [`allowed_ips.${role}`]: text } })
}
