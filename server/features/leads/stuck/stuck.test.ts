import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { stuckApi } from '#contract/leads/stuck.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { holdLock, untilWaiting } from '#test/support/run/locks.ts'
import { askProduct } from '../status/ask-product.service.ts'
import { pullStatuses } from '../status/pull.jobs.ts'
import { getPullEndpoint } from '../status/status.queries.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { forgetStuck } from './stuck.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
const DAY = 86_400_000
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string }
let product: { id: number; uuid: string }
let path = ''
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const advertiser = await makeAdvertiser(api.db)
  const statuses = { ...MOCK_SPEC.statuses, deposit: 'sale' as const, fraud: 'spam_fraud' as const }
  const pull = MOCK_SPEC.pull && { ...MOCK_SPEC.pull, deposits: ['payments'], transaction: ['tx'] }
  product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), { ...MOCK_SPEC, statuses, pull })
  const prices = [
    { goal: 'ftd', geos: [], price: '300', payout: '200' },
    { goal: 'redeposit', geos: [], price: '40', payout: '25' },
  ]
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms: { prices } }], { redeposit: true })
  path = pushPath(secretKey, product.uuid)
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async () => {
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
  expect(data.status).toBe('accepted')
  return { ...data, theirs: mock.leads.at(-1)?.externalId ?? '' }
}
const push = async (query: Record<string, string>) => (await fetch(`${api.url}${path}?${new URLSearchParams(query).toString()}`)).status
const stuck = async (search: string, state: ('open' | 'settled' | 'dismissed')[] = ['open']) =>
  (await admin.call(stuckApi.list, { body: { search, state } })).data.list
const one = async (search: string, state?: ('open' | 'settled' | 'dismissed')[]) =>
  (await stuck(search, state))[0] ?? expect.fail(`${search} is not there`)
const replay = (uuid: string, body: object = {}) => admin.call(stuckApi.replay, { params: { uuid }, body })
const booked = async (clickId: string) => {
  const rows = await api.db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['g.code', 'c.status', 'c.payout', 'c.amount'])
    .where('c.click_id', '=', clickId)
    .where('g.code', '!=', 'registration')
    .orderBy('c.id')
    .execute()
  return rows.map(
    ({ code, status, payout, amount }) => `${code} ${status} ${Number(payout)}${amount === null ? '' : ` of ${Number(amount)}`}`,
  )
}
const leadStatus = async (uuid: string) => (await affiliate.call(leadApi.detail, { params: { uuid } })).data.status

