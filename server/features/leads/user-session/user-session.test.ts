import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEAD_HISTORY_STATUSES } from '#contract/leads/lead-history.ts'
import { INTEGRATION_TYPE_KEYS } from '#contract/leads/integration-type.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { userSessionApi, type LeadEvent } from '#contract/leads/user-session.ts'
import { constantApi } from '#contract/network/constant.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import type { Scope } from '#server/access/scope.ts'
import { listSessions } from './user-session.queries.ts'
import { pullStatuses } from '../status/pull.jobs.ts'

const HOUR = 3_600_000
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let offer: { id: number; uuid: string }
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const other = await makeAdvertiser(api.db, { name: 'Boreas' })
  const closed = await makeMockProduct(api.db, other.id, mock, api.clock.now())
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...closed, terms: { geos: ['DE'] } }, product])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (more: Record<string, unknown> = {}) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) })).data
const listOf = async (who: Caller, body: object = {}) => (await who.call(userSessionApi.list, { body })).data.list
const detailOf = async (who: Caller, uuid: string) => (await who.call(userSessionApi.detail, { params: { uuid } })).data
const of = <Kind extends LeadEvent['kind']>(events: LeadEvent[], kind: Kind) =>
  events.filter((one): one is Extract<LeadEvent, { kind: Kind }> => one.kind === kind)

test('a row says what the last advertiser that was asked answered, to whoever may know that advertiser', async () => {
  const { session_uuid: uuid } = await send({ first_name: 'Reject', email: 'reject@mail.example', phone: '+393331230000' })
  const answerFor = async (who: Caller) => (await listOf(who)).find((one) => one.uuid === uuid)?.last_answer
  expect(await answerFor(admin)).toBe('Invalid phone')
  const [theirs, affiliates] = [await api.as('manager'), await api.as('manager')]
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: affiliates.managerId ?? 0 })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect(await answerFor(affiliates)).toBe('')
  await api.db
    .updateTable('advertiser')
    .set({ manager_id: affiliates.managerId ?? 0 })
    .where('id', '=', advertiser.id)
    .execute()
  expect(await answerFor(affiliates)).toBe('Invalid phone')
  expect(await answerFor(theirs)).toBeUndefined()
  expect((await listOf(affiliate)).find((one) => one.uuid === uuid)).not.toHaveProperty('last_answer')
  await api.db.updateTable('advertiser').set({ manager_id: null }).where('id', '=', advertiser.id).execute()
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: null })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
})

test('a lead is told step by step: who was passed over and why, who was asked, what they answered, said and paid', async () => {
  const { session_uuid: uuid } = await send({ external_id: 'own-1', email: 'anna@mail.example', phone: '+393331234567', sub1: 's1' })
  Object.assign(mock.leads.at(-1) ?? expect.fail('no lead'), { status: 'No Answer', deposit: '250.00' })
  api.clock.advance(HOUR)
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const policy = { allow: [mock.host.slice('http://'.length)] }
  await pullStatuses({ db: api.db, clock: api.clock, policy, secretKey, findClick: async () => null })

  const { session, told, events } = await detailOf(admin, uuid)
  expect(session).toMatchObject({ status: 'converted', email: 'a***@m***.example', phone: '***567', name: 'A*** R***', sends: 1 })
  expect(session).toMatchObject({ advertiser: { name: 'Zephyr Brokers' }, affiliate: { id: affiliate.affiliateId }, external_id: 'own-1' })
  expect(told).toMatchObject({ sub1: 's1' })
  expect(events.map(({ kind }) => kind)).toEqual(['received', 'considered', 'sent', 'decided', 'booked', 'called', 'booked'])
  const [round] = of(events, 'considered')
  expect(round?.members).toMatchObject([
    { passed: false, check: 'geo', detail: { country: 'IT' } },
    { passed: true, check: null },
  ])
  expect(of(events, 'sent')).toMatchObject([{ status: 'accepted', advertiser: { name: 'Zephyr Brokers' }, http_status: 201 }])
  // it was accepted then, and is converted since
  expect(of(events, 'decided')).toMatchObject([{ status: 'accepted' }])
  expect(of(events, 'booked').map(({ goal, revenue }) => [goal, revenue])).toEqual([
    ['Registration', '0.0000'],
    ['First deposit', '300.0000'],
  ])

  const own = await detailOf(affiliate, uuid)
  expect(own.events.map(({ kind }) => kind)).toEqual(['received', 'decided', 'booked', 'called', 'booked'])
  expect(of(own.events, 'booked').map(({ payout }) => payout)).toEqual(['0.0000', '200.0000'])
  const said = JSON.stringify([own, await listOf(affiliate)])
  for (const secret of ['Zephyr', 'Boreas', 'Product', 'revenue', 'sends', 'advertiser', mock.key, 'No Answer', 'anna@', '3331234567'])
    expect(said).not.toContain(secret)
})

