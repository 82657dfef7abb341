/**
 * Countries travel as numbers from 0 (AA) to 675 (ZZ): two letters as a base-26 number, so that a set of countries is an
 * array of 676 bytes whatever the database knows. ZZ, the last, is of addresses nobody knows the country of.
 */
export const COUNTRY_NUMBERS = 676
const UNKNOWN = COUNTRY_NUMBERS - 1

/** The number of a country code, that of `ZZ` for text that is none. */
export function countryNumber(code: string): number {
  return /^[A-Z]{2}$/.test(code) ? (code.charCodeAt(0) - 65) * 26 + code.charCodeAt(1) - 65 : UNKNOWN
}

/** The code of a country number. */
export function countryCode(number: number): string {
  return String.fromCharCode(65 + Math.floor(number / 26), 65 + (number % 26))
}
