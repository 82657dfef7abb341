import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { reportApi, type ReportInput } from '#contract/traffic/report.ts'
import { listStatistics } from '#server/backup/statistics.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { rebuildFacts } from '#server/features/traffic/fact/rebuild.service.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { rebuildSessionFacts } from './rebuild.service.ts'
import { countSessions } from './session-fact.jobs.ts'

const ASKED: ReportInput = {
  period: { preset: 'today' },
  zone: 'UTC',
  offer_type: 'api',
  group: [],
  metrics: ['leads', 'leads_accepted', 'leads_rejected', 'leads_duplicate', 'leads_waiting', 'lead_acceptance', 'sends', 'send_acceptance'],
}

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
let offer: { uuid: string }

/** One lead each: taken, refused by both products, sent in again, tried only. */
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const products = [
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now()),
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now()),
  ]
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products, { repeat_days: null })
  const taken = leadOf(offer.uuid, { sub1: 'spring' })
  for (const body of [taken, leadOf(offer.uuid, { first_name: 'Reject' }), taken, leadOf(offer.uuid, { test: true })])
    expect((await affiliate.call(leadApi.send, { body })).status).toBeLessThan(300)
  await counted()
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

/** Everything that is due is told and has arrived; then nothing is due. */
async function counted(): Promise<void> {
  while ((await countSessions(api.db, 2)) > 0);
  await sendOutbox(api.db, api.clickhouse)
}
const figures = async (body: ReportInput = {}, caller = admin) => {
  const { status, data } = await caller.call(reportApi.run, { body: { ...ASKED, ...body } })
  expect(status, JSON.stringify(data)).toBe(200)
  return data
}
const totals = async (body: ReportInput = {}) => {
  const { leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting } = (await figures(body)).summary.totals
  return [leads, leads_accepted, leads_rejected, leads_duplicate, leads_waiting]
}

test('leads and what became of them are figures, with their sends for staff', async () => {
  expect((await figures()).summary.totals).toEqual({
    leads: 3,
    leads_accepted: 1,
    leads_rejected: 1,
    leads_duplicate: 1,
    leads_waiting: 0,
    lead_acceptance: 33.3333,
    sends: 3,
    send_acceptance: 33.3333,
  })
  const by = async (group: 'sub1' | 'lead_reason' | 'send_outcome' | 'advertiser', metric: 'leads' | 'sends') =>
    (await figures({ group: [group], metrics: [metric], sort: metric })).list.map(({ keys, values }) => [keys[0]?.label, values[metric]])
  expect(await by('sub1', 'leads')).toEqual([
    ['spring', 2],
    ['', 1],
  ])
  expect(await by('send_outcome', 'sends')).toEqual([
    ['rejected', 2],
    ['accepted', 1],
  ])
  expect(await by('lead_reason', 'leads')).toEqual([
    ['', 1],
    ['rejected', 1],
    ['repeat', 1],
  ])
  expect(await by('advertiser', 'sends')).toEqual([['Zephyr Brokers', 3]])
})

