import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SnapshotKeys } from '../offer/snapshot.ts'

/** How long a test link works. */
export const TEST_LINK_LIFETIME = 24 * 60 * 60 * 1000

/**
 * The value of `test=` that makes a click a test: it is redirected like any other and touches no figures. Only the panel
 * can make one, for one offer and one affiliate; otherwise an affiliate could hide clicks from the count.
 */
export function mintTestToken(offerId: number, affiliateId: number, expiresAt: number, keys: SnapshotKeys): string {
  const expiry = Math.floor(expiresAt / 1000).toString(36)
  return `${expiry}.${sign(`${offerId}.${affiliateId}.${expiry}`, keys.keys.find((key) => key.version === keys.current)?.mac ?? '')}`
}

/** Whether a token was made by the panel for this offer and affiliate and has not expired. */
export function isTestToken(token: string, offerId: number, affiliateId: number, at: number, keys: SnapshotKeys): boolean {
  const [expiry = '', signature = ''] = token.split('.')
  if (!/^[0-9a-z]{1,9}$/.test(expiry) || signature.length !== 32 || Number.parseInt(expiry, 36) * 1000 < at) return false
  return keys.keys.some((key) => {
    const expected = sign(`${offerId}.${affiliateId}.${expiry}`, key.mac)
    return timingSafeEqual(Buffer.from(expected), Buffer.from(signature.padEnd(32).slice(0, 32), 'latin1'))
  })
}

function sign(text: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex')).update(`test-click ${text}`).digest('hex').slice(0, 32)
}
