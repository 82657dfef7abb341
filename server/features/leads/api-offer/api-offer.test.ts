import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOfferApi, type ApiOfferInput } from '#contract/leads/api-offer.ts'
import { leadApi, leadInput } from '#contract/leads/lead.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { apiOfferForm, groupInput, makeProduct, memberInput } from '#test/support/make/products.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { readCascade } from './cascade.queries.ts'

let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
let own: { id: number; uuid: string }
let one: { id: number; uuid: string }
let two: { id: number; uuid: string }
let strangers: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  manager = await api.as('manager')
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
  own = await makeAdvertiser(api.db, { name: 'Own Secret', managerId: manager.managerId })
  const [other, theirs] = [
    await makeAdvertiser(api.db, { name: 'Second Secret', managerId: manager.managerId }),
    await makeAdvertiser(api.db, { name: 'Third Secret' }),
  ]
  one = await tested(own.id)
  two = await tested(other.id)
  strangers = await tested(theirs.id)
})
afterAll(() => api.close())

async function tested(advertiserId: number) {
  const product = await makeProduct(api.db, advertiserId, api.clock.now())
  await api.db
    .updateTable('product')
    .set((row) => ({ tested_version_id: row.ref('version_id'), tested_at: new Date(api.clock.now()), title: `Product of ${advertiserId}` }))
    .where('id', '=', product.id)
    .execute()
  return product
}

const take = async <Data>(
  answer: Promise<{ status: number; data: Data; errors: Record<string, string>; fields: Record<string, string> }>,
) => {
  const { status, data, errors, fields } = await answer
  expect({ status, errors, fields }).toMatchObject({ status: 200, errors: {} })
  return data
}
const make = (changes: Partial<ApiOfferInput> = {}, who = manager) =>
  take(
    who.call(apiOfferApi.create, {
      body: apiOfferForm({ groups: [groupInput([memberInput(one.uuid), memberInput(two.uuid)])], ...changes }),
    }),
  )
const save = async (uuid: string, changes: Partial<ApiOfferInput>, who = manager) => {
  const { version } = (await who.call(offerApi.get, { params: { uuid } })).data
  return who.call(apiOfferApi.update, { params: { uuid }, body: { ...apiOfferForm(changes), version } })
}
const simulate = (uuid: string, more: object = {}) =>
  take(manager.call(apiOfferApi.simulate, { params: { uuid }, body: { affiliate_uuid: affiliate.uuid, geo: 'UA', ...more } }))
const price = (changes: object = {}) => ({ goal: 'lead', geos: [], price: '20', payout: null, ...changes })

