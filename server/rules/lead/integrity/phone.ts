import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { IntegritySettings } from '#contract/leads/integrity.ts'
import type { Check, Finding } from './snapshot.ts'

/** Lines nobody is reached at. */
const NO_PERSON = ['PREMIUM_RATE', 'TOLL_FREE', 'SHARED_COST', 'VOIP', 'PAGER', 'UAN', 'VOICEMAIL']

/** Digits somebody typed to be done with it, lines that are no person's, and a country other than the lead's. */
export const checkPhone: Check<IntegritySettings['telephone']> = ({ phone, country }, { mobile_only }) => {
  const number = phone === '' ? undefined : parsePhoneNumberFromString(phone)
  if (number === undefined) return []
  const found: Finding[] = []
  const digits = number.nationalNumber
  if (isRepeated(digits)) found.push({ found: 'phone_repeats', field: 'phone', weight: 60 })
  else if (isSequence(digits)) found.push({ found: 'phone_sequence', field: 'phone', weight: 50 })
  const type = number.getType()
  if (type !== undefined && (NO_PERSON.includes(type) || (mobile_only && type === 'FIXED_LINE')))
    found.push({ found: 'phone_line', field: 'phone', weight: 30, detail: { line: type.toLowerCase() } })
  if (country !== '' && number.country !== undefined && number.country !== country)
    found.push({ found: 'phone_country', field: 'phone', weight: 30, detail: { country: number.country, told: country } })
  return found
}

/** Six times the same digit, or the same two of them four times: by chance one number in twenty thousand. */
function isRepeated(digits: string): boolean {
  return /(\d)\1{5}/.test(digits) || /(\d\d)\1{3}/.test(digits)
}

/** Seven digits up or down. */
function isSequence(digits: string): boolean {
  let [up, down] = [1, 1]
  for (let at = 1; at < digits.length; at++) {
    const step = (Number(digits[at]) - Number(digits[at - 1]) + 10) % 10
    up = step === 1 ? up + 1 : 1
    down = step === 9 ? down + 1 : 1
    if (up >= 7 || down >= 7) return true
  }
  return false
}
