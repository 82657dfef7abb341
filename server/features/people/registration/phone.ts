import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A telephone as it is kept, such as `+380 67 123 4567`; undefined where there is none of that number in any country. */
export function readPhone(text: string): string | undefined {
  const found = parsePhoneNumberFromString(text)
  return found?.isValid() ? found.formatInternational() : undefined
}
