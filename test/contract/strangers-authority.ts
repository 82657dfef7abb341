import type { Stranger } from '#test/support/make/stranger.ts'

type Missing = { params: Record<string, unknown>; body?: Record<string, unknown>; answer: 'missing' }

/** What strangers may not reach of who says what became of leads, and of test leads. */
export const AUTHORITY_ROWS: Readonly<Record<string, (s: Stranger) => Missing>> = {
  'leadAuthority.list': (s) => ({ params: { uuid: s.apiOffer.uuid }, answer: 'missing' }),
  'leadAuthority.set': (s) => ({
    params: { uuid: s.apiOffer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid, state: 'testing', expected: 'live' },
    answer: 'missing',
  }),
  'leadAuthority.callStatus': (s) => ({
    params: { uuid: s.sentLead.uuid },
    body: { call_status: 'sale', expected: null, reason: 'why' },
    answer: 'missing',
  }),
  'apiOffer.test': (s) => ({
    params: { uuid: s.apiOffer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid, country: 'UA' },
    answer: 'missing',
  }),
  'apiOffer.testGet': (s) => ({ params: { uuid: s.apiOffer.uuid }, answer: 'missing' }),
}
