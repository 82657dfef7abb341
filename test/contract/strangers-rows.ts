import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { affiliateInput } from '#test/support/make/factories.ts'
import { goalInput, offerForm, ruleInput } from '#test/support/make/offers.ts'
import type { Stranger } from '#test/support/make/stranger.ts'

/** What a call names of a stranger's, and what it is answered: 404, or an answer in which nothing of the stranger's was found or changed. */
export type Attempt = {
  params?: Record<string, unknown>
  body?: Record<string, unknown>
  answer: 'missing' | Record<string, unknown>
  /** The call makes a row of the caller's own, whatever it named. */
  adds?: boolean
}

const NOTHING_CHANGED = { changed: 0 }
const EMPTY = { list: [] }
const TODAY = { period: { preset: 'today' } }
/** An input that points at something out of reach is refused at its field. */
const refusedAt = (field: string) => ({ status: 422, fields: { [field]: expect.any(String) } })
const person = { name: 'X', contacts: {}, notes: '', time_zone: 'UTC' }
const managerForm = { ...person, email: 'x@stranger.example', role: 'manager', type: 'affiliate' }
const advertiserForm = {
  name: 'X',
  contacts: {},
  notes: '',
  email: '',
  status: 'active',
  company: {},
  postback_auth: 'token',
  allowed_ips: [],
  postback_words: [],
  no_status_approved: true,
  currency: 'USD',
}
const importPlan = { mapping: { name: 0, email: 1 }, options: {} }
const proposal = { name: 'X', url: 'https://page.example/', type: 'landing', language: '', preview: null, weight: 1 }
const trial = (s: Stranger) => ({ url: 'https://partner.example/', conversion_uuid: s.conversion.uuid })
const ownInvoice = (s: Stranger): Attempt => ({ params: { uuid: s.invoice.uuid }, answer: 'missing' })
const own = (s: Stranger) => ({ offer_uuid: s.offer.uuid, goal: null, statuses: [], method: 'GET', url: 'https://partner.example/' })
const NO_PASSWORD = { fields: { password: 'This is not your current password' } }
/** One attempt on a real row of a stranger for every endpoint that takes an id; access.test.ts demands that none is missing. */
export const ATTEMPTS: Record<string, (s: Stranger) => Attempt> = {
  'auth.getAffiliateToken': (s) => ({ body: { uuid: s.affiliate.uuid }, answer: 'missing' }),
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

  'audit.history': (s) => ({ body: { kind: 'affiliate', uuid: s.affiliate.uuid }, answer: 'missing' }),

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
  'advertiserLink.list': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid }, answer: 'missing' }),
  'advertiserLink.create': (s) => ({ body: { advertiser_uuid: s.advertiser.uuid, name: 'X', days: 30 }, answer: 'missing' }),
  'advertiserLink.revoke': (s) => ({ params: { uuid: s.advertiserLink.uuid }, answer: 'missing' }),

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
  'offer.affiliateLink': (s) => ({
    params: { uuid: s.offer.uuid },
    body: { affiliate_uuid: s.affiliate.uuid },
    answer: refusedAt('affiliate_uuid'),
  }),
  'offer.testLink': (s) => ({ params: { uuid: s.offer.uuid }, body: { affiliate_uuid: s.affiliate.uuid }, answer: 'missing' }),
  'offer.history': (s) => ({ params: { uuid: s.offer.uuid }, answer: 'missing' }),
  'offer.undo': (s) => ({ params: { uuid: s.offer.uuid }, body: { id: '1' }, answer: 'missing' }),

  'partnerChange.list': (s) => ({ body: { offer_uuid: s.offer.uuid }, answer: EMPTY }),
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
  'document.ownInvoiceLines': ownInvoice,
  'ownInvoice.lines': (s) => ({ body: { uuid: s.invoice.uuid }, answer: 'missing' }),

  'ownRequest.withdraw': (s) => ({ params: { uuid: s.request.uuid }, answer: 'missing' }),
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

export type Stranger = Awaited<ReturnType<typeof makeStranger>>

