import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The secret part of the address by which an advertiser tells what became of the leads of one product. */
function pushToken(secretKey: string | null, productUuid: string): string {
  if (secretKey === null) throw new Error('SECRET_KEY is missing: nobody could be recognised without it')
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'ohma lead push', 32))
  return createHmac('sha256', key).update(productUuid).digest().subarray(0, 18).toString('base64url')
}

/** Where an advertiser tells of the leads of a product. */
export function pushPath(secretKey: string | null, productUuid: string): string {
  return `/lead-status/${productUuid}/${pushToken(secretKey, productUuid)}`
}

/** Whether a token is a product's. */
export function isPushToken(secretKey: string | null, productUuid: string, token: string): boolean {
  const expected = Buffer.from(pushToken(secretKey, productUuid))
  const given = Buffer.from(token)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
