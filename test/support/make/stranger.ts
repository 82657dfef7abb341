import { randomUUID } from 'node:crypto'
import { advertiserLinkApi } from '#contract/people/advertiser-link.ts'
import { applicationApi } from '#contract/people/application.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { reportScheduleApi } from '#contract/traffic/report-schedule.ts'
import { savedViewApi } from '#contract/traffic/view.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { hashToken } from '#server/platform/secret.ts'
import type { TestApi } from '#test/support/run/api.ts'
import { makeStrayFile } from '#test/support/make/stray-file.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'
import { makeColdRule, makeRecold } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeWaiting } from '#test/support/make/invoices.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'

/** What `makeStranger` made. */
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
    .insertInto('link')
    .values({ code: `kept-${affiliateId}`, offer_id: offer.id, affiliate_id: affiliateId, kept_from: `/kept-${affiliateId}` })
    .execute()
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
  const product = await makeProduct(db, advertiser.id, api.clock.now())
  const apiOffer = await makeApiOffer(db, product.id)
  await db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', apiOffer.id).execute()
  const results = await db
    .insertInto('conversion_import')
    .values({
      file_name: 'results.csv',
      encoding: 'utf-8',
      delimiter: ',',
      columns: ['Click', 'Status'],
      row_count: 0,
      created_by: manager.accountId,
      created_at: new Date(api.clock.now()),
    })
    .returning(['uuid'])
    .executeTakeFirstOrThrow()
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
  const person = await db.insertInto('person').values({ first_seen_at: at, last_seen_at: at }).returning('id').executeTakeFirstOrThrow()
  const sentLead = await db
    .insertInto('user_session')
    .values({
      person_id: person.id,
      affiliate_id: affiliateId,
      offer_id: offer.id,
      click_id: 'lead of a stranger',
      origin: 'api',
      status: 'ambiguous',
      draw: 0.5,
      received_at: at,
      changed_at: at,
    })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const { version_id } = await db.selectFrom('product').select('version_id').where('id', '=', product.id).executeTakeFirstOrThrow()
  const unclearSend = await db
    .insertInto('lead_send')
    .values({
      session_id: sentLead.id,
      person_id: person.id,
      product_id: product.id,
      advertiser_id: advertiser.id,
      version_id,
      attempt: 1,
      status: 'ambiguous',
      outcome: 'ambiguous',
      asked_at: at,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const stuck = await db
    .insertInto('stuck_status')
    .values({
      product_id: product.id,
      kind: 'push',
      reason: 'lead_unknown',
      lead_ref: 'theirs',
      digest: Buffer.from('theirs'),
      first_seen_at: at,
      last_seen_at: at,
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const contactExport = await db
    .insertInto('contact_export')
    .values({
      account_id: manager.accountId,
      state: 'ready',
      sealed: Buffer.from('theirs'),
      session_ids: [],
      rows: 1,
      reason: 'check',
      note: 'Theirs',
      created_at: at,
      expires_at: new Date(at.getTime() + 86_400_000),
    })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const leadList = await db
    .insertInto('lead_list')
    .values({ title: 'Theirs', manager_id: manager.managerId, created_by: manager.accountId, created_at: at, updated_at: at })
    .returning(['id', 'uuid'])
    .executeTakeFirstOrThrow()
  const listed = await db
    .insertInto('lead_list_item')
    .values({
      list_id: leadList.id,
      person_id: person.id,
      source: 'session',
      session_id: sentLead.id,
      affiliate_id: affiliateId,
      via: 'manual',
      added_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const leadFile = await db
    .insertInto('lead_list_import')
    .values({ list_id: leadList.id, file_name: 'theirs.csv', status: 'done', created_by: manager.accountId, created_at: at, ended_at: at })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  const view = await manager.call(savedViewApi.save, { body: { screen: 'affiliates', name: 'Mine', address: 'x=1' } })
  const recold = await makeRecold(db, api.clock.now(), {
    list_id: leadList.id,
    offer_id: apiOffer.id,
    manager_id: manager.managerId,
    affiliate_id: affiliateId,
  })
  const coldRule = await makeColdRule(db, api.clock.now(), { manager_id: manager.managerId, list: leadList })
  return {
    product,
    apiOffer,
    recold,
    coldRule,
    sentLead: { uuid: sentLead.uuid },
    leadList: { uuid: leadList.uuid, item: listed.id, file: leadFile.uuid },
    unclearSend,
    stuck,
    contactExport,
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
    results,
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
