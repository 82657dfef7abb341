import type { Stranger } from '#test/support/make/stranger.ts'

type Row = { params?: Record<string, unknown>; body?: Record<string, unknown>; answer: 'missing' | Record<string, unknown> }

/** Webhooks of a stranger, as programs and the panel ask for them. */
export const WEBHOOK_ROWS: Readonly<Record<string, (s: Stranger) => Row>> = {
  'partnerApiWebhook.update': (s) => ({
    params: { uuid: s.postback.uuid },
    body: { url: 'https://tracker.example/', events: ['ticket.answered'] },
    answer: 'missing',
  }),
  'partnerApiWebhook.setStatus': (s) => ({ params: { uuid: s.postback.uuid }, body: { status: 'paused' }, answer: 'missing' }),
  'partnerApiWebhook.rotate': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'partnerApiWebhook.remove': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'partnerApiWebhook.test': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'partnerApiWebhook.delivery': (s) => ({ params: { uuid: s.delivery.uuid }, answer: 'missing' }),
  'partnerApiWebhook.replay': (s) => ({ body: { delivery_uuids: [s.delivery.uuid] }, answer: { queued: 0 } }),
  'ownWebhook.update': (s) => ({
    params: { uuid: s.postback.uuid },
    body: { url: 'https://tracker.example/', events: ['ticket.answered'] },
    answer: 'missing',
  }),
  'ownWebhook.setStatus': (s) => ({ params: { uuid: s.postback.uuid }, body: { status: 'paused' }, answer: 'missing' }),
  'ownWebhook.rotate': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'ownWebhook.remove': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'ownWebhook.test': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'ownWebhook.delivery': (s) => ({ params: { uuid: s.delivery.uuid }, answer: 'missing' }),
  'ownWebhook.replay': (s) => ({ body: { delivery_uuids: [s.delivery.uuid] }, answer: { queued: 0 } }),
  'ownWebhook.deliveries': (s) => ({ body: { webhook_uuid: [s.postback.uuid] }, answer: { list: [] } }),
  'ownWebhook.replayFailed': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'affiliateWebhook.list': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'affiliateWebhook.deliveries': (s) => ({ body: { affiliate_uuid: s.affiliate.uuid }, answer: 'missing' }),
}
