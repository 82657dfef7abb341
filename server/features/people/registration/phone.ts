import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { AppError } from '#server/platform/errors.ts'

/** A telephone as it is kept, such as `+380 67 123 4567`; undefined where there is none of that number in any country. */
export function readPhone(text: string): string | undefined {
  const found = parsePhoneNumberFromString(text)
  return found?.isValid() ? found.formatInternational() : undefined
}

/** The same of a form; empty is none, and what was stored before anybody checked stays as long as nobody changes it. Throws `invalid_input`. */
export function phoneOf(text: string, stored = ''): string {
  if (text === '' || text === stored) return text
  const phone = readPhone(text)
  if (phone === undefined)
    throw new AppError('invalid_input', { fields: { phone: 'This is no telephone number: begin with + and the code of the country' } })
  return phone
}