test('sends and leads are grouped and filtered by product, with names for whose advertiser it is, and never for affiliates', async () => {
  const metrics = ['leads', 'sends', 'conversions'] as const
  const by = async (body: ReportInput = {}, caller = admin) =>
    (await figures({ group: ['product'], metrics: [...metrics], sort: 'sends', ...body }, caller)).list.map(({ keys, values }) => ({
      id: keys[0]?.id,
      name: keys[0]?.label,
      ...values,
    }))
  const all = await by()
  expect(all).toMatchObject([
    { name: expect.stringMatching(/^Product /), sends: 2, conversions: null },
    { name: expect.stringMatching(/^Product /), sends: 1 },
    { id: '0', leads: 2, sends: 0 },
  ])
  expect(new Set(all.map(({ name }) => name)).size).toBe(3)
  const [first] = all
  // whoever asks for one product is shown no money and no clicks of all the others beside it
  const one = await figures({ metrics: [...metrics, 'clicks', 'revenue'], filters: { product: [first?.id ?? ''] } })
  expect(one.summary.totals).toMatchObject({ sends: 2, leads: first?.leads, conversions: null, clicks: null })
  expect((await figures({ metrics: ['sends'], filters: { advertiser: [advertiser.uuid] } })).summary.totals).toEqual({ sends: 3 })
  const manager = await api.as('manager')
  expect(await by({}, manager)).toEqual([])
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect((await by({}, manager)).map(({ name }) => name)).toEqual([`Product #${first?.id}`, expect.stringMatching(/^Product #/), ''])
  for (const body of [
    { group: ['product'] },
    { filters: { product: [first?.id ?? ''] } },
    { sort: 'product', group: ['product'] },
  ] as ReportInput[])
    expect((await affiliate.call(reportApi.run, { body: { ...ASKED, metrics: ['leads'], ...body } })).status).toBe(403)
})

test('whoever took leads refused none of them, so that by whom they are at nobody is told what was refused; sends say it', async () => {
  const untaken = ['leads_rejected', 'leads_duplicate', 'leads_waiting', 'lead_acceptance'] as const
  const unsaid = Object.fromEntries(untaken.map((metric) => [metric, null]))
  const metrics = ['leads', 'leads_accepted', ...untaken, 'send_acceptance'] as const
  for (const by of ['product', 'advertiser'] as const) {
    const { list, summary } = await figures({ group: [by], metrics: [...metrics], sort: 'leads' })
    for (const { values } of list) expect(values).toMatchObject(unsaid)
    expect(summary.totals).toMatchObject({ ...unsaid, leads: 3, leads_accepted: 1, send_acceptance: 33.3333 })
    // of the two that were asked for both leads one has a lead, and each of them refused one
    const held = list.find(({ values }) => values.leads_accepted === 1)
    expect(held?.values).toMatchObject({ leads: 1, send_acceptance: by === 'product' ? 50 : 33.3333 })
    const { data } = await admin.call(reportApi.series, {
      body: { period: { preset: 'today' }, offer_type: 'api', group: [by], metrics: ['leads_rejected', 'leads'], sort: 'leads' },
    })
    const [whole, ...parts] = data.lines
    expect(whole?.points.leads_rejected).toContain(1)
    expect(parts.length).toBeGreaterThan(0)
    for (const { points } of [...parts, { points: data.others?.points ?? {} }])
      expect((points.leads_rejected ?? []).filter((value) => value !== null)).toEqual([])
  }
  expect((await figures({ filters: { advertiser: [advertiser.uuid] } })).summary.totals).toMatchObject({ ...unsaid, leads: 1 })
  // asked for nothing else, its rows are shown all the same, in an order that tells nothing
  const alone = await figures({ group: ['product'], metrics: ['lead_acceptance'], sort: 'lead_acceptance' })
  expect(alone.list.map(({ values }) => values)).toEqual(Array.from({ length: 3 }, () => ({ lead_acceptance: null })))
})

test('affiliates count their leads, and are told nothing of whom they were offered to', async () => {
  const { summary } = await figures({ metrics: ['leads', 'leads_accepted', 'lead_cr'] }, affiliate)
  expect(summary.totals).toMatchObject({ leads: 3, leads_accepted: 1 })
  const other = await api.as('affiliate')
  expect((await figures({ metrics: ['leads'] }, other)).summary.totals).toEqual({ leads: 0 })
  for (const body of [
    { metrics: ['sends'] },
    { metrics: ['answer_time'] },
    { group: ['send_outcome'], metrics: ['leads'] },
  ] as ReportInput[])
    expect((await affiliate.call(reportApi.run, { body: { ...ASKED, ...body } })).status).toBe(403)
})

test('a change restates the day the lead came, and counts once however often it is looked at', async () => {
  await api.db.updateTable('user_session').set({ status: 'ambiguous' }).where('status', '=', 'accepted').execute()
  await counted()
  expect(await totals()).toEqual([3, 0, 1, 1, 1])
  await api.db.updateTable('user_session').set({ status: 'accepted' }).where('status', '=', 'ambiguous').execute()
  await counted()
  // all of them once more
  await api.db.insertInto('session_due').columns(['session_id']).expression(api.db.selectFrom('user_session').select('id')).execute()
  await counted()
  expect(await totals()).toEqual([3, 1, 1, 1, 0])
})

test('a change that is not committed yet is counted after it is', async () => {
  await api.db.updateTable('user_session').set({ reason: 'nobody_took_it' }).where('status', '=', 'rejected').execute()
  await api.db.transaction().execute(async (trx) => {
    await trx.updateTable('user_session').set({ status: 'queued' }).where('status', '=', 'rejected').execute()
    await countSessions(api.db)
  })
  await counted()
  expect(await totals()).toEqual([3, 1, 0, 1, 1])
  await api.db.updateTable('user_session').set({ status: 'rejected', reason: 'rejected' }).where('status', '=', 'queued').execute()
  await counted()
})

test('made anew they are the same, those of conversions beside them', async () => {
  const before = await totals()
  await api.db.updateTable('user_session').set({ status: 'converted' }).where('status', '=', 'accepted').execute()
  await countSessions(api.db)
  // what waits for conversions' facts stays where it is, and so does what waits for leads'
  expect(await rebuildFacts(api.db, api.clickhouse)).toBe(1)
  expect(await rebuildSessionFacts(api.db, api.clickhouse)).toBe(6)
  await counted()
  expect(await totals()).toEqual(before)
  expect((await figures({ metrics: ['conversions', 'leads', 'lead_cr'] })).summary.totals).toEqual({
    conversions: 1,
    leads: 3,
    lead_cr: 0,
  })
})

/** What each roll-up keeps apart, beside its quarter hours. */
const ROLL_UPS = {
  session_by_quarter: 'traffic',
  session_by_offer: 'offer, advertiser, product, traffic',
  session_by_affiliate: 'affiliate, traffic',
  session_by_place: 'offer, geo, traffic',
  session_by_device: 'device, os, traffic',
  session_by_status: 'status, reason, traffic',
}
const SENT = `kind = 'send' AND outcome IN ('accepted', 'rejected', 'duplicate', 'no_capacity')`
/** The same figures of the facts themselves. */
const OF_FACTS = {
  leads: `sumIf(sign, kind = 'session')`,
  leads_accepted: `sumIf(sign, kind = 'session' AND status IN ('accepted', 'converted', 'closed'))`,
  leads_rejected: `sumIf(sign, kind = 'session' AND status IN ('rejected', 'unsold'))`,
  leads_duplicate: `sumIf(sign, kind = 'session' AND status = 'duplicate')`,
  leads_waiting: `sumIf(sign, kind = 'session' AND status IN ('received', 'held', 'queued', 'ambiguous'))`,
  sends: `sumIf(sign, kind = 'send')`,
  sends_accepted: `sumIf(sign, kind = 'send' AND outcome = 'accepted')`,
  answered: `sumIf(sign, ${SENT})`,
  answer_ms: `sumIf(sign * ms, ${SENT})`,
}

/** Every cell of every roll-up in which something is left, beside the same of the facts. */
async function rolledUp() {
  const cells = async (query: string) =>
    (await (await api.clickhouse.query({ query, format: 'JSONCompactEachRow' })).json<string[]>()).map((row) => row.join(' ')).sort()
  const sums = Object.keys(OF_FACTS) as (keyof typeof OF_FACTS)[]
  const of = (from: string, columns: string, quarter: string, sum: (name: keyof typeof OF_FACTS) => string) =>
    cells(`SELECT ${quarter} AS q, ${columns}, ${sums.map((name) => `toString(${sum(name)}) AS s_${name}`).join(', ')} FROM ${from}
      GROUP BY q, ${columns} HAVING ${sums.map((name) => `s_${name} != '0'`).join(' OR ')}`)
  return Promise.all(
    Object.entries(ROLL_UPS).map(async ([table, columns]) => ({
      table,
      rolled: await of(table, columns, 'quarter', (name) => `sum(${name})`),
      facts: await of('session_fact', columns, 'toStartOfInterval(ts, INTERVAL 15 MINUTE)', (name) => OF_FACTS[name]),
    })),
  )
}

test(
  'whatever states leads go through, roll-ups hold what their facts add up to, and so they do made anew',
  { timeout: 60_000 },
  async () => {
    const { db } = api
    await sql`select setseed(0.25)`.execute(db)
    await sql`
    insert into user_session (person_id, affiliate_id, offer_id, click_id, origin, traffic_type, status, told, country, draw, received_at, changed_at)
    select s.person_id, s.affiliate_id, s.offer_id, 'rolled-' || n, 'api', (array['warm', 'cold'])[1 + (random() * 1.4)::int % 2], 'received',
           jsonb_build_object('device', (array['mobile', 'desktop'])[1 + (n % 2)], 'os', (array['android', 'ios', 'windows'])[1 + (n % 3)]),
           (array['IT', 'DE', ''])[1 + (n % 3)], 0.5, s.received_at - random() * interval '40 days', s.received_at
      from generate_series(1, 60) n, (select * from user_session where not test order by id limit 1) s`.execute(db)
    for (let round = 0; round < 3; round++) {
      await sql`
      update user_session set status = (array['received', 'queued', 'accepted', 'unsold', 'rejected', 'duplicate', 'ambiguous', 'converted', 'closed'])[1 + floor(random() * 9)::int],
             reason = (array['', 'rejected', 'waits'])[1 + floor(random() * 3)::int]
       where click_id like 'rolled-%' and random() < 0.5`.execute(db)
      await sql`
      insert into lead_send (session_id, person_id, product_id, advertiser_id, version_id, attempt, status, asked_at)
      select s.id, s.person_id, n.product_id, n.advertiser_id, n.version_id, ${round + 10}, 'error', s.received_at + random() * interval '2 days'
        from user_session s, (select * from lead_send order by id limit 1) n where s.click_id like 'rolled-%' and random() < 0.4`.execute(
        db,
      )
      await sql`
      update lead_send set outcome = (array['accepted', 'rejected', 'no_capacity', 'temporary'])[1 + floor(random() * 4)::int],
             status = 'rejected', answered_at = asked_at + random() * interval '9 seconds'
       where attempt >= 10 and random() < 0.5`.execute(db)
      await counted()
      for (const { table, rolled, facts } of await rolledUp()) expect(rolled, table).toEqual(facts)
    }
    const before = await rolledUp()
    expect(before.every(({ facts }) => facts.length > 3)).toBe(true)
    // what the engine merges changes no sum
    for (const { table } of before) await api.clickhouse.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
    expect(await rolledUp()).toEqual(before)
    // a backup holds none of them: a restore makes them anew
    expect((await listStatistics(api.clickhouse)).filter(({ table }) => table.startsWith('session_'))).toEqual([])
    await rebuildSessionFacts(db, api.clickhouse)
    expect(await rolledUp()).toEqual(before)
    // and are filled again by what changes after that
    await sql`update user_session set status = 'closed' where click_id like 'rolled-%' and status <> 'closed'`.execute(db)
    await counted()
    const after = await rolledUp()
    for (const { table, rolled, facts } of after) expect(rolled, table).toEqual(facts)
    expect(after).not.toEqual(before)
    await db.deleteFrom('session_due').execute()
  },
)
