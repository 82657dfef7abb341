/** What examples of the partner API name; a uuid stands for whatever the reader's own is. */
type Example = { query?: Readonly<Record<string, string>>; body?: object }

export const EXAMPLE_UUID = '6f1a2b3c-4d5e-4f60-8a7b-9c0d1e2f3a4b'

/** What calls are shown with, by method and path; the others with nothing but what their path names. */
export const PARTNER_EXAMPLES: Readonly<Record<string, Example>> = {
  'GET /api/partner/v1/offers': { query: { tab: 'live', count: '20' } },
  'POST /api/partner/v1/offer-access/:uuid': { body: { message: 'Push traffic from Poland and Ukraine' } },
  'POST /api/partner/v1/offer-link/:uuid': { body: { sub1: 'campaign-7', click_id: '{clickid}' } },
  'POST /api/partner/v1/short-links': { body: { offer_uuid: EXAMPLE_UUID, sub1: 'campaign-7' } },
  'GET /api/partner/v1/statistics': {
    query: { from: '2026-11-01', to: '2026-11-30', group: 'day,offer', metrics: 'clicks,conversions,payout' },
  },
  'GET /api/partner/v1/conversions': { query: { from: '2026-11-01T00:00:00Z', status: 'approved,hold' } },
  'GET /api/partner/v1/clicks': { query: { from: '2026-11-21', to: '2026-11-21' } },
  'POST /api/partner/v1/postbacks': {
    body: {
      offer_uuid: null,
      goal: null,
      statuses: ['approved'],
      method: 'GET',
      url: 'https://example.com/postback?cid={aff_click_id}&sum={payout}',
    },
  },
  'POST /api/partner/v1/postbacks/:uuid': {
    body: { offer_uuid: null, goal: null, statuses: [], method: 'GET', url: 'https://example.com/postback?cid={aff_click_id}', version: 1 },
  },
  'POST /api/partner/v1/postback-status/:uuid': { body: { status: 'paused' } },
  'POST /api/partner/v1/postback-replay': { body: { delivery_uuids: [EXAMPLE_UUID] } },
  'POST /api/partner/v1/webhooks': {
    body: { url: 'https://example.com/webhook', events: ['conversion.created', 'conversion.status_changed'] },
  },
  'POST /api/partner/v1/webhooks/:uuid': { body: { url: 'https://example.com/webhook', events: ['lead.status_changed'] } },
  'POST /api/partner/v1/webhook-status/:uuid': { body: { status: 'active' } },
  'POST /api/partner/v1/webhook-secret/:uuid': { body: { keep_hours: 24 } },
  'POST /api/partner/v1/webhook-replay': { body: { delivery_uuids: [EXAMPLE_UUID] } },
  'POST /api/partner/v1/tickets': { body: { subject: 'A question about payouts', body: 'When is November paid?', category: 'finance' } },
  'POST /api/partner/v1/ticket-messages/:uuid': { body: { body: 'Thank you.' } },
}