test('they are found by what they are called and by a whole contact, by nobody who does not see them', async () => {
  const { session_uuid: uuid, click_id } = await send({ external_id: 'own-2', email: 'berta@mail.example', phone: '+393337654321' })
  const ways = [uuid, click_id, click_id.toUpperCase(), 'own-2', 'Berta@mail.example', '+39 333 765 4321', '393337654321']
  for (const search of ways) expect([search, (await listOf(admin, { search })).map((one) => one.uuid)]).toEqual([search, [uuid]])
  for (const search of ['berta', 'mail.example', '+39333765432']) expect(await listOf(admin, { search })).toEqual([])
  const [manager, stranger] = [await api.as('manager'), await api.as('affiliate')]
  for (const who of [manager, stranger]) {
    expect(await listOf(who)).toEqual([])
    expect((await who.call(userSessionApi.detail, { params: { uuid } })).status).toBe(404)
  }
  // the manager of who has it sees it, and not whose lead it was
  await api.db
    .updateTable('advertiser')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('name', '=', 'Zephyr Brokers')
    .execute()
  const [row] = await listOf(manager, { search: uuid })
  expect(row).toMatchObject({ affiliate: null, advertiser: { name: 'Zephyr Brokers' } })
  const { events } = await detailOf(manager, uuid)
  expect(JSON.stringify(events)).not.toContain('Boreas')
})

test('filters narrow, pages go on behind each other, and an affiliate asks for no advertiser', async () => {
  for (let n = 0; n < 3; n++) {
    await send({ country: 'IT' })
    api.clock.advance(1_000)
  }
  const all = (await admin.call(userSessionApi.list, { body: { count: 2 } })).data
  expect(all.summary.rows).toBeGreaterThanOrEqual(5)
  const next = (await admin.call(userSessionApi.list, { body: { count: 2, after: all.after, until: all.until } })).data
  expect(new Set([...all.list, ...next.list].map(({ id }) => id)).size).toBe(4)
  expect((await listOf(admin, { status: ['converted'] })).map(({ status }) => status)).toEqual(['converted'])
  expect(await listOf(admin, { country: ['DE'] })).toEqual([])
  expect(await listOf(admin, { period: { preset: 'yesterday' } })).toEqual([])
  expect((await listOf(affiliate, { sort: 'country', direction: 'asc', offer_uuid: [offer.uuid] })).length).toBe(all.summary.rows)
  for (const body of [{ advertiser_uuid: [crypto.randomUUID()] }, { product_uuid: [crypto.randomUUID()] }])
    expect((await affiliate.call(userSessionApi.list, { body })).status).toBe(403)
  expect(await listOf(affiliate, { landing_uuid: [crypto.randomUUID()] })).toEqual([])
})

