/** A country of `country_code_phone`: its code by ISO and the digits its numbers begin with. */
type PhoneCode = { country: string; digits: string }

/** Of countries that share a code the one most of its numbers are in. */
const LARGEST = new Set(['US', 'GB', 'IT', 'NO', 'FI', 'AU', 'RU', 'MA', 'RE', 'GP', 'CW'])

/**
 * A whole number as its field shows it: the country its code belongs to, and the rest. Of countries with one code it is the `preferred`
 * one where it has it, such as the one somebody chose. What begins with no code of any country is all rest, in none.
 */
export function splitPhone(
  whole: string,
  codes: readonly PhoneCode[],
  preferred: readonly (string | null)[],
): { country: string | null; rest: string } {
  if (!whole.startsWith('+')) return { country: null, rest: whole }
  const after = whole.slice(1).trimStart()
  const fitting = codes.filter(({ digits }) => after.startsWith(digits))
  const longest = fitting.filter(({ digits }) => digits.length === Math.max(...fitting.map((one) => one.digits.length)))
  const [first] = longest
  if (first === undefined) return { country: null, rest: whole }
  const wanted = preferred.find((country) => longest.some((one) => one.country === country))
  const country = wanted ?? longest.find((one) => LARGEST.has(one.country))?.country ?? first.country
  return { country, rest: after.slice(first.digits.length).trimStart() }
}

/** The whole number of a country and the rest. Without a rest there is none; a rest with a + is whole by itself. */
export function joinPhone(country: string | null, rest: string, codes: readonly PhoneCode[]): string {
  const text = rest.trimStart()
  const code = codes.find((one) => one.country === country)
  return text === '' || text.startsWith('+') || code === undefined ? text : `+${code.digits} ${text}`
}
