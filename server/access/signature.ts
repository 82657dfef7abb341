import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#server/platform/errors.ts'

/** How far the sender's clock may be off, in ms. */
const TOLERANCE = 5 * 60_000

/**
 * Checks `X-Signature = hex(sha256(timestamp + '.' + token + '.' + body))` and `X-Timestamp` (ms since 1970).
 * Throws `bad_signature`. The token is the secret, so a copied request is worth nothing after five minutes.
 */
export function checkSignature(headers: IncomingHttpHeaders, token: string, body: Buffer, now: number): void {
  const timestamp = String(headers['x-timestamp'] ?? '')
  const signature = String(headers['x-signature'] ?? '')
  if (!/^\d{13}$/.test(timestamp) || !/^[0-9a-f]{64}$/.test(signature)) throw new AppError('bad_signature')
  if (Math.abs(Number(timestamp) - now) > TOLERANCE) throw new AppError('bad_signature')
  const expected = createHash('sha256').update(`${timestamp}.${token}.`).update(body).digest()
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) throw new AppError('bad_signature')
}
