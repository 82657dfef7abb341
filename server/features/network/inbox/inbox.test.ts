import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { billingWaitingApi } from '#contract/money/billing.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { INBOX_KIND_IDS, inboxApi, type InboxKind } from '#contract/network/inbox.ts'
import { ticketApi } from '#contract/network/ticket.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { affiliatePostbackApi } from '#contract/traffic/affiliate-postback.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { makeInvoice, makePayable } from '#test/support/make/invoices.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { makeAdvertiserDraft, makeDebtor } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const NOW = '2026-11-21T10:00:00Z'
const EVERY = {
  access: 0,
  affiliates: 0,
  landings: 0,
  conversions: 0,
  deliveries: 0,
  postbacks: 0,
  caps: 0,
  rates: 0,
  leads: 0,
  sends: 0,
  stuck: 0,
  tickets: 0,
  money: 0,
  referrals: 0,
}

let api: TestApi
let manager: Caller
let colleague: Caller
let lead: Caller
let admin: Caller
let affiliate: Caller
let offer: Awaited<ReturnType<typeof makeOffer>>

/** One of each kind for the manager, whose offer has a cap of five; the affiliate is a colleague's. */
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: NOW })
  const { db } = api
  ;[admin, lead, colleague] = await Promise.all([api.as('admin'), api.as('team lead'), api.as('manager')])
  manager = await api.as('manager', { teamLeadId: lead.managerId })
  affiliate = await api.as('affiliate', { managerId: colleague.managerId, name: 'Other people’s' })
  const affiliateId = affiliate.affiliateId ?? 0
  await db
    .updateTable('affiliate')
    .set({ country: 'PL', traffic_sources: ['SEO', 'Push'] })
    .where('id', '=', affiliateId)
    .execute()
  await makeAccount(db, 'affiliate', { managerId: manager.managerId, status: 'moderation' })
  const advertiser = await makeAdvertiser(db, { managerId: manager.managerId, name: 'Kites' })
  offer = await makeOffer(db, { advertiserId: advertiser.id, dailyCap: 5 })
  await db.updateTable('offer').set({ privacy: 'premoderation' }).where('id', '=', offer.id).execute()
  await db
    .insertInto('offer_access')
    .values({ offer_id: offer.id, affiliate_id: affiliateId, status: 'pending', message: 'SEO', requested_at: new Date(NOW) })
    .execute()
  await db
    .insertInto('landing')
    .values({
      name: 'Page',
      url: 'https://page.example/',
      status: 'moderation',
      advertiser_id: advertiser.id,
      next_check_at: new Date(NOW),
    })
    .execute()
  const keys = await makeClickKeys(db)
  const receive = async (query: Record<string, string>) => {
    const click = makeClick(keys, { offerId: offer.id, affiliateId, at: api.clock.now() - 60_000 })
    await storeClicks(api.clickhouse, [click])
    await receivePostback(
      { db, findClick: openClickFinder(api.clickhouse), clock: api.clock },
      handOver({ click_id: click.id, token: offer.token, ...query }, { received_at: NOW }),
    )
  }
  for (const transaction_id of ['1', '2', '3', '4']) await receive({ status: 'pending', transaction_id })
  await receive({ status: 'quux', transaction_id: '5' })
  const conversion = await db.selectFrom('conversion').select('id').orderBy('id').limit(1).executeTakeFirstOrThrow()
  const postback = await db
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, url: 'https://partner.example/pb' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const delivery = {
    postback_id: postback.id,
    affiliate_id: affiliateId,
    conversion_id: conversion.id,
    history_seq: 1,
    method: 'GET' as const,
  }
  const dead = { ...delivery, url: 'https://partner.example/pb', state: 'dead' as const, error: 'HTTP 500' }
  await db
    .insertInto('postback_delivery')
    .values([
      { ...dead, created_at: new Date(NOW) },
      { ...dead, history_seq: 2, created_at: new Date('2026-08-01T00:00:00Z') },
    ])
    .execute()
  await affiliate.call(ticketApi.create, { body: { key: randomUUID(), subject: 'Cap', body: 'Raise it, please', category: 'general' } })
})
afterAll(() => api.close())

const countsOf = async (who: Caller) => (await who.call(inboxApi.counts)).data
const listOf = async (who: Caller, kind: InboxKind) => (await who.call(inboxApi.list, { body: { kind } })).data.list

