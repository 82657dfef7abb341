import { AppError } from '#server/platform/errors.ts'
import type { Told } from '#server/features/leads/session/vault.ts'
import { maskPerson } from '#server/rules/lead/mask-person.ts'

/** Refuses what stands in the log and tells who it is about. Throws `invalid_input` at the field. */
export function refuseTelling(field: string, text: string, told: Told): void {
  const { first_name = '', last_name = '', email = '', phone = '', ip = '' } = told
  if (maskPerson({ first_name, last_name, email, phone, ip })(text) !== text)
    throw new AppError('invalid_input', { fields: { [field]: 'Leave the person out: this stands in the log' } })
}
