import { keccak_256 } from '@noble/hashes/sha3.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { countrySpecs, isValidBIC, isValidIBAN } from 'ibantools'
import { fieldsOf, type PaymentCheck, type PaymentSystem } from '#contract/money/payment.ts'
import { email } from '#contract/fields.ts'
import type { FieldErrors } from '#server/platform/errors.ts'

/** USDT's own contracts, and addresses nobody has a key of: whoever pays there has lost it. */
const CONTRACTS = ['TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', '0xdac17f958d2ee523a2206206994597c13d831ec7']
const NOBODYS = ['T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', `0x${'0'.repeat(40)}`, `0x${'0'.repeat(36)}dead`]

/** What each kind of field holds, as it is kept; undefined for what it cannot be. */
const READ: Readonly<Record<PaymentCheck, (typed: string) => string | undefined>> = {
  text: (typed) => typed,
  email: (typed) => email.safeParse(typed).data,
  digits: (typed) => plain(typed, /^\d{4,40}$/),
  iban: ibanOf,
  account: (typed) => (isLikeIban(typed) ? ibanOf(typed) : plain(typed.toUpperCase(), /^[A-Z0-9][A-Z0-9./-]{3,33}$/)),
  bic: (typed) => {
    const bic = typed.replace(/\s/g, '').toUpperCase()
    return isValidBIC(bic) ? bic : undefined
  },
  tron: (typed) => (lossOf(typed) === undefined && isTron(typed) ? typed : undefined),
  ethereum: (typed) => (lossOf(typed) === undefined ? ethereumOf(typed) : undefined),
  capitalist: (typed) => plain(typed.toUpperCase(), /^[A-Z]\d{5,12}$/),
}
const MISTAKES: Readonly<Record<PaymentCheck, string>> = {
  text: 'Required',
  email: 'This is not an e-mail address',
  digits: 'Digits only, at least four',
  iban: 'This is no IBAN: a letter or digit is wrong or missing',
  account: 'This is no account: an IBAN with all its letters and digits, or the number of the account, at least four',
  bic: 'This is no BIC: 8 or 11 letters and digits',
  tron: 'This is no address of the TRON network (TRC-20): a letter or digit is wrong or missing',
  ethereum: 'This is no address of the Ethereum network (ERC-20): a letter or digit is wrong or missing',
  capitalist: 'A letter and 5 to 12 digits, such as U0100651',
}

/** What somebody typed for a payment system, as it is kept, and what of it cannot be. Fields the system does not ask for are mistakes too. */
export function readMethod(
  system: PaymentSystem,
  values: Readonly<Record<string, string>>,
): { kept: Record<string, string>; errors: FieldErrors } {
  const asked = fieldsOf(system)
  const kept: Record<string, string> = {}
  const errors: FieldErrors = {}
  for (const { name, check, required } of asked) {
    const typed = Object.hasOwn(values, name) ? (values[name] ?? '') : ''
    if (typed === '' && required) errors[`values.${name}`] = 'Required'
    if (typed === '') continue
    const read = READ[check](typed)
    if (read === undefined) errors[`values.${name}`] = (isCrypto(check) ? lossOf(typed) : undefined) ?? MISTAKES[check]
    else kept[name] = read
  }
  for (const name of Object.keys(values))
    if (!asked.some((field) => field.name === name)) errors[`values.${name}`] = 'There is no such field'
  return { kept, errors }
}

/** What of a method may be shown: enough for its owner to know it, too little for anybody to use it. */
export function maskedOf(system: PaymentSystem, kept: Readonly<Record<string, string>>): string {
  const { field, value } = tellingOf(system, kept)
  if (field?.check === 'email') return value.replace(/^(.).*(@.*)$/, '$1•••$2')
  return value.length <= 8 ? `•••${value.slice(-2)}` : `${value.slice(0, 4)} ••• ${value.slice(-4)}`
}

/** The field that says where money goes, with what it holds. */
export function tellingOf(system: PaymentSystem, kept: Readonly<Record<string, string>>) {
  const telling = fieldsOf(system).findLast(({ name, check, required }) => required && check !== 'text' && kept[name] !== undefined)
  // an account is known by its number, not by whose bank it is at
  const field = telling ?? fieldsOf(system).find(({ name }) => kept[name] !== undefined && name !== 'holder' && name !== 'bank')
  return { field, value: field === undefined ? '' : (kept[field.name] ?? '') }
}

function plain(typed: string, shape: RegExp): string | undefined {
  const text = typed.replace(/\s/g, '')
  return shape.test(text) ? text : undefined
}

function ibanOf(typed: string): string | undefined {
  const iban = typed.replace(/[\s-]/g, '').toUpperCase()
  return isValidIBAN(iban) ? iban : undefined
}

/** A country that has IBANs, and two check digits: outside the euro accounts are told so too, or by whatever their country has. */
function isLikeIban(typed: string): boolean {
  const country = /^([A-Z]{2})\d\d/.exec(typed.replace(/[\s-]/g, '').toUpperCase())?.[1]
  return country !== undefined && countrySpecs[country]?.IBANRegistry === true
}

function isCrypto(check: PaymentCheck): boolean {
  return check === 'tron' || check === 'ethereum'
}

/** Why whatever is paid to an address is lost, however right it is written. */
function lossOf(typed: string): string | undefined {
  const isOneOf = (list: readonly string[]) => list.includes(typed) || list.includes(typed.toLowerCase())
  if (isOneOf(CONTRACTS)) return 'This is the address of the token USDT itself: whatever is paid there is lost'
  return isOneOf(NOBODYS) ? 'This is an address of nobody: whatever is paid there is lost' : undefined
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Base58 of 25 bytes: 0x41, the address, and the first four of its hash taken twice. */
function isTron(text: string): boolean {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return false
  let number = 0n
  for (const letter of text) number = number * 58n + BigInt(BASE58.indexOf(letter))
  const hex = number.toString(16).padStart(50, '0')
  if (hex.length !== 50 || !hex.startsWith('41')) return false
  const bytes = Buffer.from(hex, 'hex')
  return Buffer.from(sha256(sha256(bytes.subarray(0, 21))))
    .subarray(0, 4)
    .equals(bytes.subarray(21))
}

/** In the form of ERC-55: capitals tell by the hash of the address whether it was copied right. One of small letters alone has nothing to check. */
function ethereumOf(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined
  const small = text.slice(2).toLowerCase()
  const hash = Buffer.from(keccak_256(new TextEncoder().encode(small))).toString('hex')
  const marked = `0x${[...small].map((letter, at) => (Number.parseInt(hash[at] ?? '0', 16) >= 8 ? letter.toUpperCase() : letter)).join('')}`
  const one = text.slice(2)
  return text === marked || one === small || one === small.toUpperCase() ? marked : undefined
}
