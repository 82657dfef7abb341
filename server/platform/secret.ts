import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** A token nobody can guess: 32 random bytes as 43 characters for addresses and headers. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a token: its SHA-256. Tokens are random, so no salt or slow hash is needed. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** argon2id with OWASP's minimum settings (19 MiB, 2 passes), as a PHC string. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
}

/** Checks a password. Without a stored hash it spends the same time and says no, so that nobody learns who exists. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  const known = stored ?? (await nobody)
  const right = await verify(known, password).catch(() => false)
  return right && stored !== null
}

const nobody = hashPassword(randomBytes(16).toString('hex'))