/** A manager with one row of everything that belongs to somebody: nothing of it lies in the scope of any other manager, team lead or affiliate. */
export async function makeStranger(api: TestApi) {
  const { db } = api
  const lead = await api.as('team lead')
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const affiliateId = affiliate.affiliateId ?? 0
  const advertiser = await makeAdvertiser(db, { managerId: manager.managerId })
  const offer = await makeOffer(db, { advertiserId: advertiser.id })
  await db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', offer.id).execute()
  await db
    .insertInto('offer_access')
    .values({ offer_id: offer.id, affiliate_id: affiliateId, status: 'approved', requested_at: new Date(api.clock.now()) })
    .execute()
  const asked = await makeOffer(db, { advertiserId: advertiser.id })
  await db.updateTable('offer').set({ privacy: 'premoderation' }).where('id', '=', asked.id).execute()
  const click = makeClick(await makeClickKeys(db), { offerId: offer.id, affiliateId, at: api.clock.now() - 60_000 })
  await storeClicks(api.clickhouse, [click])
  const query = { click_id: click.id, token: offer.token, status: 'pending', transaction_id: 'stranger' }
  const received_at = new Date(api.clock.now()).toISOString()
  await receivePostback({ db, findClick: openClickFinder(api.clickhouse), clock: api.clock }, handOver(query, { received_at }))
  const conversion = await db.selectFrom('conversion').select(['id', 'uuid']).where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const incoming = await db.selectFrom('postback_in').select('id').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
  const postback = await db
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, url: 'https://partner.example/pb' })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const delivery = await db
    .insertInto('postback_delivery')
    .values({
      postback_id: postback.id,
      affiliate_id: affiliateId,
      conversion_id: conversion.id,
      history_seq: 1,
      method: 'GET',
      url: 'https://partner.example/pb',
      state: 'dead',
      created_at: new Date(api.clock.now()),
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('landing')
    .values({
      name: 'Their page',
      url: 'https://page.example/',
      type: 'landing',
      status: 'active',
      advertiser_id: advertiser.id,
      created_at: new Date(api.clock.now()),
      next_check_at: new Date(api.clock.now()),
    })
    .execute()
  const file = await makeStrayFile(db, manager.accountId, api.clock.now())
  const notification = await db
    .insertInto('notification')
    .values({ account_id: manager.accountId, kind: 'cap_full', at: new Date(api.clock.now()), offer_id: offer.id })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const link = { advertiser_uuid: advertiser.uuid, name: 'Theirs', days: 30 }
  const { data: advertiserLink } = await manager.call(advertiserLinkApi.create, { body: link })
  const imported = await db
    .insertInto('import')
    .values({
      kind: 'affiliate',
      file_name: 'theirs.csv',
      encoding: 'utf-8',
      delimiter: ',',
      columns: ['name', 'email'],
      row_count: 0,
      created_by: manager.accountId,
      created_at: new Date(api.clock.now()),
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const invitation = await manager.call(applicationApi.invite, { body: { email: 'invited@stranger.example', language: 'en' } })
  const made = await affiliate.call(ticketApi.create, {
    body: { key: randomUUID(), subject: 'Theirs', body: 'Theirs alone', category: 'offer_request', offer_uuid: asked.uuid },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made.fields))
  const ticket = made.data
  const message = await db.selectFrom('ticket_message').select('uuid').where('ticket_id', '=', ticket.id).executeTakeFirstOrThrow()
  const scheduled = { name: 'Theirs', question: { group: ['offer' as const] }, address: '', every: 'day' as const, hour: 8 }
  const schedule = (await affiliate.call(reportScheduleApi.create, { body: scheduled })).data
  const text = { title: 'For admins', text: '', excerpt: '' }
  const at = new Date(api.clock.now())
  const news = await db
    .insertInto('news')
    .values({ texts: { en: text, uk: text }, roles: ['admin'], status: 'published', publish_at: at, created_at: at, updated_at: at })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const invoice = await makeWaiting(db, affiliateId, at)
  const request = await db
    .insertInto('payout_request')
    .values({ affiliate_id: affiliateId, currency: 'USD', amount: '1.0000', created_at: at })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const statement = await db
    .insertInto('account_statement')
    .values({ affiliate_id: affiliateId, month: '2026-10', content: '{}', sha256: '', made_at: at })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const session = await db.selectFrom('session').select('uuid').where('account_id', '=', manager.accountId).executeTakeFirstOrThrow()
  const apiKey = await db
    .insertInto('api_key')
    .values({
      account_id: manager.accountId,
      name: 'Theirs',
      token_hash: hashToken('theirs'),
      hint: '',
      scopes: [],
      allowed_ips: [],
      created_at: at,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const view = await manager.call(savedViewApi.save, { body: { screen: 'affiliates', name: 'Mine', address: 'x=1' } })
  return {
    lead,
    manager,
    affiliate,
    advertiser,
    apiKey,
    offer,
    click,
    conversion,
    incoming,
    postback,
    delivery,
    file,
    advertiserLink,
    imported,
    invoice,
    request,
    statement,
    invitation: invitation.data,
    news,
    session,
    notification,
    schedule,
    ticket,
    message,
    view: view.data,
  }
}
