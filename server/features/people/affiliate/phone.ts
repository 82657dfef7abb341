import { NO_PHONE } from '#contract/people/phone.ts'
import { AppError } from '#server/platform/errors.ts'
import { readPhone } from '#server/rules/phone.ts'

/** A telephone of a form, as it is kept; empty is none, and what was stored before anybody checked stays as long as nobody changes it. Throws `invalid_input`. */
export function phoneOf(text: string, stored = ''): string {
  if (text === '' || text === stored) return text
  const phone = readPhone(text)
  if (phone === undefined) throw new AppError('invalid_input', { fields: { phone: NO_PHONE } })
  return phone
}