test('each is told of what it may decide in its scope, and the lists agree with the counts', async () => {
  const everything = {
    access: 1,
    affiliates: 1,
    landings: 1,
    conversions: 4,
    deliveries: 1,
    postbacks: 1,
    caps: 1,
    rates: 0,
    leads: 0,
    sends: 0,
    stuck: 0,
    tickets: 1,
    money: 0,
    referrals: 0,
  }
  expect(await countsOf(admin)).toEqual(everything)
  // a manager decides neither about landings nor about postbacks, and the delivery went to a colleague's affiliate
  expect(await countsOf(manager)).toEqual({ ...everything, landings: 0, deliveries: 0, postbacks: 0, tickets: 0 })
  expect(await countsOf(colleague)).toEqual({ ...EVERY, conversions: 4, deliveries: 1, tickets: 1 })
  expect(await countsOf(lead)).toEqual({ ...EVERY, affiliates: 1, conversions: 4, postbacks: 1 })
  expect(await countsOf(await api.as('manager'))).toEqual(EVERY)
  expect((await affiliate.call(inboxApi.counts)).status).toBe(403)
  expect((await affiliate.call(inboxApi.list, { body: { kind: 'conversions' } })).status).toBe(403)
  expect((await manager.call(inboxApi.list, { body: { kind: 'landings' } })).status).toBe(403)
  const few = (await admin.call(inboxApi.list, { body: { kind: 'conversions', count: 3 } })).data
  expect([few.rows, few.list.length]).toEqual([4, 3])
  for (const kind of INBOX_KIND_IDS) {
    const { data } = await admin.call(inboxApi.list, { body: { kind } })
    expect({ kind, rows: data.rows, listed: data.list.length }).toEqual({ kind, rows: everything[kind], listed: everything[kind] })
  }
})

test('a row tells who asks for what, without the names of other people’s partners', async () => {
  const [request] = await listOf(manager, 'access')
  expect(request).toMatchObject({
    at: '2026-11-21T10:00:00.000Z',
    text: 'SEO',
    offer: { id: offer.id },
    affiliate: { uuid: affiliate.uuid, name: '' },
    geo: 'PL',
    sources: ['SEO', 'Push'],
    record: { approved: 0, declined: 0 },
  })
  expect(await listOf(manager, 'conversions')).toMatchObject(
    Array.from({ length: 4 }, () => ({
      affiliate: null,
      advertiser: { name: 'Kites' },
      money: { payout: '10.0000', currency: 'USD' },
      goal: 'Sale',
      geo: expect.stringMatching(/^[A-Z]{2}$/),
    })),
  )
  expect((await listOf(colleague, 'conversions'))[0]).toMatchObject({ affiliate: { name: 'Other people’s' }, advertiser: null })
  expect(await listOf(colleague, 'deliveries')).toMatchObject([{ reason: 'HTTP 500', text: 'https://partner.example/pb' }])
  expect(await listOf(admin, 'postbacks')).toMatchObject([{ reason: 'status_unknown', text: 'status=quux' }])
  expect(await listOf(manager, 'caps')).toMatchObject([
    { offer: { id: offer.id }, cap: { period: 'day', used: '4', limit: '5', percent: 80 } },
  ])
})

test('a failed postback that is dismissed leaves the inbox of everybody, by name and time, and may come back', async () => {
  const [delivery] = await listOf(colleague, 'deliveries')
  const [postback] = await listOf(lead, 'postbacks')
  const dismiss = (who: Caller, of: { deliveries?: string[]; postbacks?: string[] }, dismissed = true) =>
    who.call(inboxApi.dismiss, { body: { ...of, dismissed } })
  const both = { deliveries: [delivery?.id ?? ''], postbacks: [postback?.id ?? ''] }
  expect((await dismiss(manager, { deliveries: both.deliveries })).data).toEqual({ changed: 0 })
  // a manager decides about no postback of advertisers
  expect((await dismiss(colleague, both)).status).toBe(403)
  expect((await dismiss(lead, { postbacks: both.postbacks })).data).toEqual({ changed: 1 })
  expect((await dismiss(admin, both)).data).toEqual({ changed: 1 })
  for (const who of [admin, colleague, lead]) expect(await countsOf(who)).toMatchObject({ deliveries: 0, postbacks: 0 })
  const logged = async (direction: 'in' | 'out') => (await admin.call(postbackApi.list, { body: { direction } })).data.list
  expect((await logged('in')).filter(({ outcome }) => outcome === 'refused')).toMatchObject([
    { needs_mapping: false, dismissed: { at: '2026-11-21T10:00:00.000Z', by: expect.any(String) } },
  ])
  expect((await logged('out')).filter(({ dismissed }) => dismissed !== null)).toHaveLength(1)
  expect((await dismiss(admin, both, false)).data).toEqual({ changed: 2 })
  expect((await dismiss(admin, both, false)).data).toEqual({ changed: 0 })
  expect(await countsOf(admin)).toMatchObject({ deliveries: 1, postbacks: 1 })
})

