import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialectApi, type Dialect } from '#contract/traffic/dialect.ts'
import { shapeApi } from '#contract/traffic/shape.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { findPreset } from '#server/rules/conversion/dialect/presets.ts'
import { understand } from '#server/rules/conversion/postback-meaning.ts'
import { makeShapes, type Truth } from '#test/support/make/call-shapes.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { callsIn, parsePostback } from '../postback/incoming/parse.service.ts'
import { receivePostback } from '../postback/incoming/receive.service.ts'
import { shapeKeptCalls } from './shape.jobs.ts'

/* Calls that were not understood, grouped, with a mapping proposed for them, and applied by one click. */
const CALLS = 9
let api: TestApi
let admin: Caller
let keys: ClickIdKeys
let affiliateId: number

beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  admin = await api.as('admin')
  keys = await makeClickKeys(api.db)
  affiliateId = await makeAffiliateId(api.db)
})
afterAll(() => api.close())

/** Its goals share an amount, or each has a price of its own. */
async function offerWith(goals: readonly string[], pay: 'shares' | 'prices' = 'shares') {
  const terms = pay === 'shares' ? { payout: '0', payoutPercent: '50', revenue: '0', revenuePercent: '100' } : {}
  const offer = await makeOffer(api.db, { ...terms, repeatable: false })
  const more = await api.db
    .insertInto('goal')
    .values(goals.filter((code) => code !== 'sale').map((code, index) => ({ offer_id: offer.id, code, title: code, position: index + 1 })))
    .returning('id')
    .execute()
  await api.db
    .insertInto('payout_rule')
    .values(
      more.map(({ id }) => ({
        offer_id: offer.id,
        goal_id: id,
        payout_percent: pay === 'shares' ? '50' : '0',
        payout_fixed: pay === 'shares' ? '0' : '5',
      })),
    )
    .execute()
  const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  return { ...offer, advertiserUuid: uuid }
}
const clicksOf = async (offerId: number, count: number) => {
  const clicks = Array.from({ length: count }, () => makeClick(keys, { offerId, affiliateId, at: api.clock.now() - 3_600_000 }))
  await storeClicks(api.clickhouse, clicks)
  return clicks
}
const receive = (call: Parameters<typeof handOver>[1]) =>
  receivePostback(
    { db: api.db, findClick: openClickFinder(api.clickhouse), clock: api.clock },
    { ...handOver({}, call), received_at: new Date(api.clock.now()).toISOString(), query: call?.query ?? '' },
  )
const booked = (offerId: number) =>
  api.db.selectFrom('conversion').select(['status', 'amount', 'transaction_id']).where('offer_id', '=', offerId).orderBy('id').execute()
const groupOf = async (uuid: string, sender: 'known' | 'unproven' = 'known') =>
  (await admin.call(shapeApi.list, { body: { sender, count: 100 } })).data.list.filter(({ advertiser }) => advertiser.uuid === uuid)

/** What a dialect makes of a call, in the words of the truth. */
function readBy(dialect: Dialect, call: Parameters<typeof parsePostback>[0], goals: readonly string[], clickId: string): Truth | string {
  const { fields } = parsePostback(callsIn(call, dialect)[0]!, dialect)
  if (fields.problem !== null) return `${fields.problem.reason} ${fields.problem.parameter}`
  if (fields.click_id !== clickId) return 'another click'
  const all = ['sale', ...goals.filter((code) => code !== 'sale')]
  const meant = understand(fields.said, {
    goals: all.map((code) => ({ code, type: 'CPA', is_default: code === 'sale', retired: false })),
    words: dialect.words,
    statuses: {},
    unnamedStatus: 'approved',
    currency: fields.currency || 'USD',
  })
  if ('refusal' in meant) return `${meant.refusal} ${meant.detail ?? meant.parameter}`
  return {
    status: meant.statusNamed ? meant.status : null,
    goal: meant.goal.code,
    amount: meant.amount === null ? null : String(Number(meant.amount)),
    currency: fields.currency || null,
    txn: fields.txn_id || null,
  }
}

