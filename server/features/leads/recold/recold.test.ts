import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { coldConsentSetting } from '#contract/leads/cold-consent.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { lockRecold } from '#server/features/leads/cold-rule/run.queries.ts'
import { runLeadListImports } from '#server/features/leads/lead-list-import/lead-list-import.jobs.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { makeLeadList, makeUnsold, recoldForm } from '#test/support/make/cold.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import type { Caller } from '#test/support/run/api.ts'
import { startColdDesk, type ColdDesk } from '#test/support/run/cold-desk.ts'
import { openRecoldWorker } from './recold.jobs.ts'
import { gatherCounts } from './recold.queries.ts'
import { lockActive, takeRecold } from './run.queries.ts'

let desk: ColdDesk
let api: ColdDesk['api']
let mock: ColdDesk['mock']
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
let nobody: { uuid: string }
let parts: ColdDesk['parts']
let offerOf: ColdDesk['offerOf']
let listOf: ColdDesk['listOf']
let start: ColdDesk['start']
let live: ColdDesk['live']
let items: ColdDesk['items']
let work: ColdDesk['work']
beforeAll(async () => {
  desk = await startColdDesk()
  ;({ api, mock, admin, affiliate, advertiser, nobody, parts, offerOf, listOf, start, live, items, work } = desk)
})
beforeEach(async () => {
  await api.db.updateTable('recold').set({ status: 'done' }).where('status', '=', 'active').execute()
})
afterAll(() => desk.close())

