import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { USUAL_INTEGRITY } from '#contract/leads/integrity.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { mintClickId } from '#server/rules/click/click-id.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { makeClick, makeClickKeys } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openLeadSender } from './send.jobs.ts'
import { sendLead } from './send-lead.service.ts'
import type { SendParts } from './send-parts.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const offerOf = async (
  count = 1,
  more: Parameters<typeof makeLeadOffer>[4] = {},
  terms: Parameters<typeof makeLeadOffer>[3][number]['terms'] = {},
) => {
  const products = []
  for (let at = 0; at < count; at++) products.push({ ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())), terms })
  return { ...(await makeLeadOffer(api.db, admin, advertiser.uuid, products, more)), products }
}
const send = (body: ReturnType<typeof leadOf>) => affiliate.call(leadApi.send, { body })
const sendsOf = (uuid: string) =>
  api.db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .selectAll('n')
    .where('s.uuid', '=', uuid)
    .orderBy('n.id')
    .execute()
const sessionOf = (uuid: string) => api.db.selectFrom('user_session').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()
const workerParts = (): SendParts => ({
  db: api.db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey: readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey,
  findClick: async () => null,
  underWay: new Map(),
})

test('a lead is taken, booked for its advertiser, and kept sealed; nothing of the advertiser is said', async () => {
  const offer = await offerOf()
  const body = leadOf(offer.uuid, { external_id: 'mine-1', sub1: 's1' })
  const { status, data } = await send(body)
  expect({ status, data }).toMatchObject({ status: 201, data: { status: 'accepted', external_id: 'mine-1' } })
  const conversion = await api.db.selectFrom('conversion').selectAll().where('click_id', '=', data.click_id).executeTakeFirstOrThrow()
  expect(conversion).toMatchObject({
    advertiser_id: advertiser.id,
    affiliate_id: affiliate.affiliateId,
    status: 'approved',
    geo: 'IT',
    aff_click_id: 'mine-1',
  })
  const detail = await affiliate.call(leadApi.detail, { params: { uuid: data.session_uuid } })
  const said = JSON.stringify([data, detail.data, (await affiliate.call(leadApi.list, {})).data])
  for (const secret of ['Zephyr', mock.key, mock.host, 'mock.example', 'M-1', body.email, '3933311']) expect(said).not.toContain(secret)
  const stored =
    JSON.stringify(await api.db.selectFrom('person').selectAll().execute()) + JSON.stringify(await sessionOf(data.session_uuid))
  for (const secret of [body.email, body.phone.slice(3), 'Rossi']) expect(stored).not.toContain(secret)
})

test('a rejection goes on to the next, 200 with an error is none that took it, and caps are given back', async () => {
  const offer = await offerOf(2, {}, { caps: [{ period: 'day', limit: 5 }] })
  for (const first_name of ['Reject', 'Denied']) {
    const { status, data } = await send(leadOf(offer.uuid, { first_name }))
    expect({ status, said: data.status }).toEqual({ status: 201, said: 'rejected' })
    expect((await sendsOf(data.session_uuid)).map((one) => one.status)).toEqual(['rejected', 'rejected'])
  }
  const used = await api.db
    .selectFrom('lead_counter')
    .select('used')
    .where(
      'owner',
      'in',
      offer.members.map((id) => `member ${id}`),
    )
    .execute()
  expect(used.map((one) => one.used)).toEqual([0, 0])
})

test('a spec that makes a text of a lead grow without end sends nothing: its product stops at once, by the name of the text, and the next is asked', async () => {
  const grows = `{{lead.first_name ${"| replace:'a','aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' ".repeat(20)}}}`
  const nodes = MOCK_SPEC.request.nodes.map((node) => (node.path === 'first_name' ? { ...node, value: grows } : node))
  const spec = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, nodes } }
  const products = [
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec),
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now()),
  ]
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products)
  const before = mock.leads.length
  const { data } = await send(leadOf(offer.uuid))
  expect(data.status).toBe('accepted')
  const [first, second] = await sendsOf(data.session_uuid)
  expect(first).toMatchObject({ status: 'error', reason: expect.stringContaining('first_name grows longer') })
  expect([second?.status, mock.leads.length]).toEqual(['accepted', before + 1])
  const stopped = await api.db
    .selectFrom('product')
    .select('blocked')
    .where('id', '=', products[0]?.id ?? 0)
    .executeTakeFirstOrThrow()
  expect(stopped.blocked).toBe(true)
})