test('the constants of leads are what leads are found by: gender, system, device, the answer of an advertiser, kinds of offers', async () => {
  const constants = (await admin.call(constantApi.all)).data
  const phone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
  const { session_uuid: uuid } = await send({ email: 'clara@mail.example', phone: '+393339998877', gender: 'female', user_agent: phone })
  const found = async (body: object, who = admin) => (await listOf(who, { search: uuid, ...body })).length
  const { gender, os, device } = (await detailOf(admin, uuid)).session
  expect([Object.keys(constants.lead_genders), constants.lead_os, Object.keys(constants.lead_device)]).toMatchObject([
    expect.arrayContaining([gender]),
    expect.arrayContaining([os]),
    expect.arrayContaining([device]),
  ])
  expect(Object.keys(constants.genders)).toContain(gender)
  expect(Object.keys(constants.lead_history_status)).toEqual([...LEAD_HISTORY_STATUSES])
  expect(Object.keys(constants.integration_types)).toEqual([...INTEGRATION_TYPE_KEYS])
  for (const [right, wrong] of [
    [{ gender: ['female'] }, { gender: ['male', 'unknown'] }],
    [{ os: ['iOS'] }, { os: ['Windows'] }],
    [{ device: ['mobile'] }, { device: ['desktop'] }],
    [{ sent: ['accepted'] }, { sent: ['rejected'] }],
  ] as const)
    expect([await found(right), await found(wrong)]).toEqual([1, 0])
  // whose browser told of nothing is found as that
  await send({ external_id: 'without-browser' })
  const unknown = { search: 'without-browser', os: ['Unknown'], device: ['unknown'] }
  expect(constants.lead_os).toContain('Unknown')
  expect(Object.keys(constants.lead_device)).toContain('unknown')
  expect((await listOf(admin, unknown)).length).toBe(1)
  // what advertisers answered is theirs to know who look after them, and no affiliate's
  expect((await affiliate.call(userSessionApi.list, { body: { sent: ['accepted'] } })).status).toBe(403)
  const manager = await api.as('manager')
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect([await found({}, manager), await found({ sent: ['accepted'] }, manager)]).toEqual([1, 0])
})

test('the words of the history say how a lead stands at a product: lacking what it asks for, passed over, worked on, come to money', async () => {
  const nodes = MOCK_SPEC.request.nodes.map((node) => ({ ...node, required: true }))
  const spec = {
    ...MOCK_SPEC,
    request: { ...MOCK_SPEC.request, nodes: [...nodes, { ...nodes[0]!, path: 'place', value: '{{lead.zip}}{{lead.city}}' }] },
  }
  const asking = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)
  const of = async (products: Parameters<typeof makeLeadOffer>[3]) => {
    const { uuid } = await makeLeadOffer(api.db, admin, advertiser.uuid, products)
    return (await affiliate.call(leadApi.send, { body: leadOf(uuid) })).data.session_uuid
  }
  const stands = async (uuid: string) => {
    const words = await Promise.all(
      LEAD_HISTORY_STATUSES.map(async (word) => ((await listOf(admin, { search: uuid, sent: [word] })).length > 0 ? [word] : [])),
    )
    const { events } = await detailOf(admin, uuid)
    return [words.flat(), events.flatMap((one) => (one.kind === 'sent' ? [one.status] : []))]
  }
  expect(await stands(await of([asking]))).toEqual([['invalid'], ['invalid']])
  const other = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  expect(await stands(await of([{ ...other, terms: { geos: ['DE'] } }]))).toEqual([['skipped'], []])
  const taken = await of([other])
  expect(await stands(taken)).toEqual([['accepted'], ['accepted']])
  for (const [change, word] of [
    [{ call_status: 'callback' }, 'pending'],
    [{ call_status: 'sale', status: 'converted' }, 'approved'],
  ] as const) {
    await api.db.updateTable('user_session').set(change).where('uuid', '=', taken).execute()
    expect(await stands(taken)).toEqual([[word], ['accepted']])
  }
})