test('a cap that is nearly full is raised where it is listed, and back, unless somebody gave it another limit meanwhile', async () => {
  const [{ offer: of, cap } = { offer: null, cap: null }] = await listOf(manager, 'caps')
  if (of === null || cap === null) throw new Error('no cap is listed')
  expect(cap.paused).toBe(false)
  const { period, scope, measure, limit } = cap
  const give = (who: Caller, next: string, expected: string) =>
    who.call(offerApi.setCap, { params: { uuid: of.uuid }, body: { period, scope, measure, limit: next, expected } })
  expect((await give(colleague, '50', limit)).status).toBe(404)
  expect((await give(manager, '1.5', limit)).fields).toEqual({ limit: 'A whole number from 1' })
  expect((await give(manager, '50', limit)).data).toEqual({ changed: 1 })
  expect((await countsOf(manager)).caps).toBe(0)
  expect((await give(manager, '60', limit)).status).toBe(409)
  expect((await give(manager, limit, '50')).data).toEqual({ changed: 1 })
  expect(await listOf(manager, 'caps')).toMatchObject([{ cap }])
})

test('a cap is raised with the offer it paused, and both are taken back in one write; a limit has no more decimals than its currency', async () => {
  const { uuid } = offer
  const cap = { period: 'day', scope: 'offer', measure: 'conversions' } as const
  const statusOf = async () => (await manager.call(offerApi.get, { params: { uuid } })).data.status
  await manager.call(offerApi.setStatus, { body: { uuids: [uuid], status: 'paused' } })
  const give = (body: object) => manager.call(offerApi.setCap, { params: { uuid }, body: { ...cap, limit: '50', expected: '5', ...body } })
  expect((await give({ offer: 'active' })).data).toEqual({ changed: 1 })
  expect(await statusOf()).toBe('active')
  // once is enough: the second finds another limit, and the offer as it is
  expect((await give({ offer: 'paused' })).status).toBe(409)
  expect(await statusOf()).toBe('active')
  expect((await give({ limit: '5', expected: '50', offer: 'paused' })).data).toEqual({ changed: 1 })
  expect(await statusOf()).toBe('paused')
  await manager.call(offerApi.setStatus, { body: { uuids: [uuid], status: 'active', confirm: ['no_click_id', 'pays_more'] } })
  expect((await give({ offer: 'stopped' })).fields).toHaveProperty('offer')

  const before = await api.db.selectFrom('offer').select('caps').where('id', '=', offer.id).executeTakeFirstOrThrow()
  const paid = JSON.stringify([{ ...cap, measure: 'payout', limit: '100' }])
  await api.db
    .updateTable('offer')
    .set({ caps: sql`${paid}::jsonb` })
    .where('id', '=', offer.id)
    .execute()
  const pay = (limit: string) => give({ measure: 'payout', limit, expected: '100' })
  expect((await pay('100.005')).fields).toEqual({ limit: 'At most 2 decimals, as the currency has' })
  expect((await pay('100.5000')).data).toEqual({ changed: 1 })
  await api.db
    .updateTable('offer')
    .set({ caps: sql`${JSON.stringify(before.caps)}::jsonb` })
    .where('id', '=', offer.id)
    .execute()
})

test('what is decided leaves every inbox, whoever decides later changes nothing, and it may come back', async () => {
  const entries = [{ offer_uuid: offer.uuid, affiliate_uuid: affiliate.uuid }]
  const decide = (who: Caller, status: 'approved' | 'rejected') =>
    who.call(offerApi.decideAccess, { body: { entries, status, expected: 'pending' } })
  const { changed, decided_at } = (await decide(manager, 'approved')).data
  expect(changed).toBe(1)
  expect((await decide(admin, 'rejected')).data.changed).toBe(0)
  expect((await countsOf(admin)).access).toBe(0)
  const undo = (who: Caller) => who.call(offerApi.undoAccess, { body: { entries, decided_at } })
  expect((await undo(admin)).status).toBe(409)
  expect((await undo(manager)).data).toEqual({ changed: 1 })
  expect(await listOf(admin, 'access')).toMatchObject([{ text: 'SEO' }])

  const [first] = await listOf(manager, 'conversions')
  const body = { uuids: [first?.id ?? ''], expected: 'pending' as const, reason: 'Twice' }
  expect((await manager.call(conversionApi.decide, { body: { ...body, status: 'declined' } })).data).toMatchObject({
    changed: 1,
    hold_until: null,
  })
  const late = await admin.call(conversionApi.decide, { body: { ...body, status: 'approved' } })
  expect(late.data).toEqual({ changed: 0, refused: [{ uuid: first?.id, reason: 'changed_meanwhile' }], decisions: [], hold_until: null })
  expect((await listOf(manager, 'access'))[0]?.record).toEqual({ approved: 0, declined: 1 })
  expect((await listOf(await api.as('head'), 'access'))[0]?.record).toEqual({ approved: 0, declined: 1 })
  // one place of the cap is free again
  expect(await countsOf(manager)).toMatchObject({ conversions: 3, caps: 0 })

  const [applicant] = await listOf(admin, 'affiliates')
  await manager.call(affiliateApi.setStatus, { body: { uuids: [applicant?.id ?? ''], status: 'active', expected: 'moderation' } })
  const [delivery] = await listOf(colleague, 'deliveries')
  const again = { affiliate_uuid: affiliate.uuid, delivery_uuids: [delivery?.id ?? ''] }
  expect((await colleague.call(affiliatePostbackApi.replay, { body: again })).data).toEqual({ queued: 1 })
  expect(await countsOf(admin)).toMatchObject({ affiliates: 0, deliveries: 0 })
  const [call] = await listOf(lead, 'postbacks')
  expect((await lead.call(postbackApi.replay, { body: { direction: 'in', ids: [call?.id ?? ''] } })).data.failed).toMatchObject([
    { id: call?.id, reason: 'status_unknown' },
  ])
})