test('a list is sent one after the other, each person once, and ends by itself; the network is paid and pays nobody', async () => {
  const offer = await offerOf()
  const list = await listOf(Array.from({ length: 4 }, (_, at) => ({ first_name: at === 3 ? 'Reject' : 'Anna', sub1: 'from-before' })))
  const body = recoldForm(list.uuid, offer.uuid)
  const { data: preview } = await admin.call(recoldApi.preview, { body })
  expect(preview.skipped).toEqual({})
  expect(preview).toMatchObject({ matched: 4, sendable: 4, skipped: {}, geos: [{ country: 'IT', people: 4 }], left: 0, warnings: [] })
  expect(preview.capacity).toEqual(Array.from({ length: 7 }, () => 1440))
  expect(preview.first).toHaveLength(4)
  const before = api.clock.now()
  const { uuid } = await start([list.uuid, offer.uuid])
  await work(400)
  const now = await live(uuid)
  expect(now).toMatchObject({ status: 'done', counts: { accepted: 3, rejected: 1, pending: 0 }, next_send_at: null })
  expect(now.forecast.reduce((sum, { slots }) => sum + slots, 0)).toBe(4)
  expect(now.sent.reduce((sum, { slots }) => sum + slots, 0)).toBe(4)
  const sent = await api.db
    .selectFrom('recold_item')
    .select('sent_at')
    .where('sent_at', '>=', new Date(before))
    .orderBy('sent_at')
    .execute()
  const gaps = sent.slice(1).map(({ sent_at }, at) => (sent_at?.getTime() ?? 0) - (sent[at]?.sent_at?.getTime() ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(60_000)
  const sessions = await api.db
    .selectFrom('user_session as s')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .select(['s.origin', 's.traffic_type', 's.told', 'f.house', 's.uuid'])
    .where('s.recold_id', 'is not', null)
    .execute()
  expect(sessions).toHaveLength(4)
  for (const one of sessions)
    expect(one).toMatchObject({
      origin: 'cold',
      traffic_type: 'cold',
      house: true,
      told: { subs: expect.arrayContaining(['from-before']) },
    })
  // an acceptance brings nothing here; a deposit is paid for by the advertiser, and nobody is paid
  const { rows } = await sql<{
    payout: string
  }>`select c.payout from conversion c join user_session s on s.click_id = c.click_id where s.recold_id is not null`.execute(api.db)
  expect(rows.map(({ payout }) => Number(payout))).toEqual([0, 0, 0])
  // the affiliate who brought them sees the first leads and none of these
  const seen = (await affiliate.call(userSessionApi.list, { body: { origin: ['cold'] } as never })).data
  expect(seen.list).toEqual([])
  expect(JSON.stringify(await items(uuid))).not.toMatch(/anna\.\d+@|\+393/)
})

test('each reason of the policy passes somebody over, at the moment they would be sent; a person erased in the middle is not sent', async () => {
  const offer = await offerOf({ geos: ['IT', 'DE', 'US'] })
  const names = [
    'erased',
    'restricted',
    'test',
    'suppressed',
    'no_consent',
    'old_consent',
    'open',
    'converted',
    'call_status',
    'same_advertiser',
    'cool_down',
    'most_sends',
    'age',
    'target',
    'data',
    'removed',
    'sent',
  ]
  const consent = { given_at: '2026-11-01T00:00:00.000Z', recipients: ['second brokers'] }
  const list = await listOf(
    names.map((name) => ({
      consent: name === 'no_consent' ? undefined : { ...consent, ...(name === 'old_consent' && { given_at: '2024-01-01T00:00:00.000Z' }) },
      country: name === 'target' ? 'FR' : name === 'data' ? 'DE' : 'IT',
    })),
  )
  const of = (name: string) => list.sessions[names.indexOf(name)] ?? { id: '0', person_id: '0' }
  const other = await makeAdvertiser(api.db)
  const sold = await makeMockProduct(api.db, other.id, mock, api.clock.now())
  const send = async (name: string, product_id: number, advertiser_id: number, status: string, daysAgo: number) => {
    const { version_id } = await api.db.selectFrom('product').select('version_id').where('id', '=', product_id).executeTakeFirstOrThrow()
    const { id, person_id } = of(name)
    const asked_at = new Date(api.clock.now() - daysAgo * 86_400_000)
    await api.db
      .insertInto('lead_send')
      .values({
        session_id: id,
        person_id,
        product_id,
        advertiser_id,
        version_id: version_id ?? 0,
        attempt: 1,
        status: status as 'rejected',
        asked_at,
      })
      .execute()
  }
  // one that refused them is not asked again either
  await send('same_advertiser', offer.products[0]?.id ?? 0, advertiser.id, 'rejected', 90)
  await send('cool_down', sold.id, other.id, 'rejected', 3)
  await send('sent', sold.id, other.id, 'rejected', 8)
  const at = new Date(api.clock.now())
  // still on its way to its first sale
  await api.db.updateTable('user_session').set({ status: 'queued' }).where('id', '=', of('open').id).execute()
  await api.db.updateTable('user_session').set({ status: 'converted' }).where('id', '=', of('converted').id).execute()
  await api.db.updateTable('user_session').set({ call_status: 'do_not_call' }).where('id', '=', of('call_status').id).execute()
  await api.db
    .updateTable('user_session')
    .set({ received_at: new Date('2020-01-01T00:00:00Z') })
    .where('id', '=', of('age').id)
    .execute()
  // three cold sales there were
  for (let made = 0; made < 3; made++)
    await sql`insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, traffic_type, status, draw, received_at, changed_at)
      select person_id, affiliate_id, offer_id, gen_random_uuid()::text, 'cold', 'cold', 'unsold', 0, received_at, changed_at from user_session where id = ${of('most_sends').id}`.execute(
      api.db,
    )
  const gates = (await admin.call(coldConsentSetting.read)).data
  await admin.call(coldConsentSetting.update, {
    body: { eea: 'block', uk: 'block', ch: 'block', elsewhere: 'warn', version: gates.version },
  })
  const skip = { consent_days: 365, cool_down_days: 7, most_sends: 3, age_max_days: 1000 }
  const { uuid } = await start([list.uuid, offer.uuid, { skip, data: { geos: ['IT', 'FR'] } }])
  const before = (await live(uuid)).waiting
  expect(before).toBe(names.length)
  // planned by now: all that comes after is seen when they would be sent
  const worker = openRecoldWorker(parts())
  const late = ['erased', 'restricted', 'test', 'suppressed', 'removed'] as const
  await worker.plan()
  for (const [name, column] of [
    ['erased', 'erased_at'],
    ['restricted', 'restricted_at'],
    ['suppressed', 'suppressed_at'],
  ] as const)
    await api.db
      .updateTable('person')
      .set({ [column]: at })
      .where('id', '=', of(name).person_id)
      .execute()
  await api.db.updateTable('person').set({ test: true }).where('id', '=', of('test').person_id).execute()
  await api.db
    .updateTable('lead_list_item')
    .set({ removed_at: at })
    .where('id', '=', list.items[names.indexOf('removed')] ?? '')
    .execute()
  expect((await live(uuid)).counts.scheduled).toBe(late.length + 1)
  await work(600)
  const found = await api.db
    .selectFrom('recold_item as i')
    .innerJoin('recold as r', 'r.id', 'i.recold_id')
    .select(['i.person_id', 'i.status', 'i.skip_reason'])
    .where('r.uuid', '=', uuid)
    .execute()
  const said = names.map((name) => {
    const one = found.find(({ person_id }) => person_id === of(name).person_id)
    return one?.status === 'skipped' ? one.skip_reason : one?.status
  })
  expect(said).toEqual([...names.slice(0, -1), 'accepted'])
  expect((await live(uuid)).skipped).toEqual(Object.fromEntries(names.slice(0, -1).map((name) => [name, 1])))
  await admin.call(coldConsentSetting.update, { body: { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off', version: gates.version + 1 } })
})

test('paused nobody is sent; resumed those passed over for a limit of their country wait again, and nothing is made up for', async () => {
  const offer = await offerOf()
  const list = await listOf(Array.from({ length: 5 }, () => ({})))
  const { uuid } = await start([list.uuid, offer.uuid, { pacing: { per_geo: { IT: 2 } } }])
  await work(200)
  expect(await live(uuid)).toMatchObject({ status: 'done', counts: { accepted: 2, skipped: 3 }, skipped: { geo_cap: 3 } })
  const again = await listOf(Array.from({ length: 5 }, () => ({})))
  const second = await start([again.uuid, offer.uuid, { pacing: { per_geo: { IT: 2 }, total: 4 } }])
  await work(60)
  const paused = (await admin.call(recoldApi.pause, { params: { uuid: second.uuid } })).data
  expect(paused).toMatchObject({ status: 'paused', pause_reason: 'by_hand', counts: { accepted: 2, skipped: 3, pending: 0 } })
  await work(600)
  expect((await live(second.uuid)).counts).toMatchObject({ accepted: 2, skipped: 3 })
  const changed = await admin.call(recoldApi.update, {
    params: { uuid: second.uuid },
    body: { ...recoldForm(again.uuid, offer.uuid, { pacing: { per_geo: { IT: 4 }, total: 4 } }), version: paused.version },
  })
  expect(changed.data.counts).toMatchObject({ skipped: 3 })
  await admin.call(recoldApi.resume, { params: { uuid: second.uuid }, body: { caps: 'continue' } })
  // the plan knows whom it sent, and how far the limits are used
  expect((await live(second.uuid)).planned_end).toBe(new Date(api.clock.now() + 60_000).toISOString())
  await work(180)
  // two more until the limit of all is reached: it stands still and says so
  const full = await live(second.uuid)
  expect(full).toMatchObject({ status: 'done', counts: { accepted: 4, skipped: 1 } })
})

test('a limit of all stops it with the reason; counted from now it goes on; ending cancels who still waits', async () => {
  const offer = await offerOf()
  const list = await listOf(Array.from({ length: 4 }, () => ({})))
  const { uuid } = await start([list.uuid, offer.uuid, { pacing: { total: 1 } }])
  await work(120)
  expect(await live(uuid)).toMatchObject({ status: 'paused', pause_reason: 'total', counts: { accepted: 1, pending: 3 } })
  // what is paid for whoever was sent is not changed afterwards
  const { version } = (await admin.call(recoldApi.get, { params: { uuid } })).data
  const paying = { ...recoldForm(list.uuid, offer.uuid, { payout: 'original', pacing: { total: 1 } }), version }
  expect((await admin.call(recoldApi.update, { params: { uuid }, body: paying })).fields).toEqual({
    payout: 'People were sent on these terms: make another distribution',
  })
  await admin.call(recoldApi.resume, { params: { uuid }, body: { caps: 'from_now' } })
  await work(120)
  expect(await live(uuid)).toMatchObject({ status: 'paused', pause_reason: 'total', counts: { accepted: 2, pending: 2 } })
  const [waiting] = (await admin.call(recoldApi.items, { params: { uuid }, body: { status: ['pending'] } as never })).data.list
  expect(
    (await admin.call(recoldApi.decide, { params: { uuid }, body: { uuids: [waiting?.uuid ?? ''], action: 'skip' } })).data.changed,
  ).toBe(1)
  // another list takes one who waits and one who was sent: here nobody is sent twice for it, nor a second time by asking again
  const oneOf = async (status: string) =>
    (await admin.call(recoldApi.items, { params: { uuid }, body: { status: [status] } as never })).data.list[0]?.uuid ?? ''
  const uuids = [await oneOf('pending'), await oneOf('accepted')]
  const other = await listOf([])
  const move = { params: { uuid }, body: { uuids, to_uuid: other.uuid } }
  expect((await admin.call(recoldApi.move, move)).data).toEqual({ moved: 2, there: 0, left: 0, cancelled: 1 })
  expect((await admin.call(recoldApi.move, move)).data).toEqual({ moved: 0, there: 0, left: 0, cancelled: 0 })
  expect((await admin.call(recoldApi.move, { ...move, body: { ...move.body, to_uuid: list.uuid } })).fields).toEqual({
    to_uuid: 'Choose another list of yours',
  })
  expect((await admin.call(recoldApi.move, { ...move, body: { ...move.body, to_uuid: '' } })).fields).toEqual({ to_uuid: 'Choose a list' })
  expect((await admin.call(leadListApi.get, { params: { uuid: other.uuid } })).data.total).toBe(2)
  const { data } = await admin.call(recoldApi.done, { params: { uuid } })
  expect(data).toMatchObject({ status: 'done', counts: { accepted: 2, skipped: 1, cancelled: 1 } })
  const copy = (await admin.call(recoldApi.duplicate, { params: { uuid } })).data
  expect(copy).toMatchObject({ status: 'draft', title: 'Second sale (2)', waiting: 2, pacing: data.pacing })
  expect((await admin.call(recoldApi.remove, { params: { uuid: copy.uuid } })).data.status).toBe('deleted')
})

test('it stands still by itself: products closed, its offer paused, too many failures, consents looked at in another way', async () => {
  const closed = await offerOf({ caps: [{ period: 'total', limit: 1 }] })
  const two = await listOf([{}, {}])
  const first = await start([two.uuid, closed.uuid])
  await work(120)
  expect(await live(first.uuid)).toMatchObject({ status: 'paused', pause_reason: 'targets_closed', counts: { accepted: 1, pending: 1 } })

  const away = {
    ...MOCK_SPEC,
    response: {
      ...MOCK_SPEC.response,
      rules: MOCK_SPEC.response.rules.map((rule) => (rule.outcome === 'rejected' ? { ...rule, outcome: 'temporary' as const } : rule)),
    },
  }
  const broken = await makeLeadOffer(api.db, admin, advertiser.uuid, [
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), away),
  ])
  const many = await listOf(Array.from({ length: 22 }, (_, at) => ({ first_name: at % 2 === 0 ? 'Reject' : 'Anna' })))
  const failing = await start([many.uuid, broken.uuid, { pacing: { interval_min: 1, interval_max: 1 } }])
  await work(60, 1)
  const failed = await live(failing.uuid)
  expect(failed).toMatchObject({ status: 'paused', pause_reason: 'failing' })
  expect(failed.errors[0]?.reason).not.toBe('')
  // each of those who failed is tried once more, in the same session
  const rows = (await admin.call(recoldApi.items, { params: { uuid: failing.uuid }, body: { status: ['failed'], count: 1 } as never })).data
  const [one] = rows.list
  await admin.call(recoldApi.decide, { params: { uuid: failing.uuid }, body: { uuids: [one?.uuid ?? ''], action: 'retry' } })
  await admin.call(recoldApi.resume, { params: { uuid: failing.uuid }, body: {} as never })
  await work(10, 1)
  const sends = await sql<{
    count: number
  }>`select count(*)::int as count from lead_send n join user_session s on s.id = n.session_id where s.uuid = ${one?.session?.uuid ?? null}`.execute(
    api.db,
  )
  expect(sends.rows[0]?.count).toBe(2)

  const gates = (await admin.call(coldConsentSetting.read)).data
  const { changed: _changed, ...read } = gates
  const running = await start([(await listOf([{}, {}])).uuid, (await offerOf()).uuid])
  await admin.call(coldConsentSetting.update, { body: { ...read, ch: 'warn' } })
  expect(await live(running.uuid)).toMatchObject({ status: 'paused', pause_reason: 'consent_gate' })

  const offer = await offerOf()
  const stopped = await start([(await listOf([{}])).uuid, offer.uuid])
  await api.db.updateTable('offer').set({ status: 'paused' }).where('uuid', '=', offer.uuid).execute()
  await work(10)
  expect(await live(stopped.uuid)).toMatchObject({ status: 'paused', pause_reason: 'offer_closed' })
})

test('whoever fits only products that are closed or full waits for them one by one, and holds up nobody else', async () => {
  const ten = new Date(api.clock.now())
  api.clock.advance(ten.setUTCHours(34, 0, 0, 0) - api.clock.now())
  const hours = Array.from({ length: 7 }, () => [{ from: 630, until: 1080 }])
  const offer = await offerOf(
    { geos: ['DE'], hours, time_zone: 'UTC' },
    { geos: ['IT'] },
    { geos: ['FR'], caps: [{ period: 'total', limit: 1 }] },
  )
  // a limit of the product itself holds for second sales as that of its place does
  const caps = JSON.stringify([{ period: 'day', measure: 'accepted', limit: 2 }])
  await api.db
    .updateTable('product')
    .set({ caps })
    .where('id', '=', offer.products[0]?.id ?? 0)
    .execute()
  const list = await listOf(['DE', 'DE', 'IT', 'DE', 'FR', 'IT', 'FR'].map((country) => ({ country })))
  const { data: preview } = await admin.call(recoldApi.preview, { body: recoldForm(list.uuid, offer.uuid) })
  // hours and limits of products are in the figures: two of the Germans in half an hour, the third tomorrow, one of France never
  expect(preview).toMatchObject({ sendable: 7, left: 1, warnings: [{ code: 'targets_closed', people: 1 }] })
  const today = Math.floor(api.clock.now() / 86_400_000) * 86_400_000
  const opens = today + 630 * 60_000
  const germans = preview.first.filter(({ country }) => country === 'DE').map(({ at }) => Date.parse(at))
  expect(germans).toEqual([opens, expect.any(Number), opens + 86_400_000])
  expect(germans[1]).toBeLessThan(opens + 3_600_000)
  expect(preview.first.filter(({ country }) => country !== 'DE').every(({ at }) => Date.parse(at) < opens)).toBe(true)
  expect(preview.first).toHaveLength(6)

  const { uuid } = await start([list.uuid, offer.uuid, { pacing: { attempts: 3 } }])
  expect(await live(uuid)).toMatchObject({ planned_end: new Date(opens + 86_400_000).toISOString(), finished_at: null })
  expect((await live(uuid)).forecast.map(({ slots }) => slots)).toEqual([5, 1])
  await work(300, 20)
  // no lead is made of anybody who would only wait in the cascade
  expect(await live(uuid)).toMatchObject({ status: 'active', counts: { accepted: 3, pending: 4, sending: 0, scheduled: 0 } })
  expect(Date.parse((await live(uuid)).next_send_at ?? '') - api.clock.now()).toBeLessThan(1_800_000)
  await work(1800, 60)
  const sent = (await items(uuid)).filter(({ country, status }) => country === 'DE' && status === 'accepted')
  expect(sent).toHaveLength(2)
  const [first = 0, second = 0] = sent.map(({ sent_at }) => Date.parse(sent_at ?? '')).toSorted((a, b) => a - b)
  expect(second - first).toBeGreaterThanOrEqual(60_000)
  expect(await live(uuid)).toMatchObject({ status: 'active', counts: { accepted: 5, pending: 2, no_capacity: 0 } })
  // the limit begins anew with the day; nobody ever opens for the last one
  api.clock.advance(86_400_000)
  await work(300, 20)
  expect(await live(uuid)).toMatchObject({ status: 'paused', pause_reason: 'targets_closed', counts: { accepted: 6, pending: 1 } })
})

test('after downtime it is planned again from now: no two are closer than the interval, whoever was due', async () => {
  const offer = await offerOf()
  const list = await listOf(Array.from({ length: 6 }, () => ({})))
  const { uuid } = await start([list.uuid, offer.uuid])
  const worker = openRecoldWorker(parts())
  await worker.plan()
  api.clock.advance(3_600_000)
  // two workers wake at once
  const other = openRecoldWorker(parts())
  for (let second = 0; second < 130; second += 5) {
    await Promise.all([worker.plan(), other.plan()])
    await Promise.all([worker.send(), other.send()])
    await Promise.all([worker.idle(), other.idle()])
    api.clock.advance(5_000)
  }
  const sent = (await items(uuid)).flatMap(({ sent_at }) => (sent_at === null ? [] : Date.parse(sent_at))).toSorted((a, b) => a - b)
  expect(sent.length).toBeLessThanOrEqual(3)
  expect(sent.length).toBeGreaterThanOrEqual(2)
  for (const [at, moment] of sent.slice(1).entries()) expect(moment - (sent[at] ?? 0)).toBeGreaterThanOrEqual(60_000)
})

test('only its products are asked, by the fields as declared; whoever had the person is asked once the days are over', async () => {
  const offer = await offerOf({}, {})
  const [, chosen] = offer.products
  const list = await listOf([{ language: 'it', ip: '203.0.113.9' }])
  const wrong = await admin.call(recoldApi.create, { body: recoldForm(list.uuid, offer.uuid, { product_uuids: [crypto.randomUUID()] }) })
  expect(wrong.fields).toMatchObject({ product_uuids: expect.any(String) })
  const fields = { language: { use: 'declared' as const, value: 'en' }, user_agent: { use: 'omit' as const } }
  const { uuid } = await start([list.uuid, offer.uuid, { product_uuids: [chosen?.uuid ?? ''], data: { fields }, payout: 'original' }])
  await work(20)
  expect(await live(uuid)).toMatchObject({ counts: { accepted: 1 } })
  const session = await api.db
    .selectFrom('user_session as s')
    .innerJoin('recold as r', 'r.id', 's.recold_id')
    .innerJoin('lead_send as n', 'n.session_id', 's.id')
    .select(['s.affiliate_id', 'n.product_id', 's.told'])
    .where('r.uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  expect(session).toMatchObject({ affiliate_id: list.sessions[0]?.affiliate_id, product_id: chosen?.id })
  expect(session.told.registered_at).toBe(
    (
      await api.db
        .selectFrom('user_session')
        .select('received_at')
        .where('id', '=', list.sessions[0]?.id ?? '')
        .executeTakeFirstOrThrow()
    ).received_at.toISOString(),
  )
})

test('whoever had the telephone or the e-mail address by another lead is not offered it as a new person', async () => {
  const offer = await offerOf()
  const sold = [{ phone: '+393480000001' }, { email: 'Shared@mail.example' }]
  for (const one of sold)
    expect((await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, one) as never })).data.status).toBe('accepted')
  const list = await listOf([{ phone: '+39 348 0000001' }, { email: 'shared@mail.example' }, {}])
  const { data } = await admin.call(recoldApi.preview, { body: recoldForm(list.uuid, offer.uuid) })
  expect(data).toMatchObject({ sendable: 1, skipped: { same_advertiser: 2 } })
  const { uuid } = await start([list.uuid, offer.uuid])
  await work(120)
  expect(await live(uuid)).toMatchObject({ counts: { accepted: 1, skipped: 2 }, skipped: { same_advertiser: 2 } })
  expect(mock.leads.filter(({ phone }) => phone === '+393480000001')).toHaveLength(1)
})

test('people of a file are sent as it tells of them, with what they agreed to, and then the file is not taken back', async () => {
  const offer = await offerOf()
  const { uuid: list } = (await admin.call(leadListApi.create, { body: { title: 'Out of a file', description: '' } })).data
  const lines = [
    'name,email,phone,registered_at,consent_at,consent_text,recipients,ip,user_agent',
    'Ida Rossi,ida@mail.example,+393337657001,2026-03-04 05:06,2026-03-04,To partners,Others Ltd; Second Brokers,203.0.113.7,Mozilla/5.0 (Windows NT 10.0)',
  ]
  const read = { params: { uuid: list }, query: {}, body: new TextEncoder().encode(lines.join('\n')) }
  const { uuid: file, mapping } = (await admin.call(leadListImportApi.read, read)).data
  const body = { mapping, basis: 'consent', source: 'Paper forms', confirmed: true, language: 'en' } as const
  await admin.call(leadListImportApi.start, { params: { uuid: file }, body })
  while (await runLeadListImports({ db: api.db, secretKey: desk.secretKey }, api.clock.now()));
  // a file that names its recipients is enough where consents are asked for
  const { version } = (await admin.call(coldConsentSetting.read)).data
  await admin.call(coldConsentSetting.update, { body: { eea: 'block', uk: 'block', ch: 'block', elsewhere: 'block', version } })
  const { uuid } = await start([list, offer.uuid, { data: { os: ['Windows'] }, skip: { consent_days: 3650 } }])
  expect((await admin.call(leadListImportApi.get, { params: { uuid: file } })).data.may_undo).toBe(true)
  await work(20)
  expect(await live(uuid)).toMatchObject({ counts: { accepted: 1 } })
  const off = { eea: 'off', uk: 'off', ch: 'off', elsewhere: 'off' } as const
  await admin.call(coldConsentSetting.update, { body: { ...off, version: version + 1 } })
  const session = await api.db
    .selectFrom('user_session')
    .select(['sealed', 'consent', 'told', 'country'])
    .where('traffic_type', '=', 'cold')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(session).toMatchObject({
    country: 'IT',
    consent: { given_at: '2026-03-04T00:00:00.000Z', text: 'To partners', recipients: ['Others Ltd', 'Second Brokers'] },
    told: { registered_at: '2026-03-04T05:06:00.000Z', os: 'Windows' },
  })
  expect(openLeadVault(desk.secretKey).openTold(session.sealed ?? Buffer.of())).toMatchObject({
    first_name: 'Ida',
    last_name: 'Rossi',
    phone: '+393337657001',
  })
  const undone = await admin.call(leadListImportApi.undo, { params: { uuid: file } })
  expect([undone.status, Object.values(undone.errors)[0]]).toEqual([409, expect.stringContaining('sent already')])
  expect((await admin.call(leadListImportApi.get, { params: { uuid: file } })).data).toMatchObject({ status: 'done', may_undo: false })
})

test('what cannot start says why, and nothing is lost', async () => {
  const offer = await offerOf()
  const list = await listOf([{}])
  const tried = async (...form: Parameters<typeof recoldForm>) => {
    const { data } = await admin.call(recoldApi.create, { body: recoldForm(...form) })
    const { fields } = await admin.call(recoldApi.start, { params: { uuid: data.uuid } })
    return Object.keys(fields ?? {})[0]
  }
  expect(await tried(list.uuid, nobody.uuid)).toBe('product_uuids')
  // neither does a product whose system never accepted a test, or that somebody stopped, take anybody
  const product = (fresh: typeof offer) => api.db.updateTable('product').where('id', '=', fresh.products[0]?.id ?? 0)
  const [untested, stopped] = [await offerOf(), await offerOf()]
  await product(untested).set({ tested_version_id: null, tested_at: null }).execute()
  expect((await admin.call(recoldApi.preview, { body: recoldForm(list.uuid, untested.uuid) })).data.warnings).toContainEqual({
    code: 'untested',
    people: 0,
  })
  expect(await tried(list.uuid, untested.uuid)).toBe('product_uuids')
  await product(stopped).set({ status: 'paused' }).execute()
  expect(await tried(list.uuid, stopped.uuid)).toBe('product_uuids')
  const shut = await offerOf()
  await product(shut)
    .set({ hours: JSON.stringify([[], [], [], [], [], [], []]) })
    .execute()
  expect(await tried(list.uuid, shut.uuid)).toBe('product_uuids')
  expect(await tried(list.uuid, offer.uuid, { schedule: { starts_at: '2026-01-01T00:00:00.000Z' } })).toBe('schedule.starts_at')
  expect(await tried(list.uuid, offer.uuid, { schedule: { ends_at: '2026-01-01T00:00:00.000Z' } })).toBe('schedule.ends_at')
  expect(await tried(list.uuid, offer.uuid, { data: { geos: ['FR'] } })).toBe('list_uuid')
  const never = await admin.call(recoldApi.create, {
    body: recoldForm(list.uuid, offer.uuid, { schedule: { hours: [[], [], [], [], [], [], []] } }),
  })
  expect(never.fields).toMatchObject({ 'schedule.hours': expect.any(String) })
  for (const moment of ['starts_at', 'ends_at'])
    for (const endpoint of [recoldApi.create, recoldApi.preview]) {
      const far = recoldForm(list.uuid, offer.uuid, { schedule: { [moment]: '9999-12-31T23:59:59.000Z' } })
      expect(await admin.call(endpoint, { body: far })).toMatchObject({
        status: 400,
        fields: { [`schedule.${moment}`]: expect.any(String) },
      })
    }
  const preview = (
    await admin.call(recoldApi.preview, { body: recoldForm(list.uuid, offer.uuid, { schedule: { ends_at: '2026-01-01T00:00:00.000Z' } }) })
  ).data
  expect(preview).toMatchObject({ finish: null, left: 1, warnings: [{ code: 'cannot_finish', people: 1 }] })
})

test('a team lead reaches the own team’s distributions and people alone, and not how consents are looked at', async () => {
  const lead = await api.as('team lead')
  const own = await api.as('affiliate', { managerId: lead.managerId ?? undefined } as never)
  const offer = await offerOf()
  const mine = await makeUnsold(api.db, own, nobody.uuid, [{}])
  const manager = await api.as('manager', { teamLeadId: lead.managerId })
  const moved = await api.as('affiliate', { managerId: manager.managerId } as never)
  const kept = await api.as('affiliate', { managerId: manager.managerId } as never)
  const leaves = [...(await makeUnsold(api.db, moved, nobody.uuid, [{}])), ...(await makeUnsold(api.db, kept, nobody.uuid, [{}]))]
  const theirs = await makeUnsold(api.db, affiliate, nobody.uuid, [{}])
  const list = await makeLeadList(api.db, api.clock.now(), [...mine, ...leaves, ...theirs], { manager_id: lead.managerId })
  expect((await lead.call(recoldApi.lists, { body: {} as never })).data.list).toMatchObject([{ uuid: list.uuid, people: 3 }])
  const strange = await listOf([{}])
  const foreign = (await admin.call(recoldApi.create, { body: recoldForm(strange.uuid, offer.uuid) })).data
  const { data } = await lead.call(recoldApi.create, { body: recoldForm(list.uuid, offer.uuid) })
  expect(data).toMatchObject({ waiting: 3 })
  expect((await lead.call(recoldApi.create, { body: recoldForm(strange.uuid, offer.uuid) })).status).toBe(422)
  expect((await lead.call(recoldApi.list, { body: {} as never })).data.list.map(({ uuid }) => uuid)).toEqual([data.uuid])
  expect((await lead.call(recoldApi.get, { params: { uuid: foreign.uuid } })).status).toBe(404)
  expect((await lead.call(recoldApi.live, { params: { uuid: foreign.uuid } })).status).toBe(404)
  expect((await lead.call(recoldApi.start, { params: { uuid: data.uuid } })).data.status).toBe('active')
  await work(0)
  // whose people are another team's meanwhile are not this one's to send
  await api.db.updateTable('affiliate').set({ manager_id: null }).where('account_id', '=', moved.accountId).execute()
  await api.db
    .updateTable('manager')
    .set({ team_lead_id: null })
    .where('id', '=', manager.managerId ?? 0)
    .execute()
  await work(130)
  expect(await live(data.uuid)).toMatchObject({ counts: { accepted: 1, skipped: 2 }, skipped: { removed: 2 } })
  expect((await lead.call(recoldApi.items, { params: { uuid: data.uuid }, body: {} as never })).data.summary.rows).toBe(1)
  expect((await lead.call(coldConsentSetting.read)).status).toBe(403)
  for (const role of ['manager', 'affiliate'] as const)
    expect((await (await api.as(role)).call(recoldApi.list, { body: {} as never })).status).toBe(403)
})

test('what is kept of how many stand where is what counting everybody says, also once it is gathered from two sides at once', async () => {
  const counted = await sql<{ recold_id: number; status: string; skip_reason: string; hour: Date | null; count: string }>`
    select recold_id, status, skip_reason, date_trunc('hour', sent_at at time zone 'UTC') at time zone 'UTC' as hour, count(*) from recold_item
     group by 1, 2, 3, 4 order by 1, 2, 3, 4`.execute(api.db)
  const kept = () =>
    sql<{ recold_id: number; status: string; skip_reason: string; hour: Date | null; count: string }>`
      select recold_id, status, skip_reason, sent_hour as hour, sum(items)::text as count from recold_count
       group by 1, 2, 3, 4 having sum(items) <> 0 order by 1, 2, 3, 4`.execute(api.db)
  expect(counted.rows.length).toBeGreaterThan(0)
  expect((await kept()).rows).toEqual(counted.rows)
  await Promise.all([gatherCounts(api.db), gatherCounts(api.db)])
  expect((await kept()).rows).toEqual(counted.rows)
  // one row of each kind
  expect(await api.db.selectFrom('recold_count').select('id').execute()).toHaveLength(counted.rows.length)
  // whoever plans a distribution, which may take long, keeps no answer about its people waiting: that they are counted looks at it too
  const id = counted.rows.find(({ hour }) => hour !== null)?.recold_id ?? expect.fail('nobody was sent')
  await api.db.updateTable('recold').set({ status: 'active' }).where('id', '=', id).execute()
  await api.db.transaction().execute(async (trx) => {
    expect([(await takeRecold(trx, id))?.id, await lockActive(trx), (await lockRecold(trx, id))?.id]).toEqual([id, [id], id])
    await api.db.transaction().execute(async (other) => {
      await sql`set local lock_timeout = '3s'`.execute(other)
      await sql`update recold_item set sent_at = sent_at - interval '2 hours' where recold_id = ${id} and sent_at is not null`.execute(
        other,
      )
    })
  })
})