describe('an API offer', () => {
  test('is made with its products, changed by its managers, copied, and shown to others without whose it is', async () => {
    const made = await make()
    expect(made).toMatchObject({ type: 'api', status: 'draft', advertiser: null, editable: true, integration_type: 'generic' })
    expect(made.groups[0]?.members.map(({ product, hindered }) => [product.uuid, hindered])).toEqual([
      [one.uuid, null],
      [two.uuid, null],
    ])
    const members = await api.db.selectFrom('offer_member').select(['id', 'product_id']).where('product_id', '=', two.id).execute()
    const saved = await save(made.uuid, {
      title: 'Turned',
      groups: [
        groupInput([memberInput(two.uuid, { geos: ['UA'], caps: [{ period: 'day', limit: 5 }] })]),
        groupInput([memberInput(one.uuid)], { strategy: 'weight' }),
      ],
    })
    expect(saved.data.groups.map(({ strategy, members: [first] }) => [strategy, first?.product.uuid])).toEqual([
      ['priority', two.uuid],
      ['weight', one.uuid],
    ])
    // a product that moved is the member it was: its counters go on
    expect(await api.db.selectFrom('offer_member').select(['id', 'product_id']).where('product_id', '=', two.id).execute()).toEqual(members)
    const copy = await take(manager.call(offerApi.duplicate, { params: { uuid: made.uuid } }))
    expect(
      (await take(manager.call(apiOfferApi.get, { params: { uuid: copy.uuid } }))).groups.map(({ members: all }) => all.length),
    ).toEqual([1, 1])
    const stranger = await api.as('manager')
    expect((await stranger.call(apiOfferApi.get, { params: { uuid: made.uuid } })).data).toMatchObject({ editable: false, groups: [] })
    expect((await stranger.call(offerApi.list, { body: { type: ['api'], search: 'Turned' } })).data.list[0]).toMatchObject({
      editable: false,
    })
    expect((await save(made.uuid, {}, stranger)).status).toBe(404)
  })

  test('refuses, by name, products of others, untested ones, of another kind and twice, prices without a goal, and limits twice', async () => {
    const refusal = async (changes: Partial<ApiOfferInput>) =>
      (await manager.call(apiOfferApi.create, { body: apiOfferForm(changes) })).fields
    // nothing would ever be booked under it
    const deposits = goalInput({ code: 'deposit', title: 'Deposit', is_default: false })
    expect(await refusal({ integration_type: 'finance_trading', goals: [goalInput({ code: 'registration' }), deposits] })).toEqual({
      'goals.1.code': 'Leads of this kind are booked under registration, ftd, redeposit, and under no other goal',
    })
    const untested = await makeProduct(api.db, (await makeAdvertiser(api.db, { managerId: manager.managerId })).id, api.clock.now())
    const gambling = await tested((await makeAdvertiser(api.db, { managerId: manager.managerId })).id)
    await api.db.updateTable('integration').set({ type: 'gambling' }).where('uuid', '=', gambling.integration).execute()
    expect(
      await refusal({ groups: [groupInput([memberInput(strangers.uuid), memberInput(untested.uuid), memberInput(gambling.uuid)])] }),
    ).toEqual({
      'groups.0.members.0.product_uuid': 'Choose a product of an advertiser of yours',
      'groups.0.members.1.product_uuid': 'This product took no test lead yet: test it first',
      'groups.0.members.2.product_uuid': 'This product takes leads of another kind',
    })
    expect(await refusal({ groups: [] })).toEqual({ groups: 'Add a product of an advertiser of yours' })
    const day = { period: 'day' as const, limit: 1 }
    expect(
      await refusal({
        groups: [
          groupInput([
            memberInput(one.uuid, { prices: [price({ goal: 'other' }), price({ geos: ['UA'] }), price({ geos: ['PL', 'UA'] })] }),
          ]),
          groupInput([
            memberInput(one.uuid, { caps: [day, day], subs: { mode: 'only', values: [] }, hours: [[], [], [], [], [], [], []] }),
          ]),
        ],
      }),
    ).toEqual({
      'groups.0.members.0.prices.0.goal': 'Choose a goal of this offer',
      'groups.0.members.0.prices.2.geos': 'Another price of this goal is for the same country',
      'groups.1.members.0.product_uuid': 'This product is in the offer already',
      'groups.1.members.0.subs.values': 'Choose at least one',
      'groups.1.members.0.caps.1.period': 'There is such a cap already',
      'groups.1.members.0.hours': 'It would never be open: pause it instead',
    })
  })

  test('is active only with a product that takes leads, without a destination of its own, and asks about prices below payouts', async () => {
    const empty = await make({ groups: [] }, admin)
    const activate = (uuid: string, who = admin) => who.call(offerApi.setStatus, { body: { uuids: [uuid], status: 'active' } })
    expect((await activate(empty.uuid)).fields).toEqual({ groups: 'An active offer needs a tested product that takes its leads' })
    const loss = await make({ groups: [groupInput([memberInput(one.uuid, { prices: [price({ payout: '25' })] })])] })
    expect((await activate(loss.uuid)).fields).toEqual({ pays_more: 'A payout row pays more than it earns' })
    // nor does it say what is paid, and the goal's row pays more than the product brings
    const row = goalInput({ code: 'lead', title: 'Lead', rules: [ruleInput({ payout_fixed: '40', revenue_fixed: '90' })] })
    const rows = await make({ goals: [row], groups: [groupInput([memberInput(one.uuid, { prices: [price({ payout: null })] })])] })
    expect(Object.keys((await activate(rows.uuid)).fields)).toEqual(['pays_more'])
    const made = await make()
    expect((await activate(made.uuid)).status).toBe(200)
    expect((await save(made.uuid, { groups: [groupInput([memberInput(one.uuid, { paused: true })])] })).fields).toEqual({
      groups: 'An active offer needs a tested product that takes its leads',
    })
  })

  test('saved by two is kept from the second, a change is taken back whole, and neither type is saved by the form of the other', async () => {
    const made = await make({ groups: [groupInput([memberInput(one.uuid, { prices: [price()] })])] })
    const late = await manager.call(apiOfferApi.update, {
      params: { uuid: made.uuid },
      body: { ...apiOfferForm(), version: made.version - 1 },
    })
    expect(late.errors).toHaveProperty('1012')
    const direct = await makeOffer(manager, own.uuid)
    expect((await save(direct.uuid, {})).status).toBe(404)
    expect((await saveOffer(manager, made.uuid, offerForm(own.uuid))).status).toBe(404)
    await save(made.uuid, { groups: [groupInput([memberInput(two.uuid)])], wait_hours: 12 })
    const [change] = (await take(manager.call(offerApi.history, { params: { uuid: made.uuid } }))).list
    await take(manager.call(offerApi.undo, { params: { uuid: made.uuid }, body: { id: change?.id ?? '' } }))
    const back = await take(manager.call(apiOfferApi.get, { params: { uuid: made.uuid } }))
    expect(back).toMatchObject({ wait_hours: 0, groups: [{ members: [{ product: { uuid: one.uuid }, prices: [{ price: '20.0000' }] }] }] })
    await take(manager.call(offerApi.remove, { params: { uuid: made.uuid } }))
    expect((await manager.call(apiOfferApi.get, { params: { uuid: made.uuid } })).status).toBe(404)
  })
})