describe('sixty shapes of calls nobody tuned to', () => {
  test(
    'are kept, none is booked, and for at least 48 the mapping that is proposed reads every call right',
    { timeout: 120_000 },
    async () => {
      const seed = Number(process.env['SHAPES_SEED'] ?? 20261123)
      const wrong: string[] = []
      let read = 0
      for (const shape of makeShapes(60, seed)) {
        const offer = await offerWith(shape.goals, 'prices')
        const clicks = Array.from({ length: CALLS }, () =>
          makeClick(keys, { offerId: offer.id, affiliateId, at: api.clock.now() - 60_000 }),
        )
        const made = clicks.map(({ id }) => ({ ...shape.make(id, offer.token), id }))
        for (const { call } of made) await receive(call)
        expect(await booked(offer.id), shape.title).toEqual([])
        const groups = await groupOf(offer.advertiserUuid)
        expect(
          groups.reduce((sum, { calls }) => sum + calls, 0),
          shape.title,
        ).toBe(CALLS)
        const [group] = groups
        const { data } = await admin.call(shapeApi.propose, { body: { advertiser_uuid: offer.advertiserUuid, shape: group?.shape ?? '' } })
        const problems = made.flatMap(({ call, truth, id }) => {
          const got = readBy(
            data.dialect,
            { method: 'GET', path: '/postback', query: '', body: '', content_type: '', headers: {}, ...call },
            shape.goals,
            id,
          )
          const expected = { ...truth, goal: truth.goal ?? 'sale' }
          return JSON.stringify(got) === JSON.stringify(expected) ? [] : [`${JSON.stringify(got)} for ${JSON.stringify(expected)}`]
        })
        if (problems.length === 0 && groups.length === 1) read++
        else wrong.push(`${shape.title}: ${groups.length} groups; ${problems[0] ?? ''}`)
      }
      expect(read, wrong.join('\n')).toBeGreaterThanOrEqual(48)
    },
  )
})

test('calls of a visitor with one click id push no call of an advertiser out', async () => {
  const [real, other] = [await offerWith(['lead']), await offerWith(['lead'])]
  const [click] = await clicksOf(real.id, 1)
  const [visited] = await clicksOf(other.id, 1)
  await receive({ query: `sub1=${click?.id}&state=sale&key=${real.token}` })
  const letters = (index: number) => `${String.fromCodePoint(97 + (index % 26))}${String.fromCodePoint(97 + Math.floor(index / 26))}`
  api.clock.advance(1000)
  for (let index = 0; index < 105; index++)
    await receive({ path: `/${letters(index)}`, query: `${letters(index)}=${visited?.id}&token=guessed` })
  expect(await groupOf(real.advertiserUuid)).toMatchObject([{ calls: 1 }])
  expect(await groupOf(other.advertiserUuid)).toEqual([])
  expect(await groupOf(other.advertiserUuid, 'unproven')).toHaveLength(3)
})

test('the inbox is paged, of one address a small share is shown, and calls without a shape get theirs', async () => {
  const offer = await offerWith(['lead'])
  const clicks = await clicksOf(offer.id, 7)
  for (const [index, { id }] of clicks.entries())
    await receive({ ip: '198.51.100.9', query: `status=soon${index}&word_${'abcdefg'[index]}_status=x&click_id=${id}&token=guessed` })
  expect(await groupOf(offer.advertiserUuid, 'unproven')).toEqual([])
  await api.db.updateTable('postback_in').set({ reason: 'status_unknown', shape: '' }).where('offer_id', '=', offer.id).execute()
  expect(await shapeKeptCalls(api.db)).toBe(7)
  expect(await shapeKeptCalls(api.db)).toBe(0)
  expect(await groupOf(offer.advertiserUuid, 'unproven')).toHaveLength(5)
  const page = async (number: number) => (await admin.call(shapeApi.list, { body: { sender: 'unproven', count: 2, page: number } })).data
  const [first, second] = [await page(1), await page(2)]
  expect(first.list).toHaveLength(2)
  expect(first.summary.rows).toBe(first.senders.unproven)
  expect(second.list.map(({ shape }) => shape)).not.toEqual(first.list.map(({ shape }) => shape))
})

