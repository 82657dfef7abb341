import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_NOTIFICATIONS, notificationApi } from '#contract/network/notification.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { goalInput, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'
import { handOver, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { deleteOldNotifications } from './notification.queries.ts'
import { tellAffiliates } from './tell.queries.ts'

let api: TestApi
let admin: Caller
let manager: Caller
let colleague: Caller
let affiliate: Caller
let offer: Awaited<ReturnType<typeof makeOffer>>
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-11-21T10:00:00Z' })
  ;[admin, manager, colleague] = await Promise.all([api.as('admin'), api.as('manager'), api.as('manager')])
  affiliate = await api.as('affiliate', { managerId: colleague.managerId, name: 'Iryna' })
  const advertiser = await makeAdvertiser(api.db, { managerId: manager.managerId, name: 'Secret Kites' })
  offer = await makeOffer(api.db, { advertiserId: advertiser.id, dailyCap: 5 })
  await api.db.updateTable('offer').set({ privacy: 'premoderation' }).where('id', '=', offer.id).execute()
})
afterAll(() => api.close())

const told = async (who: Caller) => (await who.call(notificationApi.list)).data.list
const kindsOf = async (who: Caller) => (await told(who)).map(({ kind }) => kind)
const entries = () => [{ offer_uuid: offer.uuid, affiliate_uuid: affiliate.uuid }]

test('a request is told to whom it concerns, and its decision to the affiliate with the reason, each once', async () => {
  await affiliate.call(partnerOfferApi.requestAccess, { params: { uuid: offer.uuid }, body: { message: 'SEO' } })
  await affiliate.call(partnerOfferApi.requestAccess, { params: { uuid: offer.uuid }, body: { message: 'again' } })
  // the manager of the offer does not know whose affiliate it is; the affiliate's own manager decides nothing here
  expect(await told(manager)).toMatchObject([{ kind: 'access_requested', read: false, offer: { id: offer.id }, affiliate: { name: '' } }])
  expect(await told(admin)).toMatchObject([{ kind: 'access_requested', affiliate: { name: 'Iryna' } }])
  expect(await kindsOf(colleague)).toEqual([])

  const decide = (status: 'approved' | 'rejected', reason = '') =>
    manager.call(offerApi.decideAccess, { body: { entries: entries(), status, reason } })
  const { decided_at } = (await decide('rejected', 'No search ads')).data
  await decide('rejected', 'No search ads')
  expect(await told(affiliate)).toMatchObject([
    { kind: 'access_decided', status: 'rejected', reason: 'No search ads', offer: { id: offer.id }, affiliate: null },
  ])
  await manager.call(offerApi.undoAccess, { body: { entries: entries(), decided_at } })
  expect(await told(affiliate)).toEqual([])
  await decide('approved')
  await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status: 'paused' } })
  await api.db.updateTable('offer').set({ status: 'active' }).where('id', '=', offer.id).execute()
  expect((await kindsOf(affiliate)).toSorted()).toEqual(['access_decided', 'offer_paused'])
  expect(JSON.stringify(await told(affiliate))).not.toMatch(/Secret Kites|revenue/)
})

test('a changed payout is told to who has access, each its own terms, and to staff, once a save', async () => {
  const rival = await api.as('affiliate')
  const outsider = await api.as('affiliate')
  const { advertiserId } = offer
  const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', advertiserId).executeTakeFirstOrThrow()
  const made = (await admin.call(offerApi.create, { body: offerForm(uuid) })).data
  await admin.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active' } })
  await admin.call(offerApi.addAffiliates, {
    params: { uuid: made.uuid },
    body: { affiliate_uuids: [affiliate.uuid, rival.uuid] },
  })
  const ofPayout = async (who: Caller) => (await told(who)).filter(({ kind }) => kind === 'payout_changed').map(({ reason }) => reason)
  const save = (...rules: Parameters<typeof ruleInput>[0][]) =>
    saveOffer(admin, made.uuid, offerForm(uuid, { goals: [goalInput({ rules: [ruleInput(), ...rules.map((one) => ruleInput(one))] })] }))
  expect((await save()).status).toBe(200)
  expect(await ofPayout(affiliate), 'nothing changed').toEqual([])
  expect((await save({ affiliate_uuids: [affiliate.uuid], payout_fixed: '12', revenue_fixed: '777' })).status).toBe(200)
  expect(await ofPayout(affiliate)).toEqual(['Sale: 10 USD → 12 USD'])
  expect([await ofPayout(rival), await ofPayout(outsider), await ofPayout(admin)], 'the one who did it knows').toEqual([[], [], []])
  // of the offer's own manager and of the affiliate's: what is for everybody stayed
  expect([await ofPayout(manager), await ofPayout(colleague)]).toEqual([[''], ['']])
  const goals = [goalInput({ rules: [ruleInput({ payout_fixed: '11' })] })]
  expect((await saveOffer(admin, made.uuid, offerForm(uuid, { goals }))).status).toBe(200)
  expect([await ofPayout(affiliate), await ofPayout(rival), await ofPayout(outsider), await ofPayout(manager)]).toEqual([
    ['Sale: 12 USD → 11 USD', 'Sale: 10 USD → 12 USD'],
    ['Sale: 10 USD → 11 USD'],
    [],
    ['Sale: 10 USD → 11 USD', ''],
  ])
  // random ids and names may hold any figure
  expect(JSON.stringify(await told(affiliate)).replaceAll(/[0-9a-f-]{36}/g, '')).not.toMatch(/\b(777|15)\b|Secret Kites/)
})