test('a time-out is unclear: nobody else is asked, and it is never sent again', async () => {
  const offer = await offerOf(2)
  const { status, data } = await send(leadOf(offer.uuid, { first_name: 'Silent' }))
  expect({ status, said: data.status }).toEqual({ status: 202, said: 'ambiguous' })
  const { id } = await sessionOf(data.session_uuid)
  api.clock.advance(3_600_000)
  await sendLead(workerParts(), id)
  expect((await sendsOf(data.session_uuid)).map((one) => one.status)).toEqual(['ambiguous'])
})

test('the same lead twice is answered as the first time, another person under its id is refused', async () => {
  const offer = await offerOf()
  const body = leadOf(offer.uuid, { external_id: 'twice' })
  const before = mock.leads.length
  const both = await Promise.all([send(body), send(body)])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)[0]).toBe(200)
  expect(new Set(both.map(({ data }) => data.session_uuid)).size).toBe(1)
  expect((await send(leadOf(offer.uuid, { external_id: 'twice' }))).status).toBe(409)
  await expect.poll(() => mock.leads.length).toBe(before + 1)
  await api.db.updateTable('offer').set({ status: 'paused' }).where('id', '=', offer.id).execute()
  expect((await send(body)).data).toMatchObject({ status: 'accepted', session_uuid: both[0]?.data.session_uuid })
  expect((await send(leadOf(offer.uuid))).status).toBe(403)
})

test('a lead is of the click it names, which is its affiliate’s of its offer; any other is refused by name', async () => {
  const [offer, other] = [await offerOf(), await offerOf()]
  const keys = await loadClickKeys(api.db, api.clock.now())
  const mint = (offerId: number, affiliateId: number | null | undefined) =>
    mintClickId({ at: api.clock.now() - 1000, offerId, affiliateId: affiliateId ?? 0, random: 7 }, keys)
  const own = mint(offer.id, affiliate.affiliateId)
  const strange = ['their-own-id', mint(other.id, affiliate.affiliateId), mint(offer.id, (affiliate.affiliateId ?? 0) + 1)]
  for (const click_id of strange) {
    const body = leadOf(offer.uuid, { click_id })
    const refused = { status: 422, fields: { click_id: expect.stringContaining('no click of yours') } }
    expect(await send(body)).toMatchObject(refused)
    expect(await affiliate.call(leadApi.check, { body })).toMatchObject(refused)
  }
  expect((await send(leadOf(offer.uuid, { click_id: own.toUpperCase() }))).data).toMatchObject({ status: 'accepted', click_id: own })
  const again = await send(leadOf(offer.uuid, { click_id: own }))
  expect(again.data.status).toBe('accepted')
  expect(again.data.click_id).not.toBe(own)
})

test('a click that was not stored yet when its lead was sent is looked for again once they took it', async () => {
  const offer = await offerOf()
  const clickedAt = api.clock.now() - 1_000
  const key = { at: clickedAt, offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, random: 9 }
  const clickId = mintClickId(key, await loadClickKeys(api.db, clickedAt))
  const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads: [leadOf(offer.uuid, { click_id: clickId })] } })
  const stored = { ...makeClick(await makeClickKeys(api.db), key), id: clickId, test: false, affClickId: 'of the click' }
  const asked: number[] = []
  const findClick = (async () => (asked.push(0) === 1 ? null : stored)) as unknown as SendParts['findClick'] // what bookings read of one
  await sendLead({ ...workerParts(), findClick }, (await sessionOf(data.list[0]?.lead?.session_uuid ?? '')).id)
  const found = await api.db.selectFrom('conversion').select('aff_click_id').where('click_id', '=', clickId).executeTakeFirstOrThrow()
  expect([found.aff_click_id, asked.length]).toEqual(['of the click', 2])
})