describe('calls of one shape', () => {
  test('show what they would book, and are booked by one click, once even when two people click', async () => {
    const offer = await offerWith(['ftd'])
    const clicks = await clicksOf(offer.id, 12)
    for (const [index, { id }] of clicks.entries()) {
      const word = index < 2 ? 'lead' : index === 2 ? 'broken' : 'sale'
      await receive({
        query: `sub1=${id}&state=${word}&gain=${index === 3 ? 'none' : '10,50'}&token=${index === 4 ? 'wrong' : offer.token}`,
      })
    }
    expect(await booked(offer.id)).toEqual([])
    const [group] = await groupOf(offer.advertiserUuid)
    expect(group).toMatchObject({ calls: 12, reasons: ['click_id_elsewhere'] })
    const named = { advertiser_uuid: offer.advertiserUuid, shape: group?.shape ?? '' }
    const { data: proposed } = await admin.call(shapeApi.propose, { body: named })
    expect(proposed.words.map(({ word, status }) => [word, status]).toSorted()).toEqual([
      ['broken', null],
      ['lead', 'pending'],
      ['sale', 'approved'],
    ])
    const dialect: Dialect = {
      ...proposed.dialect,
      names: [...proposed.dialect.names, { name: 'gain', means: 'amount' }],
      numbers: 'comma',
    }
    const { data: rehearsed } = await admin.call(shapeApi.rehearse, { body: { ...named, dialect } })
    expect(rehearsed).toMatchObject({ calls: 12, looked: 12, applied: 9, unauthorized: 1 })
    expect(rehearsed.sums.map(({ status, conversions, revenue }) => [status, conversions, Number(revenue)])).toEqual([
      ['approved', 7, 73.5],
      ['pending', 2, 21],
    ])
    expect(rehearsed.failed.map(({ reason, parameter, calls }) => `${reason} ${parameter} ${calls}`).toSorted()).toEqual([
      'amount_invalid gain 1',
      'status_unknown state 1',
    ])
    expect(await booked(offer.id)).toEqual([])

    const other = await api.as('admin')
    const apply = (who: Caller) => who.call(shapeApi.apply, { body: { ...named, version: proposed.version, dialect } })
    const done = await Promise.all([apply(admin), apply(other)])
    expect(done.map(({ status }) => status)).toEqual([200, 200])
    expect(done.reduce((sum, { data }) => sum + data.replayed, 0)).toBe(9)
    expect(await booked(offer.id)).toHaveLength(9)
    expect(
      await api.db.selectFrom('advertiser_dialect').select('version').where('advertiser_id', '=', offer.advertiserId).execute(),
    ).toHaveLength(1)
    expect(await groupOf(offer.advertiserUuid)).toMatchObject([{ calls: 3 }])
    // another mapping than the one that is saved by now
    const stale = await admin.call(shapeApi.apply, { body: { ...named, version: 0, dialect: { ...dialect, numbers: 'point' } } })
    expect(stale.status).toBe(409)
  })

  test.each(['chargeback=1', 'cancelled=true', 'paid=0', 'sale_status=No+answer', 'is_ftd=0'])(
    'that say there is no money are not booked as approved by one click: %s',
    async (said) => {
      const offer = await offerWith(['ftd'])
      for (const { id } of await clicksOf(offer.id, 3)) await receive({ query: `click_id=${id}&${said}&token=${offer.token}` })
      const [group] = await groupOf(offer.advertiserUuid)
      expect(group).toMatchObject({ calls: 3, reasons: ['status_unknown'] })
      const named = { advertiser_uuid: offer.advertiserUuid, shape: group?.shape ?? '' }
      const { data } = await admin.call(shapeApi.propose, { body: named })
      expect(data.fields).toContainEqual(expect.objectContaining({ name: said.replace(/=.*/, ''), means: 'status' }))
      const applied = await admin.call(shapeApi.apply, { body: { ...named, version: data.version, dialect: data.dialect } })
      expect(applied.status).toBe(200)
      expect((await booked(offer.id)).filter(({ status }) => status !== 'declined')).toEqual([])
    },
  )
})

test('an accepted proposal reads in hundredths what says so, and no other amount of the advertiser', async () => {
  const offer = await offerWith(['rev'])
  const { token, advertiserUuid } = offer
  const [first, ...clicks] = await clicksOf(offer.id, 4)
  const tell = (said: string) => receive({ query: `token=${token}&${said}` })
  await tell(`externalid=${first!.id}&postback_type=deposit&amount_cents=5000&deposit_id=dd0`)
  const [group] = await groupOf(advertiserUuid)
  const named = { advertiser_uuid: advertiserUuid, shape: group!.shape }
  const { data } = await admin.call(shapeApi.propose, { body: named })
  const dialect: Dialect = {
    ...data.dialect,
    names: [...data.dialect.names, { name: 'postback_type', means: 'goal' }],
    words: [{ word: 'deposit', status: null, goal: 'rev' }],
  }
  expect(dialect.names).toContainEqual({ name: 'amount_cents', means: 'amount', numbers: 'minor' })
  expect((await admin.call(shapeApi.apply, { body: { ...named, version: data.version, dialect } })).data.replayed).toBe(1)
  expect(await booked(offer.id)).toMatchObject([{ amount: '50.0000' }])
  for (const said of [
    'click_id=#&goal=rev&amount=100&txn_id=std1',
    'click_id=#&goal=rev&amount=7&txn_id=std2',
    'click_id=#&goal=rev&payout=1,200.00&amount=1200&txn_id=s3',
  ])
    expect(await tell(said.replace('#', clicks.pop()!.id))).toMatchObject({ httpStatus: 200 })
  expect((await booked(offer.id)).map(({ amount }) => Number(amount))).toEqual([50, 100, 7, 1200])
})