test('billing says how much waits in each of its parts, to who sees all of it', async () => {
  const waits = async () => (await admin.call(billingWaitingApi.waiting)).data
  const before = await waits()
  const affiliateId = affiliate.affiliateId ?? 0
  await api.db
    .insertInto('payout_request')
    .values({ affiliate_id: affiliateId, currency: 'USD', amount: '50', created_at: new Date(NOW) })
    .execute()
  await api.db
    .insertInto('billing_run')
    .values({ key: randomUUID(), period_to: '2026-11-15', time_zone: 'Europe/Kyiv', state: 'proposed', created_at: new Date(NOW) })
    .execute()
  expect(await waits()).toEqual({ ...before, requests: before.requests + 1, runs: before.runs + 1 })
  await api.db
    .updateTable('payout_request')
    .set({ state: 'declined', decided_at: new Date(NOW) })
    .where('state', '=', 'open')
    .execute()
  expect((await waits()).requests).toBe(before.requests)
  // the tabs of billing hold what the inbox has of money, each task once
  const counts = (await admin.call(inboxApi.counts)).data
  expect(Object.values(await waits()).reduce((sum, one) => sum + one, 0)).toBe(counts.money + counts.referrals)
  expect((await manager.call(billingWaitingApi.waiting)).status).toBe(403)
})

test('an invoice with reverse charge waits to be issued from the end of its month, until the 15th, on either side', async () => {
  const advertiser = await makeDebtor(api.db, ['10'], { at: Date.parse('2026-10-05T10:00:00Z') })
  const other = await makeAccount(api.db, 'affiliate')
  const rows = await makePayable(api.db, other.affiliateId ?? 0, ['7'], { at: Date.parse('2026-10-06T10:00:00Z') })
  const tasks = async () => (await listOf(admin, 'money')).filter(({ reason }) => reason === 'issue_by')
  const before = await makeAdvertiserDraft(admin, advertiser, { period_to: '2026-10-31' })
  const invoice = await makeInvoice(admin, rows)
  expect([before.issue_by, await tasks()]).toEqual([null, []])
  await api.db.updateTable('advertiser_invoice').set({ vat_category: 'AE' }).where('id', '=', before.id).execute()
  // of a month that is not over nobody is told yet
  await api.db.updateTable('invoice').set({ vat_category: 'AE', period_to: '2026-11-30' }).where('id', '=', invoice.id).execute()
  const ids = rows.map(({ id }) => id)
  await api.db
    .updateTable('conversion')
    .set({ created_at: new Date('2026-11-05T10:00:00Z') })
    .where('id', 'in', ids)
    .execute()
  expect(await tasks()).toMatchObject([
    { id: `${before.uuid} issue`, text: '2026-11-15', advertiser: { uuid: advertiser.uuid }, affiliate: null },
  ])
  // the period it was made for decides nothing: of a document of two months the first counts
  await api.db
    .updateTable('conversion')
    .set({ created_at: new Date('2026-10-28T10:00:00Z') })
    .where('id', 'in', ids)
    .execute()
  expect((await tasks()).map(({ text, affiliate: who }) => [text, who?.uuid])).toContainEqual(['2026-11-15', other.uuid])
  const read = { params: { uuid: invoice.uuid } }
  const listed = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [other.uuid] } })).data.list.map(({ issue_by }) => issue_by)
  expect([(await admin.call(invoiceApi.get, read)).data.issue_by, ...listed]).toEqual(['2026-11-15', '2026-11-15'])
  await admin.call(invoiceApi.remove, { ...read, body: { revision: invoice.revision } })
  expect(await tasks()).toHaveLength(1)
})