test('two workers and the sender of a lead sell it once; a full cap takes no more', async () => {
  const offer = await offerOf(1, { wait_hours: 0 }, { caps: [{ period: 'total', limit: 3 }] })
  const before = mock.leads.length
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(leadOf(offer.uuid))))
  const [one, other] = [workerParts(), workerParts()]
  const ids = await Promise.all(answers.map(async ({ data }) => (await sessionOf(data.session_uuid)).id))
  await Promise.all(ids.flatMap((id) => [sendLead(one, id), sendLead(other, id)]))
  const states = await Promise.all(answers.map(async ({ data }) => (await sessionOf(data.session_uuid)).status))
  expect(states.filter((status) => status === 'accepted')).toHaveLength(3)
  expect(states.filter((status) => status === 'unsold')).toHaveLength(3)
  expect(mock.leads.length).toBe(before + 3)
})

test('a lead and its first send are written together before its call; where no send can be written the lead is kept all the same', async () => {
  const offer = await offerOf()
  const fails = sql`create function no_send() returns trigger language plpgsql as $$ begin raise exception 'no send today'; end $$;
    create trigger no_send before insert on lead_send for each row when (new.product_id = ${sql.lit(offer.products[0]?.id ?? 0)}) execute function no_send()`
  await fails.execute(api.db)
  const { status, data } = await send(leadOf(offer.uuid))
  expect({ status, said: data.status, sends: await sendsOf(data.session_uuid) }).toEqual({ status: 202, said: 'received', sends: [] })
  await sql`drop trigger no_send on lead_send; drop function no_send()`.execute(api.db)
  api.clock.advance(120_000)
  await sendLead(workerParts(), (await sessionOf(data.session_uuid)).id)
  expect((await sessionOf(data.session_uuid)).status).toBe('accepted')

  const slow = leadOf(offer.uuid, { first_name: 'Slow' })
  const before = mock.asked.length
  const sending = send(slow)
  await expect.poll(() => mock.asked.length).toBe(before + 1)
  const { rows } = await sql<{ status: string; send: string; together: boolean; traced: number }>`
    select s.status, n.status as send, s.xmin = n.xmin as together, jsonb_array_length(s.trace) as traced
      from user_session s join lead_send n on n.session_id = s.id order by s.id desc limit 1`.execute(api.db)
  expect(rows).toEqual([{ status: 'received', send: 'sending', together: true, traced: 1 }])
  expect((await sending).data.status).toBe('accepted')
  const [made] = await sendsOf((await sending).data.session_uuid)
  expect((await sessionOf((await sending).data.session_uuid)).trace).toMatchObject([{ send: made?.uuid }])
})

test('a send whose process died is unclear, whatever comes after', async () => {
  const offer = await offerOf(2)
  const { data } = await send(leadOf(offer.uuid, { first_name: 'Reject' }))
  const session = await sessionOf(data.session_uuid)
  const [first] = await sendsOf(data.session_uuid)
  await api.db
    .deleteFrom('lead_send')
    .where('session_id', '=', session.id)
    .where('id', '!=', first?.id ?? '')
    .execute()
  // as it stands between the reservation and the answer
  await api.db
    .updateTable('lead_send')
    .set({ status: 'sending', outcome: null, answered_at: null })
    .where('id', '=', first?.id ?? '')
    .execute()
  const until = new Date(api.clock.now() + 60_000)
  await api.db
    .updateTable('user_session')
    .set({ status: 'received', next_try_at: new Date(api.clock.now()), leased_until: until })
    .where('id', '=', session.id)
    .execute()
  const asked = mock.asked.length
  const sender = openLeadSender(workerParts())
  expect(await sender.tick()).toBe(0)
  api.clock.advance(120_000)
  await sender.tick()
  await sender.idle()
  expect(await sessionOf(data.session_uuid)).toMatchObject({ status: 'ambiguous', reason: 'stopped', next_try_at: null })
  expect((await sendsOf(data.session_uuid)).map((one) => one.status)).toEqual(['ambiguous'])
  expect(mock.asked.length).toBe(asked)
})

test('who has no room is asked again later, round after round', async () => {
  const offer = await offerOf(1)
  const { status, data } = await send(leadOf(offer.uuid, { first_name: 'Full' }))
  expect({ status, said: data.status }).toEqual({ status: 202, said: 'queued' })
  const sender = openLeadSender(workerParts())
  for (let round = 0; round < 6; round++) {
    api.clock.advance(7 * 3_600_000)
    await sender.tick()
    await sender.idle()
  }
  expect(await sessionOf(data.session_uuid)).toMatchObject({ status: 'unsold', reason: 'nobody_took_it' })
  expect(await sendsOf(data.session_uuid)).toHaveLength(6)
})