test('of calls that a full cap would decline it is said which offer’s, and how many', async () => {
  const offer = await offerWith(['ftd'])
  const caps = JSON.stringify([{ period: 'day', scope: 'offer', measure: 'conversions', limit: '1' }])
  await api.db.updateTable('offer').set({ caps }).where('id', '=', offer.id).execute()
  for (const { id } of await clicksOf(offer.id, 3)) await receive({ query: `sub1=${id}&state=sale&gain=10&token=${offer.token}` })
  const [group] = await groupOf(offer.advertiserUuid)
  const named = { advertiser_uuid: offer.advertiserUuid, shape: group?.shape ?? '' }
  const { data: proposed } = await admin.call(shapeApi.propose, { body: named })
  const dialect: Dialect = { ...proposed.dialect, names: [...proposed.dialect.names, { name: 'gain', means: 'amount' }] }
  const { data } = await admin.call(shapeApi.rehearse, { body: { ...named, dialect } })
  expect(data.failed).toEqual([])
  expect(data.sums.map(({ status, conversions }) => [status, conversions])).toEqual([
    ['approved', 1],
    ['declined', 2],
  ])
  expect(data.full).toMatchObject([{ offer: { id: offer.id }, conversions: 2 }])
})

test('of an amount that is none of the fixed prices it is asked whether it is our revenue, the payout or neither, and the answer is kept', async () => {
  const money = (offerId: number) =>
    api.db
      .selectFrom('conversion')
      .select(['status', 'payout', 'revenue', 'amount'])
      .where('offer_id', '=', offerId)
      .orderBy('id')
      .execute()
  const made = async (amount: string) => {
    const offer = await makeOffer(api.db)
    const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
    const clicks = await clicksOf(offer.id, 3)
    const tell = (index: number, more: string) => receive({ query: `click_id=${clicks[index]?.id}&token=${offer.token}&${more}` })
    for (const index of [0, 1]) await tell(index, `state_of_it=x&lead_state=counted&payout=${amount}`)
    const [group] = await groupOf(uuid)
    const named = { advertiser_uuid: uuid, shape: group?.shape ?? '' }
    const { data } = await admin.call(shapeApi.propose, { body: named })
    const dialect: Dialect = {
      ...data.dialect,
      names: [
        { name: 'state_of_it', means: 'ignored' },
        { name: 'lead_state', means: 'status' },
      ],
      words: [{ word: 'counted', status: 'pending', goal: null }],
    }
    return { offer, tell, named, data, dialect }
  }
  // the price itself asks nothing
  expect((await made('10')).data.amount).toBeNull()
  expect((await made('15.00')).data.amount).toBeNull()

  const { offer, tell, named, data, dialect } = await made('22')
  expect(data.amount).toEqual({
    name: 'payout',
    samples: ['22'],
    shares: false,
    prices: [
      {
        offer: expect.any(String),
        goal: 'sale',
        currency: 'USD',
        payout: expect.stringMatching(/^10/),
        revenue: expect.stringMatching(/^15/),
      },
    ],
  })
  const as = (means: 'revenue' | 'payout' | 'amount'): Dialect => ({ ...dialect, names: [...dialect.names, { name: 'payout', means }] })
  const sums = async (means: 'revenue' | 'payout' | 'amount') =>
    (await admin.call(shapeApi.rehearse, { body: { ...named, dialect: as(means) } })).data.sums.map((one) => [
      Number(one.payout),
      Number(one.revenue),
    ])
  expect([await sums('revenue'), await sums('payout'), await sums('amount')]).toEqual([[[20, 44]], [[44, 30]], [[20, 30]]])
  const applied = await admin.call(shapeApi.apply, { body: { ...named, version: data.version, dialect: as('revenue') } })
  expect(applied.data.replayed).toBe(2)
  // kept: later calls are read so, also of what was reported without an amount, or with another one
  await tell(2, 'lead_state=counted')
  await tell(2, 'lead_state=approved&payout=30.50')
  await tell(0, 'lead_state=approved&payout=25')
  expect((await money(offer.id)).map((one) => [one.status, Number(one.payout), Number(one.revenue), Number(one.amount)])).toEqual([
    ['approved', 10, 25, 25],
    ['pending', 10, 22, 22],
    ['approved', 10, 30.5, 30.5],
  ])
  await tell(1, 'state_of_it=x&lead_state=anew&payout=22')
  const [again] = await groupOf(named.advertiser_uuid)
  expect((await admin.call(shapeApi.propose, { body: { ...named, shape: again?.shape ?? '' } })).data.amount).toBeNull()
})

