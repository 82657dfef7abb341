import { afterAll, beforeAll, expect, test } from 'vitest'
import { authApi } from '#contract/people/auth.ts'
import { personApi } from '#contract/leads/person.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { countSessions } from '#server/features/leads/session-fact/session-fact.jobs.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { makeLeadList, makeUnsold, recoldForm } from '#test/support/make/cold.ts'
import type { Caller } from '#test/support/run/api.ts'
import { startColdDesk, type ColdDesk } from '#test/support/run/cold-desk.ts'

let desk: ColdDesk
/** Whose people are sold a second time without them, and with them. */
let left: Caller
let kept: Caller
let offer: Awaited<ReturnType<ColdDesk['offerOf']>>
/** Whose are paid an amount for each. */
let fixed: Caller
const recolds = { none: '', original: '', fixed: '' }

/** Two people sold a second time for the network alone, one for who brought them and one for an amount, all four with a deposit. */
beforeAll(async () => {
  desk = await startColdDesk({ clickhouse: true })
  const { api, mock, nobody, secretKey } = desk
  ;[left, kept, fixed] = [desk.affiliate, await api.as('affiliate'), await api.as('affiliate')]
  offer = await desk.offerOf()
  for (const [payout, affiliate, people] of [
    ['none', left, [{}, {}]],
    ['original', kept, [{}]],
    ['fixed', fixed, [{}]],
  ] as const) {
    const sessions = await makeUnsold(api.db, affiliate, nobody.uuid, people)
    const list = await makeLeadList(api.db, api.clock.now(), sessions)
    recolds[payout] = (
      await desk.start([list.uuid, offer.uuid, { payout, payout_amount: payout === 'fixed' ? '35.50' : null, title: `Paying ${payout}` }])
    ).uuid
    await desk.work(130)
  }
  expect(mock.leads).toHaveLength(4)
  for (const { externalId } of mock.leads) {
    const said = await fetch(`${api.url}${pushPath(secretKey, offer.products[0]?.uuid ?? '')}?lead_id=${externalId}&status=FTD&amount=90`)
    expect(said.status).toBe(200)
  }
  while ((await countSessions(api.db, 100)) > 0);
  await sendOutbox(api.db, api.clickhouse)
})
afterAll(() => desk.close())

const balanceOf = async (kind: 'affiliate_available' | 'receivable', owner: number | null) => {
  const found = desk.api.db
    .selectFrom('ledger_account')
    .select('balance')
    .where('kind', '=', kind)
    .where('owner_id', '=', owner ?? 0)
  return Math.abs(Number((await found.executeTakeFirst())?.balance ?? 0))
}

test('a deposit on a cold lead is booked, owed by the advertiser, paid by the policy, and revenue of its distribution', async () => {
  expect(await desk.live(recolds.none)).toMatchObject({ conversions: 2, revenue: [{ currency: 'USD', amount: '600.0000' }] })
  expect(await desk.live(recolds.original)).toMatchObject({ conversions: 1, revenue: [{ currency: 'USD', amount: '300.0000' }] })
  expect(await balanceOf('affiliate_available', kept.affiliateId)).toBe(200)
  expect(await balanceOf('affiliate_available', fixed.affiliateId)).toBe(35.5)
  expect(await balanceOf('affiliate_available', left.affiliateId)).toBe(0)
  expect(await balanceOf('receivable', desk.advertiser.id)).toBe(1200)
})

test('statistics of leads tell of warm ones until cold ones or all are asked for, and affiliates of what is theirs', async () => {
  const figures = async (caller: Caller, traffic?: 'warm' | 'cold' | 'all') => {
    const body = { period: { preset: 'today' as const }, zone: 'UTC', offer_type: 'api' as const, group: [], traffic }
    const { data } = await caller.call(reportApi.run, { body: { ...body, metrics: ['leads', 'leads_accepted', 'conversions', 'payout'] } })
    const { leads, leads_accepted, conversions, payout } = data.summary.totals
    return [leads, leads_accepted, conversions, Number(payout)]
  }
  expect(await figures(desk.admin)).toEqual([4, 0, 0, 0])
  expect(await figures(desk.admin, 'warm')).toEqual([4, 0, 0, 0])
  expect(await figures(desk.admin, 'cold')).toEqual([4, 4, 8, 235.5])
  expect(await figures(desk.admin, 'all')).toEqual([8, 4, 8, 235.5])
  // what they are paid adds up, and of what is not theirs they hear nothing, whatever they ask
  expect(await figures(kept)).toEqual([2, 1, 2, 200])
  for (const traffic of [undefined, 'cold', 'all'] as const) expect((await figures(left, traffic))[2], traffic).toBe(0)
})

