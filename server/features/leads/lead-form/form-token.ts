import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Whose leads a form sends, for which offer and from which landing; 0 = a page of the affiliate's own. */
export type FormOf = { affiliateId: number; offerId: number; landingId: number }

/**
 * The secret part of the address a form posts to. The thank-you page is signed with it, so that nobody can make our address lead
 * people on to a page of theirs.
 */
export function formToken(secretKey: string | null, { affiliateId, offerId, landingId }: FormOf, thankYouUrl: string): string {
  const ids = `${affiliateId}-${offerId}-${landingId}`
  return `${ids}-${macOf(secretKey, ids, thankYouUrl)}`
}

/** What a token is for; null = it is none of ours, or for another thank-you page. */
export function readFormToken(secretKey: string | null, token: string, thankYouUrl: string): FormOf | null {
  const [, ids = '', affiliate, offer, landing, mac = ''] = /^((\d{1,9})-(\d{1,9})-(\d{1,9}))-([\w-]{24})$/.exec(token) ?? []
  if (ids === '') return null
  const expected = Buffer.from(macOf(secretKey, ids, thankYouUrl))
  const given = Buffer.from(mac)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return { affiliateId: Number(affiliate), offerId: Number(offer), landingId: Number(landing) }
}

function macOf(secretKey: string | null, ids: string, thankYouUrl: string): string {
  if (secretKey === null) throw new Error('SECRET_KEY is missing: forms could not be signed without it')
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'ohma lead form', 32))
  return createHmac('sha256', key).update(`${ids} ${thankYouUrl}`).digest().subarray(0, 18).toString('base64url')
}