test.each([
  ['keitaro', '/TOKEN/postback?subid=CLICK&status=sale&tid=t1&payout=50', 'payout'],
  ['voluum', '/postback?token=TOKEN&cid=CLICK&txid=t1&p=50', 'p'],
  ['redtrack', '/postback?token=TOKEN&clickid=CLICK&rdtk_event_id=t1&sum=50', 'sum'],
  ['cake', '/p.ashx?token=TOKEN&r=CLICK&t=t1&f=pb&p=50', 'p'],
])(
  'of goals that share the sale it is asked whether an amount that comes as what is paid is that, whatever system it comes from: %s',
  async (system, address, name) => {
    const offer = await makeOffer(api.db, { payoutPercent: '10', payout: '0', revenuePercent: '20', revenue: '0' })
    const { uuid } = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
    await admin.call(dialectApi.update, { params: { uuid }, body: { version: 0, dialect: findPreset(system)!.dialect } })
    const [click] = await clicksOf(offer.id, 1)
    const [path = '', query = ''] = address
      .replace('TOKEN', offer.token)
      .replace('CLICK', click?.id ?? '')
      .split('?')
    const told = await receive({ path, query })
    expect(told).toMatchObject({ body: { reason: 'amount_ambiguous', text: expect.stringMatching(/read in two ways.*may be the sale/) } })
    expect(String(told.body['text'])).not.toContain('decimals')
    const [group] = await groupOf(uuid)
    const named = { advertiser_uuid: uuid, shape: group?.shape ?? '' }
    const { data } = await admin.call(shapeApi.propose, { body: named })
    expect(data.amount).toEqual({ name, samples: ['50'], shares: true, prices: [] })
    const others = data.dialect.names.filter((one) => one.name !== name)
    const dialect: Dialect = { ...data.dialect, names: [...others, { name, means: 'sale' }] }
    const { sums } = (await admin.call(shapeApi.rehearse, { body: { ...named, dialect } })).data
    expect(sums.map((one) => [Number(one.payout), Number(one.revenue)])).toEqual([[5, 10]])
  },
)

test('a rebill of an offer without a goal for it is kept, says which goal to make on which offer, and is booked once that is there', async () => {
  const offer = await makeOffer(api.db)
  const advertiser = await api.db.selectFrom('advertiser').select('uuid').where('id', '=', offer.advertiserId).executeTakeFirstOrThrow()
  const keitaro = findPreset('keitaro')!.dialect
  await admin.call(dialectApi.update, { params: { uuid: advertiser.uuid }, body: { version: 0, dialect: keitaro } })
  const [click] = await clicksOf(offer.id, 1)
  const tell = (status: string, tid: string) =>
    receive({ path: `/${offer.token}/postback`, query: `subid=${click?.id}&status=${status}&tid=${tid}&payout=10` })
  expect(await tell('sale', 't1')).toMatchObject({ body: { outcome: 'created' } })
  expect(await tell('rebill', 't2')).toMatchObject({ httpStatus: 422, body: { reason: 'goal_unknown' } })
  const [group] = await groupOf(advertiser.uuid)
  const named = { advertiser_uuid: advertiser.uuid, shape: group?.shape ?? '' }
  const { data } = await admin.call(shapeApi.propose, { body: named })
  expect(data.rebills).toEqual([{ uuid: offer.uuid, id: offer.id, name: expect.stringContaining('Offer') }])
  const goal = await api.db
    .insertInto('goal')
    .values({ offer_id: offer.id, code: 'rebill', title: 'Rebill', repeatable: true, position: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('payout_rule')
    .values({ offer_id: offer.id, goal_id: goal.id, payout_fixed: '4', revenue_fixed: '6', payout_percent: '0', revenue_percent: '0' })
    .execute()
  const again = (await admin.call(shapeApi.propose, { body: named })).data
  expect(again.rebills).toEqual([])
  const { status, data: done } = await admin.call(shapeApi.apply, {
    body: { ...named, version: again.version, dialect: again.dialect },
  })
  expect([status, done.replayed]).toEqual([200, 1])
  expect((await booked(offer.id)).map((one) => [one.status, one.transaction_id])).toEqual([
    ['approved', 't1'],
    ['approved', 't2'],
  ])
})