test('a call that names no lead of theirs is kept once without the person, and is the lead’s a person says, once, whoever presses and however often it is told', async () => {
  const lead = await send()
  const call = {
    lead_id: 'T-404',
    status: 'FTD',
    email: 'anna@mail.example',
    phone: '+393331112233',
    note: 'ring anna@mail.example',
    affsub: 'x',
  }
  for (const _ of [1, 2]) expect(await push(call)).toBe(404)
  const kept = await one('T-404')
  expect(kept).toMatchObject({ kind: 'push', reason: 'lead_unknown', raw: 'FTD', seen: 2, lead: null, product: { id: product.id } })
  const { params } = (await admin.call(stuckApi.detail, { params: { uuid: kept.uuid } })).data
  expect(params).toEqual(expect.arrayContaining([{ name: 'affsub', value: 'x' }]))
  expect(params).toEqual(expect.arrayContaining([{ name: 'email', value: '•••' }]))
  const stored = JSON.stringify(await api.db.selectFrom('stuck_status').selectAll().execute())
  for (const secret of ['anna@', '33311122']) expect(stored).not.toContain(secret)
  expect(await replay(kept.uuid)).toMatchObject({ status: 422, fields: { lead: expect.any(String) } })
  expect(await replay(kept.uuid, { lead: 'nobody' })).toMatchObject({ status: 422 })
  const both = await Promise.all([
    replay(kept.uuid, { lead: lead.session_uuid, note: 'by phone' }),
    replay(kept.uuid, { lead: lead.theirs }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(both.map(({ data }) => data.changed).toSorted()).toEqual([0, 1])
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200'])
  expect(await leadStatus(lead.session_uuid)).toBe('converted')
  expect(await push(call)).toBe(200)
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200'])
  expect(await one('T-404', ['settled'])).toMatchObject({ seen: 3, by: expect.any(String), lead: { uuid: lead.session_uuid } })
  expect(await stuck('T-404')).toEqual([])
})

test('calls without lead or status wait for a person, a lead that comes later settles them by itself, and what is dismissed stays so', async () => {
  expect(await push({ status: 'FTD', uid: 'U-1' })).toBe(422)
  expect(await push({ lead_id: 'M-none' })).toBe(422)
  const bare = await one('M-none')
  const unnamed = (await stuck('')).find(({ reason }) => reason === 'lead_missing') ?? expect.fail('not kept')
  expect(bare.reason).toBe('status_missing')
  const lead = await send()
  expect(await replay(bare.uuid, { lead: lead.theirs })).toMatchObject({ status: 422, fields: { status: 'Required' } })
  expect((await replay(bare.uuid, { lead: lead.theirs, status: 'No answer' })).data).toEqual({ changed: 1, outcome: 'applied' })
  expect((await affiliate.call(leadApi.detail, { params: { uuid: lead.session_uuid } })).data.call_status).toBe('no_answer')
  const dismiss = () => admin.call(stuckApi.dismiss, { params: { uuid: unnamed.uuid }, body: { note: 'another network’s' } })
  expect([(await dismiss()).data, (await dismiss()).data]).toEqual([{ changed: 1 }, { changed: 0 }])
  expect((await replay(unnamed.uuid, { lead: lead.theirs })).status).toBe(409)
  expect(await push({ status: 'FTD', uid: 'U-1' })).toBe(422)
  expect(await stuck('', ['open'])).toEqual([])
  // told before its acceptance was known, and again after that
  const early = { lead_id: 'Early-1', status: 'No answer' }
  expect(await push(early)).toBe(404)
  const later = await send()
  await api.db
    .updateTable('lead_send')
    .set({ external_id: 'Early-1' })
    .where(sql<boolean>`uuid::text = ${later.theirs}`)
    .execute()
  expect(await push(early)).toBe(200)
  expect(await one('Early-1', ['settled'])).toMatchObject({ outcome: 'told_again', by: null })
})

test('what could not be booked waits with the reason, and is booked once the reason is gone', async () => {
  const lead = await send()
  // in a currency nobody has a rate of, found by asking, where nobody is told to say it again
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'FTD', deposit: '250 PLN' })
  api.clock.advance(3_600_000)
  const allow = [mock.host.slice('http://'.length)]
  await pullStatuses({ db: api.db, clock: api.clock, policy: { allow }, secretKey, findClick: async () => null })
  expect(await booked(lead.click_id)).toEqual([])
  const waiting = (await stuck('')).find(({ kind }) => kind === 'booking') ?? expect.fail('not kept')
  expect(waiting).toMatchObject({
    reason: 'rate_missing',
    goal: 'paid',
    status: 'approved',
    amount: '250 PLN',
    lead: { uuid: lead.session_uuid },
  })
  expect(await replay(waiting.uuid)).toMatchObject({ status: 422, errors: { 1191: expect.stringContaining('rate_missing') } })
  await makeRates(api.db, { PLN: '0.25' })
  const both = await Promise.all([replay(waiting.uuid), replay(waiting.uuid)])
  expect(both.map(({ data }) => data.changed).toSorted()).toEqual([0, 1])
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200 of 62.5'])
})

test('a second deposit is a redeposit, once for each transaction of the advertiser, and never a second first one', async () => {
  const lead = await send()
  const say = (transaction_id: string, status = 'FTD', amount = '') =>
    push({ lead_id: lead.theirs, status, ...(transaction_id !== '' && { transaction_id }), ...(amount !== '' && { amount }) })
  expect(await say('A-1', 'FTD', '250')).toBe(200)
  for (const _ of [1, 2]) expect(await say('B-2', 'deposit', '80')).toBe(200)
  expect(await Promise.all([say('C-3', 'deposit', '90'), say('C-3', 'deposit', '90'), say('A-1', 'FTD', '250')])).toEqual([200, 200, 200])
  const paid = ['ftd approved 200 of 250', 'redeposit approved 25 of 80', 'redeposit approved 25 of 90']
  expect(await booked(lead.click_id)).toEqual(paid)
  // without a name it is the first told anew
  expect(await say('', 'deposit', '250')).toBe(200)
  expect(await booked(lead.click_id)).toEqual(paid)
  // one name is one lead's
  const other = await send()
  expect(await push({ lead_id: other.theirs, status: 'FTD', transaction_id: 'B-2' })).toBe(409)
  expect(await booked(other.click_id)).toEqual([])
  expect(await one('B-2')).toMatchObject({ reason: 'deposit_taken', lead: { uuid: other.session_uuid } })
  // one goes back, and the others stay
  expect(await say('B-2', 'returned')).toBe(200)
  expect(await booked(lead.click_id)).toEqual([paid[0], 'redeposit declined 25 of 80', paid[2]])
  expect(await leadStatus(lead.session_uuid)).toBe('converted')
})

test('of two leads that are told of by one name at once one has the deposit', async () => {
  const leads = [await send(), await send()]
  const letGo = await holdLock(api.db, (trx) => sql`lock table conversion in exclusive mode`.execute(trx))
  const told = leads.map(({ theirs }) => push({ lead_id: theirs, status: 'FTD', amount: '90', transaction_id: 'At-once' }))
  await untilWaiting(api.db, 2)
  await letGo()
  expect((await Promise.all(told)).toSorted()).toEqual([200, 409])
  const all = await Promise.all(leads.map(({ click_id }) => booked(click_id)))
  expect(all.flat()).toEqual(['ftd approved 200 of 90'])
})

test('where a name and an amount tell nothing of which deposit it is a person says it', async () => {
  const lead = await send()
  expect(await push({ lead_id: lead.theirs, status: 'FTD', amount: '250' })).toBe(200)
  expect(await push({ lead_id: lead.theirs, status: 'deposit', amount: '400', transaction_id: 'D-1' })).toBe(422)
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200 of 250'])
  const unclear = await one('D-1')
  expect(unclear.reason).toBe('deposit_unclear')
  expect((await replay(unclear.uuid)).status).toBe(422)
  expect((await replay(unclear.uuid, { deposit: 'again' })).data).toEqual({ changed: 1, outcome: 'applied' })
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200 of 250', 'redeposit approved 25 of 400'])
})

test('deposits a list names of a lead are booked once each, by two who read it at once too, and those without names wait for a person', async () => {
  const lead = await send()
  const [first, again] = [
    { id: 'P-1', tx: 'L-1', ftd_amount: '250' },
    { id: 'P-2', tx: 'L-2', ftd_amount: '80' },
  ]
  const listed = mock.leads.at(-1) ?? expect.fail('not there')
  const allow = [mock.host.slice('http://'.length)]
  const pull = async (payments: typeof listed.payments, status = 'FTD') => {
    Object.assign(listed, { status, payments })
    api.clock.advance(3_600_000)
    const parts = { db: api.db, clock: api.clock, policy: { allow }, secretKey, findClick: async () => null }
    const found = {
      product: await getPullEndpoint(api.db, product.id),
      open: [{ uuid: '', external_id: null, asked_at: new Date(api.clock.now()), id: null }],
    }
    const endpoint = found.product ?? expect.fail('not asked')
    await Promise.all([1, 2].map(() => askProduct(parts, product.id, endpoint, found.open)))
  }
  await pull([first])
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200 of 250'])
  await pull([first, again])
  await pull([again, first])
  expect(await booked(lead.click_id)).toEqual(['ftd approved 200 of 250', 'redeposit approved 25 of 80'])
  // a third without a name books nothing, however often it is read, and is there for a person
  await pull([first, again, { id: 'P-3', ftd_amount: '60' }])
  await pull([first, again, { id: 'P-3', ftd_amount: '60' }])
  expect(await booked(lead.click_id)).toHaveLength(2)
  const unnamed = (await stuck(listed.id)).filter(({ amount }) => amount === '60')
  expect(unnamed).toMatchObject([{ reason: 'deposit_unclear', seen: 1, lead: { uuid: lead.session_uuid } }])
  // nor does it for a person who does not say which it is; each of those who look the same is one of its own
  const [stuckOne] = unnamed
  expect((await replay(stuckOne?.uuid ?? '')).errors).toMatchObject({ 1191: expect.stringContaining('deposit_unclear') })
  // an open word beside a payment says nothing of money: the payment does
  await pull([first, again, { id: 'P-4', ftd_amount: '70' }, { id: 'P-5', ftd_amount: '70' }], 'Active')
  const alike = (await stuck(listed.id)).filter(({ amount }) => amount === '70')
  expect(alike).toMatchObject([{ seen: 1 }, { seen: 1 }])
  for (const { uuid } of [...unnamed, ...alike])
    expect((await replay(uuid, { deposit: 'again' })).data).toEqual({ changed: 1, outcome: 'applied' })
  const paid = ['250', '80', '60', '70', '70'].map((sum, at) =>
    at === 0 ? `ftd approved 200 of ${sum}` : `redeposit approved 25 of ${sum}`,
  )
  expect(await booked(lead.click_id)).toEqual(paid)
  await pull([first, again, { id: 'P-4', ftd_amount: '70' }, { id: 'P-5', ftd_amount: '70' }], 'Active')
  expect([await booked(lead.click_id), await stuck(listed.id)]).toEqual([paid, []])
  // a name that two of them have is none
  const shared = ['90', '95'].map((sum) => ({ id: `P-${sum}`, tx: 'L-9', ftd_amount: sum }))
  await pull([first, again, ...shared])
  for (const { uuid } of await stuck(listed.id)) expect((await replay(uuid, { deposit: 'again' })).data.changed).toBe(1)
  expect(await booked(lead.click_id)).toEqual([...paid, 'redeposit approved 25 of 90', 'redeposit approved 25 of 95'])
  // nor does it come up anew while the list tells of it, however long ago it was settled
  const tell = () => pull([first, again, { id: 'P-4', ftd_amount: '70' }, { id: 'P-5', ftd_amount: '70' }], 'Active')
  api.clock.advance(1.1 * DAY)
  await tell()
  await forgetStuck(api.db, api.clock.now() + 29.5 * DAY)
  await tell()
  expect(await stuck(listed.id)).toEqual([])
  // and a name another lead has is told of too
  const other = await send()
  const thief = mock.leads.at(-1) ?? expect.fail('not there')
  Object.assign(thief, { status: 'FTD', payments: [again] })
  await pull([first, again])
  expect(await booked(other.click_id)).toEqual([])
  expect(await stuck(thief.id)).toMatchObject([{ reason: 'deposit_taken', seen: 1 }])
})

test('fraud after a deposit takes all deposits back and ends the lead; told as paid and fraud at once a person decides', async () => {
  const lead = await send()
  const say = (status: string, more = {}) => push({ lead_id: lead.theirs, status, ...more })
  expect(await say('FTD', { transaction_id: 'F-1', amount: '250' })).toBe(200)
  expect(await say('FTD', { transaction_id: 'F-2', amount: '50' })).toBe(200)
  expect(await say('fraud')).toBe(200)
  expect(await booked(lead.click_id)).toEqual(['ftd declined 200 of 250', 'redeposit declined 25 of 50'])
  expect(await leadStatus(lead.session_uuid)).toBe('closed')
  const doubted = await send()
  Object.assign(mock.leads.at(-1) ?? {}, { status: 'Fraud', deposit: '250' })
  api.clock.advance(3_600_000)
  const allow = [mock.host.slice('http://'.length)]
  const pull = () => pullStatuses({ db: api.db, clock: api.clock, policy: { allow }, secretKey, findClick: async () => null })
  await pull()
  expect(await booked(doubted.click_id)).toEqual(['ftd approved 200 of 250'])
  const asked = (await stuck('')).find(({ reason }) => reason === 'deposit_and_fraud') ?? expect.fail('not kept')
  const pressed = await Promise.all([replay(asked.uuid), replay(asked.uuid)])
  expect(pressed.map(({ data }) => data.changed).toSorted()).toEqual([0, 1])
  expect(await leadStatus(doubted.session_uuid)).toBe('closed')
  expect(await booked(doubted.click_id)).toEqual(['ftd declined 200 of 250'])
  api.clock.advance(3_600_000)
  await pull()
  expect(await booked(doubted.click_id)).toEqual(['ftd declined 200 of 250'])
})

test('calls beyond the most of a product are only counted, and what is old goes', async () => {
  await api.db.deleteFrom('stuck_status').execute()
  const now = api.clock.now()
  const rows = Array.from({ length: 2_000 }, (_, at) => ({
    product_id: product.id,
    kind: 'push' as const,
    reason: 'lead_unknown',
    digest: Buffer.from(`n${at}`),
    first_seen_at: new Date(now),
    last_seen_at: new Date(now),
  }))
  await api.db.insertInto('stuck_status').values(rows).execute()
  for (const lead_id of ['O-1', 'O-2']) expect(await push({ lead_id, status: 'FTD' })).toBe(404)
  expect(await stuck('O-1')).toEqual([])
  const over = await api.db.selectFrom('stuck_status').select(['seen', 'reason']).where('reason', '=', 'too_many').execute()
  expect(over).toEqual([{ seen: 2, reason: 'too_many' }])
  expect(await forgetStuck(api.db, now + 89 * DAY)).toBe(0)
  expect(await forgetStuck(api.db, now + 91 * DAY)).toBe(2_001)
})

test('managers see what is stuck at their own advertisers alone', async () => {
  expect(await push({ lead_id: 'Scope-1', status: 'FTD' })).toBe(404)
  const { uuid } = await one('Scope-1')
  const manager = await api.as('manager')
  expect((await manager.call(stuckApi.list, { body: { search: 'Scope-1' } })).data.list).toEqual([])
  expect((await manager.call(stuckApi.dismiss, { params: { uuid }, body: { note: 'x' } })).status).toBe(404)
  // and so the inbox of each counts and shows it
  const waiting = async (who: Caller) => (await who.call(inboxApi.counts)).data.stuck
  const before = await waiting(admin)
  expect([before > 0, await waiting(manager), await waiting(await api.as('team lead'))]).toEqual([true, 0, 0])
  const { rows, list } = (await admin.call(inboxApi.list, { body: { kind: 'stuck', count: 50 } })).data
  expect(rows).toBe(before)
  expect(list.find(({ id }) => id === uuid)).toMatchObject({
    reason: 'lead_unknown',
    text: expect.stringMatching(/ · Scope-1 · FTD$/),
    advertiser: { uuid: expect.any(String) },
  })
  expect((await admin.call(stuckApi.dismiss, { params: { uuid }, body: { note: 'nobody of ours' } })).data).toEqual({ changed: 1 })
  expect(await waiting(admin)).toBe(before - 1)
  expect((await affiliate.call(stuckApi.list, { body: {} })).status).toBe(403)
})
