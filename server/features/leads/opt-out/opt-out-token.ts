import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The secret part of the address at which somebody opts out: of one person, told of nobody, and nothing of it is kept. */
export function optOutToken(secretKey: string | null, personUuid: string): string {
  const id = Buffer.from(personUuid.replaceAll('-', ''), 'hex').toString('base64url')
  return `${id}${macOf(secretKey, personUuid)}`
}

/** Whose token it is; null = it is none of ours. */
export function readOptOutToken(secretKey: string | null, token: string): string | null {
  const [, id = '', mac = ''] = /^([\w-]{22})([\w-]{24})$/.exec(token) ?? []
  if (id === '') return null
  const hex = Buffer.from(id, 'base64url').toString('hex')
  const uuid = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  const [expected, given] = [Buffer.from(macOf(secretKey, uuid)), Buffer.from(mac)]
  return expected.length === given.length && timingSafeEqual(expected, given) ? uuid : null
}

function macOf(secretKey: string | null, uuid: string): string {
  if (secretKey === null) throw new Error('SECRET_KEY is missing: links to opt out could not be signed without it')
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'ohma opt out', 32))
  return createHmac('sha256', key).update(uuid).digest().subarray(0, 18).toString('base64url')
}