test('a manager finds the leads of the own affiliates and those at the own advertisers, each once, in any order, by any filter', async () => {
  const manager = await api.as('manager')
  const [own, foreign] = await Promise.all([api.as('affiliate', { managerId: manager.managerId }), api.as('affiliate')])
  const [ours, theirs] = await Promise.all([
    makeAdvertiser(api.db, { managerId: manager.managerId }),
    makeAdvertiser(api.db, { name: 'Notus' }),
  ])
  const products = await Promise.all([ours, theirs].map(({ id }) => makeMockProduct(api.db, id, mock, api.clock.now())))
  const landings = await api.db
    .insertInto('landing')
    .values(['One', 'Two'].map((name) => ({ name, url: `https://${name.toLowerCase()}.example/`, advertiser_id: ours.id })))
    .returning(['id', 'uuid'])
    .execute()
  await send({ first_name: 'Ada', gender: 'female' })
  const version = await api.db.selectFrom('integration_version').select('id').limit(1).executeTakeFirstOrThrow()
  const person = await api.db.selectFrom('user_session').select('person_id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const made = Array.from({ length: 36 }, (_none, at) => ({
    name: `side-${at}`,
    affiliate: [own, foreign, foreign][at % 3] ?? own,
    // of a product that refused it a lead is not
    holder: [ours, theirs, null, ours][at % 4] ?? null,
    refused: at % 8 === 0,
    // two came in the same moment
    received: Date.parse('2026-03-01T10:00:00Z') - Math.floor(at / 2) * 60_000,
    country: ['IT', 'DE', 'PL', 'ES', 'FR'][at % 5] ?? '',
    landing: [landings[0], landings[1], null][Math.floor(at / 2) % 3] ?? null,
  }))
  for (const { name, affiliate: by, holder, refused, received, country, landing } of made) {
    const at = new Date(received)
    const stands = { status: 'closed' as const, told: '{}', country, draw: 0.5, received_at: at, decided_at: at, changed_at: at }
    const ids = {
      person_id: person.person_id,
      affiliate_id: by.affiliateId ?? 0,
      offer_id: offer.id,
      click_id: name,
      landing_id: landing?.id ?? null,
    }
    const session = await api.db
      .insertInto('user_session')
      .values({ ...stands, ...ids, origin: 'api' })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (holder === null) continue
    const status = refused ? ('rejected' as const) : ('accepted' as const)
    const product_id = products[holder === ours ? 0 : 1]?.id ?? 0
    const of = { session_id: session.id, person_id: person.person_id, product_id, advertiser_id: holder.id, version_id: version.id }
    await api.db
      .insertInto('lead_send')
      .values({ ...of, attempt: 1, status, outcome: status, asked_at: at, answered_at: at })
      .execute()
  }
  type Made = (typeof made)[number]
  const brings = (one: Made) => one.affiliate === own
  const sells = (one: Made) => one.holder === ours && !one.refused
  const days = { preset: 'custom' as const, from: '2026-03-01', to: '2026-03-01' }
  const pages = async (body: object, way: 'after' | 'page') => {
    const found: string[] = []
    for (let [page, after] = [1, null as string | null]; ; page++) {
      const at = way === 'after' ? { after } : { page }
      const { data } = await manager.call(userSessionApi.list, { body: { period: days, count: 10, ...body, ...at } })
      found.push(...data.list.map(({ click_id }) => click_id))
      expect(data.summary).toEqual({ rows: data.summary.rows })
      after = data.after
      if (data.list.length < 10) return { rows: data.summary.rows, found }
    }
  }
  const seen = made.filter((one) => brings(one) || sells(one))
  // later ones have the greater number
  const newest = (some: Made[]) => some.toSorted((a, b) => b.received - a.received || made.indexOf(b) - made.indexOf(a))
  const named = (some: Made[]) => ({ rows: some.length, found: some.map(({ name }) => name) })
  expect(seen.length).toBeGreaterThan(20)
  expect(await pages({}, 'after')).toEqual(named(newest(seen)))
  expect(await pages({}, 'page')).toEqual(named(newest(seen)))
  expect(await pages({ direction: 'asc' }, 'page')).toEqual(named(newest(seen).toReversed()))
  const byCountry = newest(seen).toSorted((a, b) =>
    a.country < b.country ? 1 : a.country > b.country ? -1 : made.indexOf(b) - made.indexOf(a),
  )
  expect(await pages({ sort: 'country' }, 'page')).toEqual(named(byCountry))
  expect(await listOf(manager, { period: days, page: 1_000_000, count: 100 })).toEqual([])
  const filters: [object, (one: Made) => boolean][] = [
    [{ country: ['IT', 'PL'] }, ({ country }) => ['IT', 'PL'].includes(country)],
    [{ gender: ['female'] }, () => true],
    [{ gender: ['male'] }, () => false],
    [{ affiliate_uuid: [own.uuid] }, brings],
    [{ affiliate_uuid: [own.uuid, foreign.uuid] }, brings],
    [{ advertiser_uuid: [ours.uuid] }, sells],
    [{ advertiser_uuid: [ours.uuid, theirs.uuid] }, sells],
    [{ advertiser_uuid: [ours.uuid], affiliate_uuid: [own.uuid, foreign.uuid] }, (one) => brings(one) && sells(one)],
    [{ product_uuid: [products[0]?.uuid] }, sells],
    [{ product_uuid: [products[1]?.uuid] }, () => false],
    [{ product_uuid: products.map(({ uuid }) => uuid) }, sells],
    [{ product_uuid: [products[0]?.uuid], affiliate_uuid: [own.uuid] }, (one) => brings(one) && sells(one)],
    [{ landing_uuid: [landings[0]?.uuid] }, ({ landing }) => landing === landings[0]],
    [{ landing_uuid: landings.map(({ uuid }) => uuid) }, ({ landing }) => landing !== null],
    [{ landing_uuid: [landings[1]?.uuid], product_uuid: [products[0]?.uuid] }, (one) => one.landing === landings[1] && sells(one)],
    [{ landing_uuid: [crypto.randomUUID()] }, () => false],
    [{ sent: ['accepted'] }, sells],
    [{ sent: ['rejected'] }, (one) => one.holder === ours && one.refused && brings(one)],
    [{ search: 'side-3' }, ({ name }) => name === 'side-3'],
  ]
  for (const [body, fits] of filters) expect(await pages(body, 'after'), JSON.stringify(body)).toEqual(named(newest(seen.filter(fits))))
  // who sees all finds those of others by their products too, and an affiliate its own by where they were filled in
  const found = async (who: Caller, body: object) =>
    (await listOf(who, { period: days, count: 100, ...body })).map(({ click_id }) => click_id)
  const stands = (holder: Made['holder']) => newest(made.filter((one) => one.holder === holder && !one.refused))
  expect(await found(admin, { product_uuid: [products[1]?.uuid] })).toEqual(named(stands(theirs)).found)
  const ownOnes = newest(made.filter((one) => brings(one) && one.landing === landings[0]))
  expect(ownOnes.length).toBeGreaterThan(0)
  expect(await found(own, { landing_uuid: [landings[0]?.uuid] })).toEqual(named(ownOnes).found)
})