test('hostile texts are kept as texts, broken ones are refused', async () => {
  const offer = await offerOf()
  const odd = { sub1: '{{cred.api_key}}', source: "'); drop table person; --", comment: '<script>', funnel: '=1+1' }
  expect((await send(leadOf(offer.uuid, odd))).status).toBe(201)
  expect((await send(leadOf(offer.uuid, { sub1: '\ud800' }))).status).toBe(400)
})

test('what is missing or wrong is named, and an offer without access is closed', async () => {
  const offer = await offerOf()
  const { last_name: _last, ...without } = leadOf(offer.uuid, { phone: '12' })
  const { status, fields } = await send(without as ReturnType<typeof leadOf>)
  expect({ status, names: Object.keys(fields).toSorted() }).toEqual({ status: 422, names: ['last_name', 'phone'] })
  await api.db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', offer.id).execute()
  expect((await send(leadOf(offer.uuid))).status).toBe(403)
})

test('a person an advertiser had is not sold to it again, and a wrong account stops the product at once', async () => {
  const offer = await offerOf(1)
  const person = leadOf(offer.uuid)
  expect((await send(person)).data.status).toBe('accepted')
  expect((await send(person)).data).toMatchObject({ status: 'unsold', reason: 'nobody_fits' })
  const broken = await makeMockProduct(api.db, advertiser.id, { ...mock, key: 'wrong-key' }, api.clock.now(), MOCK_SPEC)
  const other = await makeLeadOffer(api.db, admin, advertiser.uuid, [broken])
  const { data } = await send(leadOf(other.uuid))
  expect(data.status).toBe('unsold')
  expect(await api.db.selectFrom('product').select('blocked').where('id', '=', broken.id).executeTakeFirst()).toEqual({ blocked: true })
})

test('a lead a wrong account was refused for waits where its offer keeps leads, and is sold once the account is mended', async () => {
  const broken = await makeMockProduct(api.db, advertiser.id, { ...mock, key: 'wrong-key' }, api.clock.now(), MOCK_SPEC)
  const keeping = await makeLeadOffer(api.db, admin, advertiser.uuid, [broken], { wait_hours: 24 })
  const { data } = await send(leadOf(keeping.uuid))
  expect(data.status).toBe('queued')
  const sender = openLeadSender(workerParts())
  const round = async () => {
    api.clock.advance(20 * 60_000)
    await sender.tick()
    await sender.idle()
    return (await sessionOf(data.session_uuid)).status
  }
  // it stays stopped: nobody is asked
  expect(await round()).toBe('queued')
  expect(await sendsOf(data.session_uuid)).toHaveLength(1)
  const good = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  const { credentials } = await api.db.selectFrom('product').select('credentials').where('id', '=', good.id).executeTakeFirstOrThrow()
  await api.db.updateTable('product').set({ credentials, blocked: false }).where('id', '=', broken.id).execute()
  expect(await round()).toBe('accepted')
})

test('where the person goes on is an address of ours that opens once, for half an hour', async () => {
  const offer = await offerOf()
  const [first, second] = [(await send(leadOf(offer.uuid))).data, (await send(leadOf(offer.uuid))).data]
  const open = (address: string | null) => fetch(`${api.url}${new URL(address ?? '').pathname}`, { redirect: 'manual' })
  const answers = await Promise.all([open(first.redirect_url), open(first.redirect_url)])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([302, 410])
  expect(answers.find(({ status }) => status === 302)?.headers.get('location')).toMatch(/^https:\/\/mock\.example\/login\/M-/)
  api.clock.advance(31 * 60_000)
  expect((await open(second.redirect_url)).status).toBe(410)
})

test('a batch answers each lead by itself; what it takes in a worker offers', async () => {
  const offer = await offerOf()
  const leads = [leadOf(offer.uuid, { external_id: 'b-1' }), leadOf(offer.uuid, { phone: '12' }), leadOf(crypto.randomUUID())]
  const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads } })
  expect(data.list.map(({ code }) => code)).toEqual([202, 422, 403])
  expect(data.list[1]?.fields).toHaveProperty('phone')
  api.clock.advance(10_000)
  const sender = openLeadSender(workerParts())
  await sender.tick()
  await sender.idle()
  expect((await sessionOf(data.list[0]?.lead?.session_uuid ?? '')).status).toBe('accepted')
})