test('cold leads and their conversions are listed when asked for, each with its distribution for whoever may see it', async () => {
  const sessions = async (caller: Caller, body: object = {}) => (await caller.call(userSessionApi.list, { body: body as never })).data.list
  expect((await sessions(desk.admin)).map(({ traffic_type }) => traffic_type)).toEqual(['warm', 'warm', 'warm', 'warm'])
  const cold = await sessions(desk.admin, { traffic: 'cold', sort: 'received_at', direction: 'asc' })
  expect(cold.map(({ recold }) => recold?.name)).toEqual(['Paying none', 'Paying none', 'Paying original', 'Paying fixed'])
  expect(await sessions(desk.admin, { traffic: 'all' })).toHaveLength(8)
  // who looks for one finds it, and so does who names where they came from
  expect(await sessions(desk.admin, { search: cold[0]?.uuid })).toHaveLength(1)
  expect(await sessions(desk.admin, { origin: ['cold'] })).toHaveLength(4)
  const detail = await desk.admin.call(userSessionApi.detail, { params: { uuid: cold[0]?.uuid ?? '' } })
  expect(detail.data.session.recold).toMatchObject({ uuid: recolds.none })
  // a manager may see leads and no distributions
  const manager = await desk.api.as('manager')
  await desk.api.db
    .updateTable('affiliate')
    .set({ manager_id: manager.managerId })
    .where('id', '=', kept.affiliateId ?? 0)
    .execute()
  const [seen] = await sessions(manager, { traffic: 'cold' })
  expect(seen).toMatchObject({ traffic_type: 'cold' })
  expect(seen).not.toHaveProperty('recold')
  for (const traffic of ['cold', 'all'] as const) {
    const theirs = await sessions(left, { traffic })
    expect(theirs.every(({ traffic_type }) => traffic_type === 'warm')).toBe(true)
    expect(JSON.stringify(theirs)).not.toMatch(/Paying|recold/)
  }
  expect((await sessions(kept)).map(({ traffic_type }) => traffic_type)).toEqual(['cold', 'warm'])

  const conversions = async (caller: Caller, body: object = {}) =>
    (await caller.call(conversionApi.list, { body: { offer_type: 'api', ...body } as never })).data.summary.rows
  expect(await conversions(desk.admin)).toBe(0)
  expect(await conversions(desk.admin, { traffic: 'cold' })).toBe(8)
  expect(await conversions(desk.admin, { traffic: 'all' })).toBe(8)
  expect(await conversions(desk.admin, { offer_type: null })).toBe(8)
  expect(await conversions(left, { traffic: 'all' })).toBe(0)
  expect(await conversions(kept)).toBe(2)
})