test('of very many leads ten thousand are counted and the newest are sorted; what no index finds is looked for in the newest, and older ones by their days', async () => {
  await send()
  const until = new Date(api.clock.now())
  await api.db.connection().execute(async (connection) => {
    // statistics and webhooks need not hear of each
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, status, told, country, draw, received_at, changed_at)
      select s.person_id, s.affiliate_id, s.offer_id, 'many-' || n, 'api', 'duplicate', case when n in (5, 60) then '{"os": "beos"}' else '{}' end::jsonb,
             case when n in (9, 10040) then 'AA' else 'IT' end, 0.5, ${until}::timestamptz - n * interval '1 second', ${until}::timestamptz - n * interval '1 second'
        from generate_series(1, 10040) n, (select * from user_session order by id desc limit 1) s`.execute(connection)
    await sql`set session_replication_role = default`.execute(connection)
  })
  for (const who of [admin, affiliate]) {
    const page = async (body: object) => {
      const { status, data } = await who.call(userSessionApi.list, { body })
      expect(status).toBe(200)
      return { summary: data.summary, found: data.list.map(({ click_id }) => click_id) }
    }
    expect((await page({})).summary).toEqual({ rows: 10_000, more: true })
    const sorted = await page({ status: ['duplicate'], sort: 'country', direction: 'asc', count: 2 })
    // the oldest is not among the newest ten thousand
    expect(sorted).toEqual({ summary: { rows: 10_000, more: true }, found: ['many-9', expect.not.stringContaining('many-10040')] })
    expect(await page({ os: ['beos'] })).toEqual({ summary: { rows: 2 }, found: ['many-5', 'many-60'] })
  }
  const asked: Parameters<typeof listSessions>[2] = {
    ...userSessionApi.list.body.parse({ os: ['beos'] }),
    traffic: undefined,
    from: null,
    to: null,
  }
  const scopes: Scope[] = [{ kind: 'all' }, { kind: 'affiliate', affiliateId: affiliate.affiliateId ?? 0 }]
  for (const scope of scopes) {
    const of = (more: Partial<typeof asked>) =>
      listSessions(api.db, scope, { ...asked, ...more }, { phone: null, email: null }, until, { lookedAt: 50 })
    const newest = await of({})
    expect(newest).toMatchObject({ rows: 1, more: true, list: [{ click_id: 'many-5' }] })
    expect(await of({ sort: 'status' })).toMatchObject({ rows: 1, more: true, list: [{ click_id: 'many-5' }] })
    const older = await of({ to: newest.since?.toISOString() ?? null })
    expect(older).toMatchObject({ rows: 1, more: true, list: [{ click_id: 'many-60' }] })
    expect(await of({ from: newest.since?.toISOString() ?? null })).toMatchObject({ rows: 1, more: false, since: undefined })
  }
})