test('leads of one batch meet each other as if they came one after the other', async () => {
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [], { repeat_days: null })
  const velocity = { action: 'hold', minutes: 60, per_ip: 3, per_device: null, per_affiliate: null } as const
  await api.db
    .updateTable('api_offer')
    .set({ integrity: JSON.stringify({ velocity }) })
    .where('offer_id', '=', offer.id)
    .execute()
  const here = (more: object) => leadOf(offer.uuid, { ip: '198.51.100.77', ...more })
  const first = here({ external_id: 'met-1' })
  const leads = [
    first,
    first,
    { ...first, external_id: 'met-2' },
    here({ external_id: 'met-1' }),
    here({ sub1: '\ud800' }),
    here({}),
    here({}),
  ]
  const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads } })
  const [made, again, , taken, broken] = data.list
  // the first, the same again, its person by another id, its id for another person, half a character
  expect(data.list.slice(0, 5).map(({ code }) => code)).toEqual([202, 200, 201, 409, 400])
  expect(again?.lead?.session_uuid).toBe(made?.lead?.session_uuid)
  expect(taken?.fields).toHaveProperty('external_id')
  expect(broken?.fields).toHaveProperty('sub1')
  expect(data.list.flatMap(({ lead }) => lead?.status ?? [])).toEqual(['received', 'received', 'duplicate', 'received', 'received'])
  const { data: late } = await affiliate.call(leadApi.sendBatch, { body: { leads: [here({}), here({})] } })
  expect(late.list.map(({ lead }) => lead?.status)).toEqual(['held', 'held'])
})

test('one telephone is one person to an advertiser, whatever the e-mail address beside it: in one offer, and in two at once', async () => {
  const never = { repeat_days: null }
  const own = await offerOf(1, never)
  const phone = '+393339990001'
  const before = mock.leads.length
  const answers = await Promise.all(Array.from({ length: 12 }, () => send({ ...leadOf(own.uuid), phone })))
  expect(answers.map(({ data }) => data.status).toSorted()).toEqual(['accepted', ...Array<string>(11).fill('duplicate')])
  // offers that take anybody again, of an advertiser that does not
  const product = own.products[0] ?? expect.fail('no product')
  const [first, second] = [
    await makeLeadOffer(api.db, admin, advertiser.uuid, [product]),
    await makeLeadOffer(api.db, admin, advertiser.uuid, [product]),
  ]
  // the look for people who come again takes them one by one as well, where an offer has it
  const unchecked = JSON.stringify({ ...USUAL_INTEGRITY, duplicate: { ...USUAL_INTEGRITY.duplicate, action: 'off' } })
  await api.db.updateTable('api_offer').set({ integrity: unchecked }).where('offer_id', 'in', [first.id, second.id]).execute()
  const [email, other] = ['once.only@mail.example', '+393339990002']
  const again = [
    ...[first, second, first, second].map(({ uuid }) => ({ ...leadOf(uuid), phone: other })),
    { ...leadOf(first.uuid), email },
    { ...leadOf(second.uuid), email },
  ]
  const sold = await Promise.all(again.map(send))
  expect(sold.map(({ data }) => data.status).toSorted()).toEqual(['accepted', 'accepted', ...Array<string>(4).fill('unsold')])
  expect(mock.leads.length - before).toBe(3)
})

test('after its rest a product that failed is tried by one lead; another waits for what becomes of it', async () => {
  const offer = await offerOf()
  const product = offer.products[0]?.id ?? 0
  const rested = { failures: 10, rests_until: new Date(api.clock.now() - 1000) }
  await api.db.updateTable('product').set(rested).where('id', '=', product).execute()
  const before = mock.leads.length
  const trying = send(leadOf(offer.uuid, { first_name: 'Silent' }))
  const underWay = () => api.db.selectFrom('lead_send').select('status').where('product_id', '=', product).execute()
  await expect.poll(underWay, { interval: 10 }).toEqual([{ status: 'sending' }])
  const waits = await send(leadOf(offer.uuid))
  expect([waits.data.status, mock.leads.length, (await underWay()).length]).toEqual(['queued', before, 1])
  await trying
})
