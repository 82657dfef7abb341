import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { BLANK_DIALECT } from '#contract/traffic/dialect.ts'
import { affiliateInput } from '#test/support/make/factories.ts'
import { goalInput, offerForm, ruleInput } from '#test/support/make/offers.ts'
import { apiOfferForm, groupInput, memberInput } from '#test/support/make/products.ts'
import type { Stranger } from '#test/support/make/stranger.ts'
import { COLD_ROWS } from './strangers-cold.ts'
import { AUTHORITY_ROWS } from './strangers-authority.ts'
import { LINK_ROWS } from './strangers-links.ts'
import { LEAD_LIST_ROWS } from './strangers-lead-list.ts'
import { WEBHOOK_ROWS } from './strangers-webhooks.ts'

/** What a call names of a stranger's, and what it is answered: 404, or an answer in which nothing of the stranger's was found or changed. */
export type Attempt = {
  params?: Record<string, unknown>
  body?: Record<string, unknown> | Uint8Array
  answer: 'missing' | Record<string, unknown>
  /** The call makes a row of the caller's own, whatever it named. */
  adds?: boolean
}

const NOTHING_CHANGED = { changed: 0 }
const EMPTY = { list: [] }
const TODAY = { period: { preset: 'today' } }
/** An input that points at something out of reach is refused at its field. */
const refusedAt = (field: string) => ({ status: 422, fields: { [field]: expect.any(String) } })
/** An offer nobody let them in to takes no leads of theirs. */
const CLOSED = { status: 403 }
const person = { name: 'X', contacts: {}, notes: '', time_zone: 'UTC' }
const managerForm = { ...person, email: 'x@stranger.example', role: 'manager', type: 'affiliate' }
const advertiserForm = {
  name: 'X',
  contacts: {},
  notes: '',
  email: '',
  status: 'active',
  company: {},
  external_id: '',
  postback_auth: 'token',
  allowed_ips: [],
  postback_words: [],
  no_status_approved: true,
  currency: 'USD',
}
const productForm = {
  title: 'X',
  host: 'https://crm.advertiser.example',
  geos: [],
  time_zone: 'UTC',
  notes: '',
  credentials: { api_key: 'x' },
}
const importPlan = { mapping: { name: 0, email: 1 }, options: {} }
const resultsPlan = { mapping: { click_id: 0, status: 1 } }
const proposal = { name: 'X', url: 'https://page.example/', type: 'landing', language: '', preview: null, weight: 1 }
const trial = (s: Stranger) => ({ url: 'https://partner.example/', conversion_uuid: s.conversion.uuid })
const ownInvoice = (s: Stranger): Attempt => ({ params: { uuid: s.invoice.uuid }, answer: 'missing' })
const own = (s: Stranger) => ({ offer_uuid: s.offer.uuid, goal: null, statuses: [], method: 'GET', url: 'https://partner.example/' })
const NO_PASSWORD = { fields: { password: 'This is not your current password' } }
/** One attempt on a real row of a stranger for every endpoint that takes an id; access.test.ts demands that none is missing. */
export const ATTEMPTS: Record<string, (s: Stranger) => Attempt> = {
  'auth.getAffiliateToken': (s) => ({ body: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'apiKey.create': (s) => ({
    body: { name: 'X', scopes: ['traffic.read'], offer_uuids: [s.offer.uuid], allowed_ips: [], days: null, password: 'X' },
    answer: refusedAt('offer_uuids'),
  }),
  'apiKey.revoke': (s) => ({ params: { uuid: s.apiKey.uuid }, answer: 'missing' }),
  'auth.revokeSession': (s) => ({ body: { uuid: s.session.uuid }, answer: 'missing' }),
  'affiliate.list': (s) => ({ body: { manager_uuid: [s.manager.uuid] }, answer: EMPTY }),
  'affiliate.get': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'affiliate.create': (s) => ({ body: affiliateInput({ manager_uuid: s.manager.uuid }), answer: refusedAt('manager_uuid') }),
  'affiliate.update': (s) => ({ params: { uuid: s.affiliate.uuid }, body: { ...affiliateInput(), version: 1 }, answer: 'missing' }),
  'affiliate.setStatus': (s) => ({ body: { uuids: [s.affiliate.uuid], status: 'banned' }, answer: NOTHING_CHANGED }),
  'affiliate.undo': (s) => ({ body: { uuids: [s.affiliate.uuid], status: 'banned' }, answer: NOTHING_CHANGED }),
  'affiliate.passwordLinks': (s) => ({
    body: { uuids: [s.affiliate.uuid] },
    answer: { mailed: 0, with_password: 0, not_active: 0, later: 0 },
  }),
  'affiliate.passwordLink': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'assignment.assign': (s) => ({ body: { kind: 'affiliate', uuids: [s.affiliate.uuid], manager_uuid: null }, answer: NOTHING_CHANGED }),
  'assignment.undo': (s) => ({ body: { kind: 'advertiser', uuids: [s.advertiser.uuid], manager_uuid: null }, answer: NOTHING_CHANGED }),

  'referral.of': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),

  'audit.history': (s) => ({ body: { kind: 'affiliate', uuid: s.affiliate.uuid }, answer: 'missing' }),

  'conversionImport.get': (s) => ({ params: { uuid: s.results.uuid }, answer: 'missing' }),
  'conversionImport.preview': (s) => ({ params: { uuid: s.results.uuid }, body: resultsPlan, answer: 'missing' }),
  'conversionImport.start': (s) => ({ params: { uuid: s.results.uuid }, body: resultsPlan, answer: 'missing' }),
  'conversionImport.rows': (s) => ({ params: { uuid: s.results.uuid }, answer: 'missing' }),
  'conversionImport.undo': (s) => ({ params: { uuid: s.results.uuid }, answer: 'missing' }),
  'import.get': (s) => ({ params: { uuid: s.imported.uuid }, answer: 'missing' }),
  'import.preview': (s) => ({ params: { uuid: s.imported.uuid }, body: importPlan, answer: 'missing' }),
  'import.start': (s) => ({ params: { uuid: s.imported.uuid }, body: importPlan, answer: 'missing' }),
  'import.rows': (s) => ({ params: { uuid: s.imported.uuid }, answer: 'missing' }),
  'import.undo': (s) => ({ params: { uuid: s.imported.uuid }, answer: 'missing' }),
  'reportSchedule.create': (s) => ({
    body: { name: 'X', question: {}, address: '', every: 'day', hour: 8, recipient_uuids: [s.affiliate.uuid] },
    answer: refusedAt('recipient_uuids'),
  }),
  'reportSchedule.pause': (s) => ({ params: { uuid: s.schedule.uuid }, body: { paused: true }, answer: 'missing' }),
  'reportSchedule.sendNow': (s) => ({ params: { uuid: s.schedule.uuid }, answer: 'missing' }),
  'reportSchedule.remove': (s) => ({ params: { uuid: s.schedule.uuid }, answer: 'missing' }),
  'application.get': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'application.resend': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'application.invite': (s) => ({
    body: { email: 'x@stranger.example', language: 'en', manager_uuid: s.manager.uuid },
    answer: refusedAt('manager_uuid'),
  }),
  'application.revoke': (s) => ({ params: { uuid: s.invitation.uuid }, answer: 'missing' }),

  'manager.list': (s) => ({ body: { search: s.manager.email }, answer: EMPTY }),
  'manager.get': (s) => ({ params: { uuid: s.manager.uuid }, answer: 'missing' }),
  'manager.create': (s) => ({ body: { ...managerForm, team_lead_uuid: s.lead.uuid }, answer: { uuid: expect.any(String) }, adds: true }),
  'manager.update': (s) => ({
    params: { uuid: s.manager.uuid },
    body: { ...managerForm, team_lead_uuid: null, version: 1 },
    answer: 'missing',
  }),
  'manager.undo': (s) => ({ body: { uuids: [s.manager.uuid], status: 'blocked' }, answer: NOTHING_CHANGED }),
  'manager.setStatus': (s) => ({ body: { uuids: [s.manager.uuid], status: 'blocked' }, answer: NOTHING_CHANGED }),
  'manager.passwordLink': (s) => ({ params: { uuid: s.manager.uuid }, answer: 'missing' }),

  'advertiser.list': (s) => ({ body: { manager_uuid: [s.manager.uuid] }, answer: EMPTY }),
  'product.list': (s) => ({ body: { advertiser_uuid: [s.advertiser.uuid] }, answer: EMPTY }),
  'lead.send': (s) => ({ body: { offer_uuid: s.offer.uuid, phone: '+393331234567' }, answer: CLOSED }),
  'lead.sendBatch': (s) => ({
    body: { leads: [{ offer_uuid: s.offer.uuid, phone: '+393331234567' }] },
    answer: { list: [expect.objectContaining({ code: 403, lead: null })] },
  }),
  'lead.check': (s) => ({ body: { offer_uuid: s.offer.uuid, phone: '+393331234567' }, answer: CLOSED }),
  'lead.detail': (s) => ({ params: { uuid: s.sentLead.uuid }, answer: 'missing' }),
  'userSession.list': (s) => ({ body: { offer_uuid: [s.apiOffer.uuid], search: s.sentLead.uuid }, answer: EMPTY }),
  'userSession.detail': (s) => ({ params: { uuid: s.sentLead.uuid }, answer: 'missing' }),
  'quarantine.calls': (s) => ({ params: { uuid: s.unclearSend.uuid }, answer: 'missing' }),
  'quarantine.accept': (s) => ({ params: { uuid: s.unclearSend.uuid }, answer: 'missing' }),
  'quarantine.reject': (s) => ({ params: { uuid: s.unclearSend.uuid }, answer: 'missing' }),
  'quarantine.lookUp': (s) => ({ params: { uuid: s.unclearSend.uuid }, answer: 'missing' }),
  'stuck.list': () => ({ body: { search: 'theirs' }, answer: EMPTY }),
  'stuck.detail': (s) => ({ params: { uuid: s.stuck.uuid }, answer: 'missing' }),
  'stuck.replay': (s) => ({ params: { uuid: s.stuck.uuid }, body: {}, answer: 'missing' }),
  'stuck.dismiss': (s) => ({ params: { uuid: s.stuck.uuid }, body: { note: 'Theirs' }, answer: 'missing' }),
  'productHealth.list': (s) => ({ body: { product_uuid: [s.product.uuid] }, answer: EMPTY }),
  'reveal.show': (s) => ({ params: { uuid: s.sentLead.uuid }, body: { reason: 'check', note: 'Looked at' }, answer: 'missing' }),
  'contactExport.create': (s) => ({
    body: { offer_uuid: [s.apiOffer.uuid], search: s.sentLead.uuid, reason: 'check', note: 'Looked at' },
    answer: { status: 409 },
  }),
  'contactExport.file': (s) => ({ params: { uuid: s.contactExport.uuid }, answer: 'missing' }),
  'contactExport.remove': (s) => ({ params: { uuid: s.contactExport.uuid }, answer: 'missing' }),
  'integrity.review': (s) => ({ body: { uuids: [s.sentLead.uuid], approve: true }, answer: NOTHING_CHANGED }),
  'product.get': (s) => ({ params: { uuid: s.product.uuid }, answer: 'missing' }),
  'product.create': (s) => ({
    body: { ...productForm, advertiser_uuid: s.advertiser.uuid, integration_uuid: s.product.integration },
    answer: refusedAt('advertiser_uuid'),
  }),
  'product.update': (s) => ({
    params: { uuid: s.product.uuid },
    body: { ...productForm, version_number: 1, version: 1 },
    answer: 'missing',
  }),
  'product.setStatus': (s) => ({ body: { uuids: [s.product.uuid], status: 'paused' }, answer: NOTHING_CHANGED }),
  'product.test': (s) => ({ params: { uuid: s.product.uuid }, body: { version_number: 1, values: {}, country: 'DE' }, answer: 'missing' }),
  'product.testPull': (s) => ({ params: { uuid: s.product.uuid }, body: { version_number: 1, days: 1 }, answer: 'missing' }),
  'product.tests': (s) => ({ params: { uuid: s.product.uuid }, answer: 'missing' }),
  'advertiserLink.list': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid }, answer: 'missing' }),
  'advertiserLink.create': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid, name: 'X', days: 30 }, answer: 'missing' }),
  'advertiserLink.revoke': (s) => ({ params: { uuid: s.advertiserLink.uuid }, answer: 'missing' }),

  'shape.propose': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid, shape: 'a'.repeat(16) }, answer: 'missing' }),
  'shape.rehearse': (s) => ({
    body: { advertiser_uuid: s.advertiser.uuid, shape: 'a'.repeat(16), dialect: BLANK_DIALECT },
    answer: 'missing',
  }),
  'shape.apply': (s) => ({
    body: { advertiser_uuid: s.advertiser.uuid, shape: 'a'.repeat(16), dialect: BLANK_DIALECT, version: 0 },
    answer: 'missing',
  }),
  'conversionImport.words': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),
  'conversionImport.teach': (s) => ({ params: { uuid: s.advertiser.uuid }, body: { word: 'x', means: null }, answer: 'missing' }),
  'dialect.get': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),
  'dialect.update': (s) => ({ params: { uuid: s.advertiser.uuid }, body: { version: 0, dialect: null }, answer: 'missing' }),
  'dialect.calls': (s) => ({ params: { uuid: s.advertiser.uuid }, query: { since: '2026-01-01T00:00:00.000Z' }, answer: 'missing' }),
  'advertiserBilling.account': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),
  'advertiser.get': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),
  'advertiser.create': (s) => ({ body: { ...advertiserForm, manager_uuid: s.manager.uuid }, answer: refusedAt('manager_uuid') }),
  'advertiser.update': (s) => ({
    params: { uuid: s.advertiser.uuid },
    body: { ...advertiserForm, manager_uuid: null, version: 1 },
    answer: 'missing',
  }),
  'advertiser.setStatus': (s) => ({ body: { uuids: [s.advertiser.uuid], status: 'inactive' }, answer: NOTHING_CHANGED }),
  'advertiser.renewToken': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),
  'advertiser.endOldToken': (s) => ({ params: { uuid: s.advertiser.uuid }, answer: 'missing' }),

  'apiOffer.get': (s) => ({ params: { uuid: s.apiOffer.uuid }, answer: { editable: false, groups: [], tracking_url: '' } }),
  'apiOffer.create': (s) => ({
    body: apiOfferForm({ groups: [groupInput([memberInput(s.product.uuid)])] }),
    answer: refusedAt('groups.0.members.0.product_uuid'),
  }),
  'apiOffer.update': (s) => ({ params: { uuid: s.apiOffer.uuid }, body: { ...apiOfferForm(), version: 1 }, answer: 'missing' }),
  'apiOffer.simulate': (s) => ({
    params: { uuid: s.apiOffer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid, geo: 'UA' },
    answer: 'missing',
  }),
  ...AUTHORITY_ROWS,
  ...LINK_ROWS,
  ...LEAD_LIST_ROWS,
  ...COLD_ROWS,
  ...WEBHOOK_ROWS,
  'apiOffer.partner': (s) => ({ params: { uuid: s.apiOffer.uuid }, answer: 'missing' }),

  'offer.list': (s) => ({ body: { advertiser_uuid: [s.advertiser.uuid] }, answer: EMPTY }),
  'offer.get': (s) => ({
    params: { uuid: s.offer.uuid },
    answer: { advertiser: null, editable: false, tracking_url: '', postback_token: null },
  }),
  'offer.create': (s) => ({
    body: offerForm(s.advertiser.uuid, {
      goals: [goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [s.affiliate.uuid] })] })],
    }),
    answer: refusedAt('advertiser_uuid'),
  }),
  'offer.update': (s) => ({ params: { uuid: s.offer.uuid }, body: { ...offerForm(s.advertiser.uuid), version: 1 }, answer: 'missing' }),
  'offer.setStatus': (s) => ({ body: { uuids: [s.offer.uuid], status: 'paused' }, answer: 'missing' }),
  'offer.remove': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'offer.duplicate': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'offer.renewToken': (s) => ({ params: { uuid: s.offer.uuid }, body: { own: true }, answer: 'missing' }),
  'offer.accessList': (s) => ({ body: { offer_uuid: [s.offer.uuid] }, answer: EMPTY }),
  'offer.affiliateCaps': (s) => ({ body: { affiliate_uuid: s.affiliate.uuid }, answer: 'missing' }),
  'offer.decideAccess': (s) => ({
    body: { entries: [{ offer_uuid: s.offer.uuid, affiliate_uuid: s.affiliate.uuid }], status: 'blocked' },
    answer: { ...NOTHING_CHANGED, decided_at: expect.any(String) },
  }),
  'offer.setCap': (s) => ({
    params: { uuid: s.offer.uuid },
    body: { period: 'day', scope: 'offer', measure: 'conversions', limit: '9', expected: '5' },
    answer: 'missing',
  }),
  'offer.undoAccess': (s) => ({
    body: { entries: [{ offer_uuid: s.offer.uuid, affiliate_uuid: s.affiliate.uuid }], decided_at: '2026-11-01T00:00:00Z' },
    answer: NOTHING_CHANGED,
  }),
  'offer.addAffiliates': (s) => ({ params: { uuid: s.offer.uuid }, body: { affiliate_uuids: [s.affiliate.uuid] }, answer: 'missing' }),
  'offer.simulate': (s) => ({
    params: { uuid: s.offer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid, geo: 'UA', device: 'mobile' },
    answer: refusedAt('affiliate_uuid'),
  }),
  'leadForm.own': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'leadForm.ofAffiliate': (s) => ({
    params: { uuid: s.offer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid },
    answer: refusedAt('affiliate_uuid'),
  }),
  'offer.history': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'offer.undo': (s) => ({ params: { uuid: s.offer.uuid }, body: { id: '1' }, answer: 'missing' }),

  'partnerChange.list': (s) => ({ body: { offer_uuid: s.offer.uuid }, answer: EMPTY }),
  'partnerApiOffer.get': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerApiOffer.requestAccess': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerApiOffer.link': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerApiOffer.createShortLink': (s) => ({ body: { offer_uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerApiConversion.get': (s) => ({ params: { uuid: s.conversion.uuid }, answer: 'missing' }),
  'partnerApiTicket.get': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'partnerApiTicket.messages': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'partnerApiTicket.answer': (s) => ({ params: { uuid: s.ticket.uuid }, body: { body: 'x' }, answer: 'missing' }),
  'partnerApiTicket.close': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'partnerApiPostback.create': (s) => ({ body: own(s), answer: refusedAt('offer_uuid') }),
  'partnerApiPostback.update': (s) => ({
    params: { uuid: s.postback.uuid },
    body: { ...own(s), offer_uuid: null, version: 1 },
    answer: 'missing',
  }),
  'partnerApiPostback.setStatus': (s) => ({ params: { uuid: s.postback.uuid }, body: { status: 'paused' }, answer: 'missing' }),
  'partnerApiPostback.remove': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'partnerApiPostback.replay': (s) => ({ body: { delivery_uuids: [s.delivery.uuid] }, answer: { queued: 0 } }),
  'partnerOffer.get': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerOffer.requestAccess': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerOffer.link': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerOffer.createShortLink': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'partnerOffer.shortLinks': (s) => ({ body: { offer_uuid: [s.offer.uuid] }, answer: EMPTY }),

  'report.run': () => ({ body: { ...TODAY, group: ['offer'] }, answer: { list: [], summary: { rows: 0, totals: { clicks: 0 } } } }),
  'report.series': () => ({ body: { ...TODAY, group: ['offer'] }, answer: { lines: [{ key: null }], others: null } }),
  'click.list': () => ({ body: TODAY, answer: EMPTY }),
  'click.get': (s) => ({ params: { uuid: s.click.id }, answer: 'missing' }),
  'ledger.accounts': (s) => ({ body: { owner: 'affiliate', uuid: s.affiliate.uuid }, answer: 'missing' }),
  'ledger.entries': (s) => ({ body: { owner: 'advertiser', uuid: s.advertiser.uuid, currency: 'USD' }, answer: 'missing' }),

  'ownInvoice.get': ownInvoice,
  'document.ownInvoice': ownInvoice,
  'document.ownNote': ownInvoice,
  'document.ownInvoiceLines': ownInvoice,
  'ownInvoice.lines': (s) => ({ body: { uuid: s.invoice.uuid }, answer: 'missing' }),

  'objection.own': ownInvoice,
  'ownDocument.own': ownInvoice,
  'ownDocument.give': (s) => ({
    params: { uuid: s.invoice.uuid },
    body: { number: '1', day: '2026-11-01', file_uuid: s.invoice.uuid },
    answer: 'missing',
  }),
  'objection.make': (s) => ({ params: { uuid: s.invoice.uuid }, body: { reason: 'No' }, answer: 'missing' }),
  'objection.withdraw': ownInvoice,

  'ownRequest.withdraw': (s) => ({ params: { uuid: s.request.uuid }, answer: 'missing' }),
  'statement.pdf': (s) => ({ params: { uuid: s.statement.uuid }, answer: 'missing' }),
  'statement.get': (s) => ({ params: { uuid: s.statement.uuid }, answer: 'missing' }),

  'conversion.list': (s) => ({ body: { affiliate_uuid: [s.affiliate.uuid] }, answer: EMPTY }),
  'conversion.get': (s) => ({ params: { uuid: s.conversion.uuid }, answer: 'missing' }),
  'conversion.decide': (s) => ({ body: { uuids: [s.conversion.uuid], status: 'approved' }, answer: NOTHING_CHANGED }),
  'conversion.undo': (s) => ({ body: { decisions: [{ uuid: s.conversion.uuid, seq: 1 }] }, answer: NOTHING_CHANGED }),

  'postback.list': (s) => ({ body: { direction: 'in', offer_uuid: [s.offer.uuid] }, answer: EMPTY }),
  'postback.attempts': (s) => ({ params: { uuid: s.delivery.id }, answer: 'missing' }),
  'postback.replay': (s) => ({ body: { direction: 'in', ids: [String(s.incoming.id)] }, answer: { replayed: 0, unauthorized: 0 } }),

  'affiliatePostback.list': (s) => ({ params: { uuid: s.affiliate.uuid }, answer: 'missing' }),
  'affiliatePostback.deliveries': (s) => ({ body: { affiliate_uuid: s.affiliate.uuid }, answer: 'missing' }),
  'affiliatePostback.delivery': (s) => ({
    body: { affiliate_uuid: s.affiliate.uuid, delivery_uuid: s.delivery.uuid },
    answer: 'missing',
  }),
  'affiliatePostback.replay': (s) => ({
    body: { affiliate_uuid: s.affiliate.uuid, delivery_uuids: [s.delivery.uuid] },
    answer: 'missing',
  }),

  'ownPostback.create': (s) => ({ body: own(s), answer: refusedAt('offer_uuid') }),
  // asked for the password first, whoever's it is; payment.test.ts reaches for a stranger's with the right one
  'paymentMethod.ask': (s) => ({
    body: { change: { kind: 'remove' as const, uuid: s.postback.uuid }, password: 'x' },
    answer: NO_PASSWORD,
    adds: true,
  }),
  'paymentMethod.save': (s) => ({
    body: { uuid: s.postback.uuid, system: 'paypal', values: { email: 'a@b.example' }, password: 'x' },
    answer: NO_PASSWORD,
    adds: true,
  }),
  'paymentMethod.order': (s) => ({ body: { uuids: [s.postback.uuid], password: 'x' }, answer: NO_PASSWORD, adds: true }),
  'paymentMethod.remove': (s) => ({ params: { uuid: s.postback.uuid }, body: { password: 'x' }, answer: NO_PASSWORD, adds: true }),
  'ownPostback.update': (s) => ({
    params: { uuid: s.postback.uuid },
    body: { ...own(s), offer_uuid: null, version: 1 },
    answer: 'missing',
  }),
  'ownPostback.setStatus': (s) => ({ params: { uuid: s.postback.uuid }, body: { status: 'paused' }, answer: 'missing' }),
  'ownPostback.remove': (s) => ({ params: { uuid: s.postback.uuid }, answer: 'missing' }),
  'ownPostback.sign': (s) => ({ params: { uuid: s.postback.uuid }, body: { version: 1, keep_hours: 0 }, answer: 'missing' }),
  'ownPostback.unsign': (s) => ({ params: { uuid: s.postback.uuid }, body: { version: 1 }, answer: 'missing' }),
  'ownPostback.deliveries': (s) => ({ body: { postback_uuid: s.postback.uuid }, answer: EMPTY }),
  'ownPostback.delivery': (s) => ({ params: { uuid: s.delivery.uuid }, answer: 'missing' }),
  'ownPostback.replay': (s) => ({ body: { delivery_uuids: [s.delivery.uuid] }, answer: { queued: 0 } }),
  'ownPostback.backfill': (s) => ({ body: { postback_uuid: s.postback.uuid, conversion_uuids: [s.conversion.uuid] }, answer: 'missing' }),
  'ownPostback.expand': (s) => ({ body: trial(s), answer: 'missing' }),
  'ownPostback.dryRun': (s) => ({ body: trial(s), answer: 'missing' }),
  'ownPostback.send': (s) => ({ body: trial(s), answer: 'missing' }),

  // no landing of the network's own is made there: whatever came would be the stranger's
  'landing.options': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid, type: ['landing'] }, answer: EMPTY }),
  'landing.propose': (s) => ({ params: { uuid: s.offer.uuid }, body: proposal, answer: 'missing' }),
  'file.get': (s) => ({ params: { uuid: s.file.uuid }, answer: 'missing' }),

  'ticket.list': (s) => ({ body: { affiliate_uuid: [s.affiliate.uuid] }, answer: EMPTY }),
  'ticket.get': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'ticket.messages': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'ticket.create': (s) => ({
    body: { key: randomUUID(), subject: 'X', body: 'X', category: 'general', affiliate_uuid: s.affiliate.uuid },
    answer: refusedAt('affiliate_uuid'),
  }),
  'ticket.answer': (s) => ({ params: { uuid: s.ticket.uuid }, body: { key: randomUUID(), body: 'X' }, answer: 'missing' }),
  'ticket.read': (s) => ({ params: { uuid: s.ticket.uuid }, body: { until: s.message.uuid }, answer: 'missing' }),
  'ticket.close': (s) => ({ params: { uuid: s.ticket.uuid }, answer: 'missing' }),
  'ticket.setStatus': (s) => ({ body: { uuids: [s.ticket.uuid], status: 'closed' }, answer: NOTHING_CHANGED }),
  'ticket.assign': (s) => ({ body: { uuids: [s.ticket.uuid], assignee_uuid: null }, answer: NOTHING_CHANGED }),
  'ticket.update': (s) => ({ params: { uuid: s.ticket.uuid }, body: { priority: 'high' }, answer: 'missing' }),
  'ticket.decideOffer': (s) => ({
    params: { uuid: s.ticket.uuid },
    body: { key: randomUUID(), status: 'approved' },
    answer: 'missing',
  }),
  // templates are everybody's who answers tickets
  'ticketTemplate.update': () => ({ params: { uuid: randomUUID() }, body: { title: 'X', body: 'X', version: 1 }, answer: 'missing' }),
  'ticketTemplate.remove': () => ({ params: { uuid: randomUUID() }, answer: 'missing' }),
  'news.get': (s) => ({ params: { uuid: s.news.uuid }, answer: 'missing' }),
  'news.read': (s) => ({ params: { uuid: s.news.uuid }, answer: 'missing' }),

  'notification.read': (s) => ({ params: { uuid: s.notification.uuid }, answer: 'missing' }),

  'savedView.remove': (s) => ({ params: { uuid: s.view.uuid }, answer: {} }),
}
