import { expect } from 'vitest'
import type { Stranger } from '#test/support/make/stranger.ts'

type Attempt = { params?: Record<string, unknown>; body?: Record<string, unknown>; answer: 'missing' | Record<string, unknown> }

const ofAffiliate = { status: 422, fields: { affiliate_uuid: expect.any(String) as string } }

/** What strangers may not reach of links. */
export const LINK_ROWS: Readonly<Record<string, (s: Stranger) => Attempt>> = {
  'offer.affiliateLink': (s) => ({ params: { uuid: s.offer.uuid }, body: { affiliate_uuid: s.affiliate.uuid }, answer: ofAffiliate }),
  'offer.testLink': (s) => ({ params: { uuid: s.offer.uuid }, body: { affiliate_uuid: s.affiliate.uuid }, answer: 'missing' }),
  'keptLink.list': (s) => ({ body: { offer_uuid: s.offer.uuid }, answer: { list: [] } }),
  'keptLink.keep': (s) => ({
    body: { offer_uuid: s.offer.uuid, affiliate_uuid: s.affiliate.uuid, lines: ['/somebody-elses'] },
    answer: ofAffiliate,
  }),
}