test('whoever watches a distribution hears at once that something of it has changed, and others hear nothing', async () => {
  const { api, admin } = desk
  const watch = async (caller: Caller, uuid: string) => {
    const gone = new AbortController()
    const path = recoldApi.stream.path.replace(':uuid', uuid)
    const answer = await fetch(`${api.url}${path}`, { headers: { authorization: `Bearer ${caller.token}` }, signal: gone.signal })
    let text = ''
    const reading = (async () => {
      for await (const bytes of answer.body ?? []) text += Buffer.from(bytes).toString()
    })().catch(() => undefined)
    const leave = async () => {
      gone.abort()
      await reading
    }
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      changes: () => text.split('"kind":"changed"').length - 1,
      over: reading,
      leave,
    }
  }
  const list = await desk.listOf([{}])
  const { uuid } = await desk.start([list.uuid, offer.uuid])
  const [mine, other] = [await watch(admin, uuid), await watch(admin, recolds.none)]
  expect([mine.status, mine.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const lead = await api.as('team lead')
  expect((await watch(lead, uuid)).status).toBe(404)
  expect((await watch(left, uuid)).status).toBe(403)
  await desk.work(0)
  await expect.poll(mine.changes).toBeGreaterThan(0)
  const before = mine.changes()
  await admin.call(recoldApi.done, { params: { uuid } })
  await expect.poll(mine.changes).toBeGreaterThan(before)
  // nothing of it, as nothing of its distribution has changed
  expect(other.changes()).toBe(0)
  await Promise.all([mine.leave(), other.leave()])
  // who has signed out hears no more, at once
  const leaving = await api.as('head')
  const last = await watch(leaving, uuid)
  let over = false
  void last.over.then(() => (over = true))
  await leaving.call(authApi.logout)
  // sooner than the next heartbeat would notice
  await expect.poll(() => over, { timeout: 10_000 }).toBe(true)
})

test('figures tell by a thousand sends what was brought, by age, source, offer and advertiser, and who complained; each in their scope', async () => {
  const { api, admin } = desk
  const figures = async (caller: Caller, body: object = {}) => (await caller.call(recoldApi.figures, { body: body as never })).data
  const one = await figures(admin, { uuid: recolds.original })
  expect(one.total).toEqual({
    sent: 1,
    accepted: 1,
    conversions: 1,
    revenue: [{ currency: 'USD', amount: '300.0000', payout: '200.0000', per_thousand: '300000.0000' }],
    complaints: 0,
    opt_outs: 0,
  })
  // one complains of the second sale, one had complained before it
  const people = await api.db
    .selectFrom('recold_item as i')
    .innerJoin('person as p', 'p.id', 'i.person_id')
    .innerJoin('recold as r', 'r.id', 'i.recold_id')
    .select(['p.uuid', 'p.phone_hash', 'i.sent_at'])
    .where('r.uuid', '=', recolds.none)
    .orderBy('i.id')
    .execute()
  for (const [place, days] of [1, -1].entries())
    await api.db
      .insertInto('suppression')
      .values({
        kind: 'phone',
        hash: people[place]?.phone_hash ?? Buffer.alloc(0),
        shown: '***',
        reason: 'complaint',
        source: 'api',
        created_at: new Date((people[place]?.sent_at?.getTime() ?? 0) + days * 1000),
      })
      .execute()
  const all = await figures(admin, { period: { preset: 'today' }, zone: 'UTC' })
  // four with a deposit of 300, and one of whom nothing came
  expect(all.total).toMatchObject({ sent: 5, accepted: 5, conversions: 4, complaints: 1, opt_outs: 0 })
  // who is forgotten has complained all the same, and who had before still has not since
  for (const { uuid } of people) await admin.call(personApi.erase, { params: { uuid }, body: { reason: 'Asked for it' } })
  expect((await figures(admin, { period: { preset: 'today' }, zone: 'UTC' })).total).toEqual(all.total)
  expect(all.total.revenue).toEqual([{ currency: 'USD', amount: '1200.0000', payout: '235.5000', per_thousand: '240000.0000' }])
  const rows = (by: string) => all.rows.filter((row) => row.by === by)
  expect(rows('age')).toMatchObject([{ age: '0', sent: 5, complaints: 1 }])
  expect(rows('source').map(({ of, sent, revenue }) => [of?.id, sent, revenue[0]?.per_thousand])).toEqual([
    [left.affiliateId, 3, '200000.0000'],
    [kept.affiliateId, 1, '300000.0000'],
    [fixed.affiliateId, 1, '300000.0000'],
  ])
  expect(rows('offer')).toMatchObject([{ sent: 5 }])
  expect(rows('advertiser')).toMatchObject([{ of: { name: 'Second Brokers' }, sent: 5, accepted: 5, conversions: 4 }])
  expect((await figures(admin, { period: { preset: 'yesterday' } })).total.sent).toBe(0)
  const lead = await api.as('team lead')
  expect(await figures(lead)).toMatchObject({ total: { sent: 0 }, rows: [] })
  for (const caller of [left, await api.as('manager')])
    expect((await caller.call(recoldApi.figures, { body: {} as never })).status).toBe(403)
})

test('before a start it is said what it would bring and cost, by what earlier ones did, and nothing where nothing is known', async () => {
  const { api, admin, nobody } = desk
  const sessions = await makeUnsold(api.db, kept, nobody.uuid, [{}, {}, {}])
  const list = await makeLeadList(api.db, api.clock.now(), sessions)
  const preview = async (more: Parameters<typeof recoldForm>[2] = {}, caller = admin) =>
    (await caller.call(recoldApi.preview, { body: recoldForm(list.uuid, offer.uuid, more) })).data.projection
  // what was sold today may come to more
  expect(await preview()).toMatchObject({ currency: 'USD', revenue: null, leads: 0, cold: 0, paid: 0 })
  api.clock.advance(8 * 86_400_000)
  const told = await preview()
  expect(told).toMatchObject({ leads: 5, cold: 5, paid: 4, payout: { low: '0.0000', high: '0.0000' } })
  expect(told.revenue).toEqual({ low: expect.stringMatching(/^\d+\.0000$/), high: expect.stringMatching(/^\d+\.0000$/) })
  expect(Number(told.revenue?.high)).toBeLessThanOrEqual(900)
  expect(Number(told.revenue?.high)).toBeGreaterThanOrEqual(300)
  expect(Number((await preview({ payout: 'fixed', payout_amount: '10' })).payout?.high)).toBe(Number(told.revenue?.high) / 30)
  // whom a limit keeps from being sent brings and costs nothing
  const limited = await preview({ payout: 'fixed', payout_amount: '10', pacing: { total: 1 } })
  expect([Number(limited.revenue?.high), Number(limited.payout?.high)]).toEqual([300, 10])
  expect((await admin.call(recoldApi.preview, { body: recoldForm(list.uuid, offer.uuid, { payout: 'fixed' }) })).fields).toHaveProperty(
    'payout_amount',
  )
  const { uuid } = await desk.start([list.uuid, offer.uuid, { payout: 'original', pacing: { total: 1 } }])
  const { projection, payout } = (await admin.call(recoldApi.get, { params: { uuid } })).data
  expect(Number(projection?.revenue?.high)).toBe(300)
  expect([payout, projection?.leads, projection?.paid]).toEqual(['original', 5, 4])
  // of a team's own leads nothing is known yet
  const lead = await api.as('team lead')
  await api.db.updateTable('lead_list').set({ manager_id: lead.managerId }).where('uuid', '=', list.uuid).execute()
  expect(await preview({}, lead)).toMatchObject({ revenue: null, leads: 0 })
})

test('a cold lead of a product with prices of its own brings those, and costs what its distribution says', async () => {
  const { api, nobody, secretKey } = desk
  const priced = await desk.offerOf()
  const [product] = priced.products
  await api.db
    .updateTable('product')
    .set({ prices: JSON.stringify([{ goal: 'ftd', geos: [], price: '455.0000' }]) })
    .where('id', '=', product?.id ?? 0)
    .execute()
  for (const [payout, costs] of [
    ['original', 200],
    ['fixed', 35.5],
    ['none', 0],
  ] as const) {
    const sessions = await makeUnsold(api.db, kept, nobody.uuid, [{}])
    const list = await makeLeadList(api.db, api.clock.now(), sessions)
    await desk.start([list.uuid, priced.uuid, { payout, payout_amount: payout === 'fixed' ? '35.50' : null, title: `Priced ${payout}` }])
    await desk.work(130)
    const sends = api.db
      .selectFrom('lead_send')
      .select('uuid')
      .where('product_id', '=', product?.id ?? 0)
    const { uuid } = await sends.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    const query = `lead_id=${uuid}&status=FTD`
    expect((await fetch(`${api.url}${pushPath(secretKey, product?.uuid ?? '')}?${query}`)).status).toBe(200)
    const of = api.db.selectFrom('conversion').select(['revenue', 'payout']).where('offer_id', '=', priced.id)
    const sold = await of.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    expect([payout, Number(sold.revenue), Number(sold.payout)]).toEqual([payout, 455, costs])
  }
})