describe('the simulator', () => {
  test('says who is asked in which order, who is passed over and why, and what it brings', async () => {
    const made = await make({
      groups: [
        groupInput([
          memberInput(one.uuid, { geos: ['PL'] }),
          memberInput(two.uuid, { on_reject: 'stop', prices: [price(), price({ geos: ['UA'], price: '30', payout: '21' })] }),
        ]),
      ],
    })
    expect((await simulate(made.uuid)).refused).toBe('draft')
    await take(manager.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active' } }))
    expect(await simulate(made.uuid)).toMatchObject({
      refused: null,
      members: [
        { product: { uuid: one.uuid }, turn: 'passed_over', check: 'geo', detail: { country: 'UA' } },
        { product: { uuid: two.uuid }, turn: 'first', check: null, prices: [{ goal: 'lead', price: '30.0000', payout: '21.0000' }] },
      ],
    })
    expect((await simulate(made.uuid, { geo: 'PL' })).members.map(({ turn }) => turn)).toEqual(['first', 'next'])
    const stranger = await api.as('affiliate')
    const body = { affiliate_uuid: stranger.uuid, geo: 'UA' }
    expect((await manager.call(apiOfferApi.simulate, { params: { uuid: made.uuid }, body })).fields).toHaveProperty('affiliate_uuid')
  })

  test('counts what was taken in the zone of each product, and keeps a lead for who opens or has room again', async () => {
    const monday = Date.parse('2026-11-23T22:30:00Z')
    const made = await make({
      wait_hours: 10,
      groups: [
        groupInput([
          memberInput(one.uuid, { time_zone: 'Europe/Kyiv', caps: [{ period: 'day', limit: 2 }] }),
          memberInput(two.uuid, { time_zone: 'UTC', hours: [[], [{ from: 480, until: 1080 }], [], [], [], [], []] }),
        ]),
      ],
    })
    await take(manager.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active' } }))
    const cascade = await readCascade(api.db, made.id, monday)
    const window = cascade?.groups[0]?.members[0]?.windows[0]
    // half past midnight in Kyiv
    expect(window?.starts.toISOString()).toBe('2026-11-23T22:00:00.000Z')
    await api.db
      .insertInto('lead_counter')
      .values({ owner: window?.owner ?? '', period: 'day', starts: window?.starts ?? new Date(0), used: 2 })
      .execute()
    const found = await simulate(made.uuid, { at: new Date(monday).toISOString() })
    expect(found).toMatchObject({
      kept_until: '2026-11-24T08:30:00.000Z',
      members: [
        { check: 'cap', detail: { name: 'day Europe/Kyiv', limit: '2', used: '2' } },
        { check: 'hours', detail: { opens_at: '2026-11-24T08:00:00.000Z' } },
      ],
    })
  })
})

const daily = (from: number, until: number) => Array.from({ length: 7 }, () => [{ from: from * 60, until: until * 60 }])

test('an affiliate learns what to send, from where leads are taken and what they pay, and nothing of who takes them', async () => {
  const made = await make({
    privacy: 'premoderation',
    integration_type: 'loans_insurance',
    goals: [
      goalInput({ code: 'lead', title: 'Lead', rules: [ruleInput({ payout_fixed: '7' })] }),
      goalInput({ code: 'sale', title: 'Hidden secret', is_default: false, hidden: true }),
    ],
    groups: [
      groupInput([
        memberInput(one.uuid, {
          geos: ['UA', 'PL'],
          caps: [
            { period: 'day', limit: 5 },
            { period: 'month', limit: 90 },
          ],
          hours: daily(8, 18),
          prices: [price({ geos: ['UA'], payout: '9' }), price({ goal: 'sale', payout: '3' })],
        }),
        memberInput(two.uuid, {
          geos: ['UA'],
          caps: [{ period: 'day', limit: 7 }],
          hours: daily(9, 20),
          prices: [price({ geos: ['UA'], payout: '11' })],
        }),
      ]),
    ],
  })
  await take(manager.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active', confirm: ['pays_more'] } }))
  await take(manager.call(offerApi.addAffiliates, { params: { uuid: made.uuid }, body: { affiliate_uuids: [affiliate.uuid] } }))
  const listed = await take(affiliate.call(partnerOfferApi.list, { body: { tab: 'live', search: String(made.id) } }))
  expect(listed.list).toMatchObject([{ type: 'api', state: 'live' }])
  const shown = await take(affiliate.call(apiOfferApi.partner, { params: { uuid: made.uuid } }))
  const { fields, sample, ...rest } = shown
  const today = Math.floor(api.clock.now() / 86_400_000) * 86_400_000
  const at = (hour: number, day = 0) => new Date(today + (day * 24 + hour) * 3_600_000).toISOString()
  expect(fields.filter(({ required }) => required).map(({ name }) => name)).toEqual([
    'offer_uuid',
    'first_name',
    'last_name',
    'phone',
    'country',
    'zip',
    'ip',
  ])
  expect(fields).toContainEqual({ name: 'gender', required: false, kind: 'text', most: null, values: ['male', 'female', 'other'] })
  // what is shown as a sample is taken
  expect(await take(affiliate.call(leadApi.check, { body: leadInput.parse(sample) }))).toMatchObject({ missing: [], reason: null })
  expect(rest).toEqual({
    consent: { mode: 'off', fields: [] },
    integration_type: 'loans_insurance',
    required: ['first_name', 'last_name', 'phone', 'country', 'zip', 'ip'],
    repeat_days: null,
    countries: [
      {
        geo: 'PL',
        required: shown.required,
        state: 'open',
        opens_at: null,
        remaining: 5,
        openings: expect.arrayContaining([{ from: at(8, 1), until: at(18, 1) }]),
      },
      {
        geo: 'UA',
        required: shown.required,
        state: 'open',
        opens_at: null,
        remaining: 12,
        openings: expect.arrayContaining([{ from: at(8, 1), until: at(20, 1) }]),
      },
    ],
    payouts: [{ goal: 'lead', geos: ['UA'], least: '9.0000', most: '11.0000' }],
  })
  const whole = JSON.stringify([listed, shown, await take(affiliate.call(partnerOfferApi.get, { params: { uuid: made.uuid } }))])
  expect(whole).not.toMatch(/secret|"price"|20\.0000|Product of/i)
})

test('what an offer pays in a country begins at the terms of the goal where one of its products says nothing of its own', async () => {
  const made = await make({
    privacy: 'public',
    goals: [
      goalInput({
        code: 'lead',
        rules: [
          ruleInput({ geos: ['PL'], payout_fixed: '7' }),
          ruleInput({ geos: ['CZ'], payout_percent: '5' }),
          ruleInput({ payout_fixed: '6' }),
        ],
      }),
    ],
    groups: [
      groupInput([
        memberInput(one.uuid, { geos: ['CZ', 'PL', 'UA'] }),
        memberInput(two.uuid, { geos: ['CZ', 'PL'], prices: [price({ payout: '8' })] }),
      ]),
    ],
  })
  await take(manager.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active', confirm: ['pays_more'] } }))
  const { payouts, countries } = await take(affiliate.call(apiOfferApi.partner, { params: { uuid: made.uuid } }))
  expect(countries.map(({ geo }) => geo)).toEqual(['CZ', 'PL', 'UA'])
  // a share is no amount, and where nobody says anything the terms of the goals do
  expect(payouts).toEqual([
    { goal: 'lead', geos: ['CZ'], least: '8.0000', most: '8.0000' },
    { goal: 'lead', geos: ['PL'], least: '7.0000', most: '8.0000' },
  ])
})