test('caps are told at 80 % and when they are full, to affiliates where that pauses the offer, and declined conversions together', async () => {
  const keys = await makeClickKeys(api.db)
  const parts = { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock }
  const receiveFive = async (at: number) => {
    const made = () => makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: at - 60_000 })
    const clicks = Array.from({ length: 5 }, made)
    await storeClicks(api.clickhouse, clicks)
    for (const click of clicks) {
      const query = { click_id: click.id, token: offer.token, status: 'pending', transaction_id: click.id }
      await receivePostback(parts, handOver(query, { received_at: new Date(at).toISOString() }))
    }
  }
  // a cap of a day that is over is no news
  await receiveFive(api.clock.now() - 2 * 86_400_000)
  expect((await kindsOf(manager)).filter((kind) => kind.startsWith('cap'))).toEqual([])
  await api.db.updateTable('offer').set({ over_cap_action: 'pause' }).where('id', '=', offer.id).execute()
  await receiveFive(api.clock.now())
  const caps = (await told(manager)).filter(({ kind }) => kind.startsWith('cap'))
  expect(caps.map(({ kind, count, status, reason }) => [kind, count, status, reason])).toEqual([
    ['cap_full', 100, 'day', 'conversions'],
    ['cap_nearly_full', 80, 'day', 'conversions'],
  ])
  // once by hand in the test before, and once by the full cap
  expect((await kindsOf(affiliate)).filter((kind) => kind === 'offer_paused')).toHaveLength(2)
  expect((await kindsOf(colleague)).filter((kind) => kind.startsWith('cap'))).toEqual([])
  const { list } = (await admin.call(conversionApi.list)).data
  const uuids = list.slice(0, 3).map(({ uuid }) => uuid)
  await admin.call(conversionApi.decide, { body: { uuids, status: 'declined', reason: 'Twice' } })
  expect((await told(affiliate)).filter(({ kind }) => kind === 'conversions_declined')).toMatchObject([{ count: 3, reason: 'Twice' }])
  expect((await told(manager)).filter(({ kind }) => kind.startsWith('cap'))).toHaveLength(2)
})

test('each reads only the own ones, and what came since stays unread', async () => {
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'active', expected: 'moderation' } })
  const unread = async (who: Caller) => (await who.call(notificationApi.unread)).data.rows
  const [first] = await told(manager)
  const before = await unread(manager)
  expect((await affiliate.call(notificationApi.read, { params: { uuid: first?.uuid ?? '' } })).status).toBe(404)
  expect((await manager.call(notificationApi.read, { params: { uuid: first?.uuid ?? '' } })).status).toBe(200)
  expect(await unread(manager)).toBe(before - 1)
  const until = new Date(api.clock.now() - 1).toISOString()
  expect((await manager.call(notificationApi.readAll, { body: { until } })).data).toEqual({ changed: 0 })
  expect((await manager.call(notificationApi.readAll, { body: { until: new Date(api.clock.now()).toISOString() } })).data).toEqual({
    changed: before - 1,
  })
  expect(await unread(manager)).toBe(0)
})

test('what is told together counts up and is unread again, and only so much is kept', async () => {
  const affiliateId = affiliate.affiliateId ?? 0
  const notices = [{ kind: 'deliveries_given_up' as const, affiliateId, once: 'deliveries 1 1', together: true }]
  await tellAffiliates(api.db, api.clock.now(), notices)
  await tellAffiliates(api.db, api.clock.now() + 1, notices)
  expect((await told(affiliate))[0]).toMatchObject({ kind: 'deliveries_given_up', count: 2 })
  const many = Array.from({ length: MOST_NOTIFICATIONS + 20 }, (_one, index) => ({
    kind: 'offer_paused' as const,
    affiliateId,
    once: `one ${index}`,
  }))
  await tellAffiliates(api.db, api.clock.now() + 2, many)
  await tellAffiliates(api.db, api.clock.now() - 91 * 86_400_000, [{ kind: 'offer_paused', affiliateId, once: 'old' }])
  await deleteOldNotifications(api.db, api.clock.now() + 2)
  const { data } = await affiliate.call(notificationApi.list)
  expect(data.summary.rows).toBe(MOST_NOTIFICATIONS)
})
