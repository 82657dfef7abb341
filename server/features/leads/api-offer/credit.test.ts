import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { leadFormApi, leadFormInput } from '#contract/leads/lead-form.ts'
import { productHealthApi } from '#contract/leads/product-health.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { openLeadSender } from '#server/features/leads/send/send.jobs.ts'
import { judgeCredit } from '#server/features/money/advertiser-billing/credit.service.ts'
import { recoldForm } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { startColdDesk, type ColdDesk } from '#test/support/run/cold-desk.ts'

let desk: ColdDesk
beforeAll(async () => {
  desk = await startColdDesk()
})
afterAll(() => desk.close())

/** An offer of one product of an advertiser with this limit, or with none yet. */
async function offerOf(limit?: string) {
  const { api, admin, mock } = desk
  const advertiser = await makeAdvertiser(api.db)
  const set = async (amount: string) => {
    await api.db
      .insertInto('advertiser_credit')
      .values({ advertiser_id: advertiser.id, currency: 'USD', credit_limit: amount })
      .onConflict((row) => row.columns(['advertiser_id', 'currency']).doUpdateSet({ credit_limit: amount }))
      .execute()
    await judgeCredit(api.db, api.clock.now())
  }
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { wait_hours: 24 })
  if (limit !== undefined) await set(limit)
  return { ...offer, advertiser, product, set }
}
type Offer = Awaited<ReturnType<typeof offerOf>>

const send = async ({ uuid }: Offer) => (await desk.affiliate.call(leadApi.send, { body: leadOf(uuid) })).data
/** What staff are told of how a lead was decided about. */
async function tracesOf(session: string) {
  const { events } = (await desk.admin.call(userSessionApi.detail, { params: { uuid: session } })).data
  return events.flatMap((one) => (one.kind === 'considered' ? one.members.map(({ check }) => check) : []))
}

test('an advertiser at its limit is sold no lead by whichever way, and takes them again once there is credit', async () => {
  const { api, admin, affiliate, mock } = desk
  const offer = await offerOf()
  await makePayable(api.db, await makeAffiliateId(api.db), ['10'], { at: api.clock.now() - 86_400_000, advertiserId: offer.advertiser.id })
  await offer.set('100')
  expect(await send(offer)).toMatchObject({ status: 'accepted' })
  await offer.set('15')
  const before = mock.leads.length

  const sent = await send(offer)
  // it is paid for by somebody, not by the clock: nothing waits for it
  expect(sent).toMatchObject({ status: 'unsold', reason: 'nobody_fits' })
  expect(await tracesOf(sent.session_uuid)).toEqual(['credit_blocked'])
  expect((await affiliate.call(leadApi.sendBatch, { body: { leads: [leadOf(offer.uuid), leadOf(offer.uuid)] } })).status).toBe(200)
  const form = (await affiliate.call(leadFormApi.own, { params: { uuid: offer.uuid }, body: leadFormInput.parse({}) })).data
  const { offer_uuid: _offer, ip: _ip, ...person } = leadOf('')
  await fetch(`${api.url}${new URL(form.action).pathname}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(person) })
  api.clock.advance(10_000)
  const sender = openLeadSender(desk.parts())
  while ((await sender.tick()) > 0) await sender.idle()
  const rows = await api.db.selectFrom('user_session').select(['status', 'reason']).where('offer_id', '=', offer.id).orderBy('id').execute()
  expect(rows.map(({ status }) => status)).toEqual(['accepted', 'unsold', 'unsold', 'unsold', 'unsold'])
  expect(mock.leads).toHaveLength(before)

  await offer.set('100')
  expect(await send(offer)).toMatchObject({ status: 'accepted' })
  const { data } = await admin.call(userSessionApi.detail, { params: { uuid: sent.session_uuid } })
  expect(data.session.status).toBe('unsold')
})

test('one that pays in advance is asked for nothing before it has paid; the simulator, the offer and its affiliates are told', async () => {
  const { admin, affiliate, mock } = desk
  const offer = await offerOf('0')
  const before = mock.leads.length
  expect(await send(offer)).toMatchObject({ status: 'unsold', reason: 'nobody_fits' })
  expect(mock.leads).toHaveLength(before)
  const simulated = await admin.call(apiOfferApi.simulate, {
    params: { uuid: offer.uuid },
    body: { affiliate_uuid: affiliate.uuid, geo: 'IT' },
  })
  expect(simulated.data).toMatchObject({ members: [{ turn: 'passed_over', check: 'credit_blocked' }], kept_until: null })
  const { groups } = (await admin.call(apiOfferApi.get, { params: { uuid: offer.uuid } })).data
  expect(groups[0]?.members[0]?.hindered).toBe('credit_blocked')
  const { list } = (await admin.call(productHealthApi.list, { body: { product_uuid: [offer.product.uuid] } })).data
  expect(list).toMatchObject([{ state: 'credit_blocked', until: null }])
  const blocked = async () => (await admin.call(advertiserApi.get, { params: { uuid: offer.advertiser.uuid } })).data.credit_blocked
  expect(await blocked()).toBe(true)
  await offer.set('100')
  expect(await blocked()).toBe(false)
  await offer.set('0')
  const { countries } = (await affiliate.call(apiOfferApi.partner, { params: { uuid: offer.uuid } })).data
  expect(countries).toEqual([{ geo: '', required: expect.any(Array), state: 'paused', opens_at: null, remaining: 0, openings: [] }])
})

test('another product of the same offer is asked in its place', async () => {
  const { api, admin, mock } = desk
  const blocked = await offerOf('0')
  const other = await makeMockProduct(api.db, (await makeAdvertiser(api.db)).id, mock, api.clock.now())
  const both = await makeLeadOffer(api.db, admin, blocked.advertiser.uuid, [blocked.product, other])
  const sent = await send({ ...blocked, ...both })
  expect([sent.status, (await tracesOf(sent.session_uuid)).slice(0, 1)]).toEqual(['accepted', ['credit_blocked']])
})

test('a distribution is not started for it, and one that runs stands still', async () => {
  const { admin, listOf, start, work, live, mock } = desk
  const offer = await offerOf()
  const list = await listOf([{}, {}, {}])
  const { uuid } = await start([list.uuid, offer.uuid])
  await work(60)
  const { counts } = await live(uuid)
  expect(counts.accepted).toBeGreaterThan(0)
  await offer.set('0')
  const before = mock.leads.length
  await work(600, 20)
  expect(await live(uuid)).toMatchObject({ status: 'paused', pause_reason: 'targets_closed', counts: { accepted: counts.accepted } })
  expect(mock.leads).toHaveLength(before)

  const { data: draft } = await admin.call(recoldApi.create, { body: recoldForm((await listOf([{}])).uuid, offer.uuid) })
  expect((await admin.call(recoldApi.start, { params: { uuid: draft.uuid } })).fields).toHaveProperty('product_uuids')
  const { list: targets } = (await admin.call(recoldApi.targets, { body: { search: '' } as never })).data
  expect(targets.find((one) => one.uuid === offer.uuid)?.products.map(({ state }) => state)).toEqual(['credit_blocked'])
})
