import { hkdfSync } from 'node:crypto'

/** Where every server of this network says which network it is. */
export const MARK_PATH = '/.well-known/ohma-verification'

/**
 * What is answered there: a text anybody may read that no other network answers, made of the instance's key, so that panel and
 * trackers know it without asking each other. Empty where a process has no key: then nothing is answered.
 */
export function instanceMark(secretKey: string | null): string {
  if (secretKey === null) return ''
  return `ohma-verification=${Buffer.from(hkdfSync('sha256', secretKey, '', 'ohma mark', 18)).toString('base64url')}`
}
