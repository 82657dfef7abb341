import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashToken } from '#server/platform/secret.ts'

/** Seconds a code of the app lasts. */
const PERIOD = 30
/** So many steps before and after the present one a code may belong to: telephones are late. */
const WINDOW = 1
/** Letters and digits that nobody takes for each other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A new secret for an app, in the letters people type. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32
}

/** The address apps read from the picture: whose account at which network. */
export function addressOf(secret: string, network: string, email: string): string {
  // a colon parts the two in the address
  return totp(secret, network.replaceAll(':', ' '), email).toString()
}

/** The time step a code of the app belongs to; undefined where it is no code of now, or one of `last` or earlier. */
export function stepOf(secret: string, code: string, now: number, last: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return undefined
  const step = Math.floor(now / 1000 / PERIOD) + delta
  return step > last ? step : undefined
}

/** What was typed without spaces and dashes, which apps and people put between. */
export function plainCode(typed: string): string {
  return typed.replace(/[\s-]/g, '').toLowerCase()
}

/** Whether it can be a code of the app; otherwise it is meant as a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code)
}

/** Ten recovery codes of 78 bits each, such as `k7wq-m2hd-xtb9-4rjn`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 10 }, () => {
    const letters = Array.from({ length: 16 }, () => randomLetter()).join('')
    return letters.replace(/(.{4})(?=.)/g, '$1-')
  })
}

/** What is stored of a recovery code: it is random, so no slow hash is needed. */
export function hashCode(code: string): Buffer {
  return hashToken(plainCode(code))
}

function totp(secret: string, issuer = '', label = ''): TOTP {
  return new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD })
}

/** Each letter as likely as the others: bytes beyond the last whole set of them are thrown away. */
function randomLetter(): string {
  for (;;) {
    const byte = randomBytes(1)[0] ?? 255
    const letter = byte < 256 - (256 % LETTERS.length) ? LETTERS[byte % LETTERS.length] : undefined
    if (letter !== undefined) return letter
  }
}
