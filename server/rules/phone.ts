import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/min'

/**
 * A telephone as it is kept, such as `+380 67 123 4567`; undefined where there is none of that number in any country. One without
 * a + is of the country that is named, if one is.
 */
export function readPhone(text: string, country: string | null = null): string | undefined {
  const found = parsePhoneNumberFromString(text, (country ?? undefined) as CountryCode | undefined) // ISO codes
  return found?.isValid() ? found.formatInternational() : undefined
}
