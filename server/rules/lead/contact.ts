import { parsePhoneNumberFromString as readWithKind } from 'libphonenumber-js/max'
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** A telephone in E.164; undefined where it is none of the country named, or of any. */
export function canonicalPhone(text: string, country: string): string | undefined {
  const digits = text.trim()
  const of = isSupportedCountry(country) ? country : undefined // unknown ones find nothing
  const found = parsePhoneNumberFromString(digits, of)
  // many send the country code without its +, or behind 00
  const [, code] = /^(?:00)?([1-9]\d{7,14})$/.exec(digits.replaceAll(/[\s().-]/g, '')) ?? []
  const read = code === undefined ? undefined : parsePhoneNumberFromString(`+${code}`)
  const international = read?.isValid() ? read : undefined
  if (!found?.isValid()) return international?.number
  const own = of !== undefined && international?.countryCallingCode === getCountryCallingCode(of)
  return own && isLikelier(international.number, found.number) ? international.number : found.number
}

/**
 * Whether digits that begin like the country’s own code begin with it: 4915112345678 of Germany is no telephone of Leer, whose area
 * is 49. Of a mobile telephone its kind tells it, of others only a length that hardly any has without the code.
 */
function isLikelier(international: string, national: string): boolean {
  if (isMobile(national)) return false
  return isMobile(international) || international.length > '+'.length + 10
}

function isMobile(number: string): boolean {
  const type = readWithKind(number)?.getType()
  return type === 'MOBILE' || type === 'FIXED_LINE_OR_MOBILE'
}

/** An e-mail address as it is compared: small letters, nothing around. */
export function canonicalEmail(text: string): string {
  return text.trim().toLowerCase()
}

/** Whether an address is one as far as can be seen, as `canonicalEmail` spells it. */
export function isEmail(email: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(email)
}

/** `j***@g***.com`: enough to recognise one’s own, not to write to somebody. '' stays ''. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return email === '' ? '' : '***'
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const ending = dot > 0 ? domain.slice(dot) : ''
  return `${first(email)}***@${first(domain)}***${ending}`
}

/** `***111`: the last three digits. '' stays ''. */
export function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return digits === '' ? '' : `***${digits.length > 6 ? digits.slice(-3) : ''}`
}

/** `A***`. '' stays ''. */
export function maskedName(name: string): string {
  return name === '' ? '' : `${first(name)}***`
}

/** Who somebody is as lists show it, of what was told of them: enough to recognise whom one knows. What was not told is ''. */
export function maskedContact({ first_name = '', last_name = '', email = '', phone = '' }: Readonly<Record<string, string>>) {
  const name = [first_name, last_name].flatMap((part) => maskedName(part) || []).join(' ')
  return { name, email: maskedEmail(email), phone: maskedPhone(phone) }
}

function first(text: string): string {
  return [...text][0] ?? ''
}

/** The country a telephone with its country's code is of; undefined where that says none. */
export function countryOfPhone(text: string): string | undefined {
  const number = canonicalPhone(text, '')
  return number === undefined ? undefined : parsePhoneNumberFromString(number)?.country
}
