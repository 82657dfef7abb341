import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiOfferApi, type ApiOfferInput, type MemberPrice, type StoredTerms } from '#contract/leads/api-offer.ts'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { BREAKER, productApi, type ProductDetail, type ProductPrice } from '#contract/leads/product.ts'
import { productHealthApi } from '#contract/leads/product-health.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { currencyApi } from '#contract/money/currency.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { partnerApiOfferApi } from '#contract/offers/partner-api.ts'
import { auditApi } from '#contract/people/audit.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeKey } from '#test/support/make/api-key.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { goalInput, ruleInput } from '#test/support/make/offers.ts'
import { apiOfferForm, groupInput, memberInput } from '#test/support/make/products.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pushPath } from './push-token.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
/** Broken answers 500: here a lead that may be tried again. */
const SPEC = integrationSpec.parse({
  ...MOCK_SPEC,
  response: {
    ...MOCK_SPEC.response,
    rules: [{ when: [{ at: '', op: 'eq', value: '500' }], outcome: 'temporary' }, ...MOCK_SPEC.response.rules],
  },
})
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db)
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

type Own = Partial<Pick<ProductDetail, 'currency' | 'prices' | 'breaker_failures' | 'breaker_minutes' | 'notes'>>
const own = (goal: string, geos: string[], price: string): ProductPrice => ({ goal, geos, price })
const place = (goal: string, geos: string[], price: string, payout: string | null = null): MemberPrice => ({ goal, geos, price, payout })
const get = async (uuid: string, who = admin) => (await who.call(productApi.get, { params: { uuid } })).data
/** What a form of products sends that knows nothing of what `more` tells. */
const update = async (uuid: string, more: Own, who = admin) => {
  const { title, host, geos, time_zone, notes, version, version_number } = await get(uuid, who)
  return who.call(productApi.update, {
    params: { uuid },
    body: { title, host, geos, time_zone, notes, version, version_number, credentials: {}, ...more },
  })
}
async function productOf(more: Own = {}, advertiserId = advertiser.id) {
  const made = await makeMockProduct(api.db, advertiserId, mock, api.clock.now(), SPEC)
  if (Object.keys(more).length > 0) expect(await update(made.uuid, more)).toMatchObject({ status: 200 })
  return made
}
const offerWith = (product: { id: number }, terms: Partial<StoredTerms> = {}, more: Parameters<typeof makeLeadOffer>[4] = {}) =>
  makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...product, terms }], more)
const GOALS = [
  goalInput({ code: 'registration', title: 'Registration', rules: [ruleInput({ payout_fixed: '0', revenue_fixed: '0' })] }),
  goalInput({ code: 'ftd', title: 'Deposit', is_default: false, rules: [ruleInput({ payout_fixed: '200', revenue_fixed: '300' })] }),
]
const formOf = (product: { uuid: string }, prices: MemberPrice[] = [], more: Partial<ApiOfferInput> = {}): ApiOfferInput =>
  apiOfferForm({
    integration_type: 'finance_trading',
    goals: GOALS,
    groups: [groupInput([memberInput(product.uuid, { prices })])],
    ...more,
  })
const create = (form: ApiOfferInput, who = admin) => who.call(apiOfferApi.create, { body: form })

test('prices and breaker of a product are kept, refused by field, logged, and stay where a request does not tell them', async () => {
  const euros = await makeAdvertiser(api.db, { currency: 'EUR' })
  const { uuid: integration_uuid } = await api.db
    .selectFrom('integration as i')
    .innerJoin('product as p', 'p.integration_id', 'i.id')
    .select('i.uuid')
    .where('p.uuid', '=', (await productOf()).uuid)
    .executeTakeFirstOrThrow()
  const fields = { title: 'Fresh', host: mock.host, geos: [], time_zone: 'UTC', notes: '', credentials: { api_key: mock.key } }
  const made = await admin.call(productApi.create, { body: { ...fields, advertiser_uuid: euros.uuid, integration_uuid } })
  expect(made.data).toMatchObject({
    currency: 'EUR',
    prices: [],
    breaker_failures: BREAKER.failures,
    breaker_minutes: BREAKER.minutes,
  })
  const { uuid } = made.data
  const told = {
    currency: 'USD',
    prices: [own('ftd', ['IT', 'PL'], '500'), own('ftd', [], '450.5')],
    breaker_failures: 3,
    breaker_minutes: 1,
  }
  expect((await update(uuid, told)).status).toBe(200)
  const kept = { ...told, prices: [own('ftd', ['IT', 'PL'], '500.0000'), own('ftd', [], '450.5000')] }
  expect((await update(uuid, { notes: 'by a program that knows no prices' })).data).toMatchObject(kept)
  // the same amounts in other texts are no change
  expect((await update(uuid, { prices: told.prices })).status).toBe(200)

  expect((await update(uuid, { prices: [own('ftd', ['IT'], '1'), own('ftd', ['PL', 'IT'], '2'), own('lead', [], '3')] })).fields).toEqual({
    'prices.1.geos': 'Another price of this goal is for the same country',
  })
  expect((await update(uuid, { prices: [own('ftd', [], '1'), own('lead', [], '3')] })).fields).toEqual({
    'prices.1.goal': 'Its leads are booked under registration, ftd, redeposit, and under no other goal',
  })
  for (const wrong of [
    { breaker_failures: 0 },
    { breaker_failures: 101 },
    { breaker_minutes: 0 },
    { breaker_minutes: 61 },
    { currency: 'usd' },
  ])
    expect(Object.keys((await update(uuid, wrong)).fields)).toEqual(Object.keys(wrong))
  for (const price of ['-1', '1.123456789', 'many'])
    expect((await update(uuid, { prices: [own('ftd', [], price)] })).fields).toHaveProperty('prices.0.price')
  await admin.call(currencyApi.setActive, { body: { code: 'GBP', active: false } })
  expect(await update(uuid, { currency: 'GBP' })).toMatchObject({ status: 422, fields: { currency: 'Choose an active currency' } })
  await admin.call(currencyApi.setActive, { body: { code: 'GBP', active: true } })
  expect((await update(uuid, { currency: 'GBP' })).status).toBe(200)
  expect((await admin.call(currencyApi.setActive, { body: { code: 'GBP', active: false } })).errors).not.toEqual({})
  expect((await update(uuid, { currency: 'USD' })).status).toBe(200)
  expect(await get(uuid)).toMatchObject(kept)

  const { list } = (await admin.call(auditApi.history, { body: { kind: 'product', uuid } })).data
  expect(list.map(({ before, after }) => [before?.['currency'], after?.['currency'], Object.keys(after ?? {}).toSorted()])).toEqual([
    ['GBP', 'USD', ['currency']],
    ['USD', 'GBP', ['currency']],
    [undefined, undefined, ['notes']],
    ['EUR', 'USD', ['breaker_failures', 'breaker_minutes', 'currency', 'prices']],
    [undefined, 'EUR', expect.arrayContaining(['breaker_failures', 'breaker_minutes', 'currency', 'prices'])],
  ])
  expect(list[3]).toMatchObject({ before: { prices: [], breaker_failures: 10 }, after: { prices: kept.prices, breaker_failures: 3 } })
})

test('a product that takes leads of any kind may price the goals of every kind', async () => {
  const product = await productOf()
  await sql`update integration set type = 'generic' where id = (select integration_id from product where id = ${product.id})`.execute(
    api.db,
  )
  expect((await update(product.uuid, { prices: [own('ftd', [], '1'), own('sale', [], '2'), own('soi', [], '3')] })).status).toBe(200)
  // of another kind by now: what it has stays
  await sql`update integration set type = 'dating' where id = (select integration_id from product where id = ${product.id})`.execute(api.db)
  const left = [own('ftd', [], '1'), own('lead', [], '2')]
  expect((await update(product.uuid, { prices: left })).fields).toEqual({ 'prices.1.goal': expect.stringContaining('soi, doi') })
  expect((await update(product.uuid, { prices: [own('ftd', [], '4')] })).status).toBe(200)
})

describe('what is booked', () => {
  /** A lead from a country, with a deposit where asked: what each goal brought and cost. */
  const sell = async (offer: { uuid: string }, product: { uuid: string }, country: string, first_name = 'Anna') => {
    const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { country, first_name }) })
    expect(data.status).toBe('accepted')
    return { ...data, sold: await deposit(product, mock.leads.at(-1)?.externalId ?? '', data.click_id) }
  }
  const deposit = async (product: { uuid: string }, lead_id: string, clickId: string) => {
    const query = new URLSearchParams({ lead_id, status: 'FTD' }).toString()
    expect((await fetch(`${api.url}${pushPath(secretKey, product.uuid)}?${query}`)).status).toBe(200)
    return booked(clickId)
  }
  const booked = async (clickId: string) => {
    const rows = await api.db
      .selectFrom('conversion as c')
      .innerJoin('goal as g', 'g.id', 'c.goal_id')
      .select(['g.code', 'c.revenue', 'c.payout', 'c.currency'])
      .where('c.click_id', '=', clickId)
      .orderBy('g.code')
      .execute()
    return rows.map(({ code, revenue, payout, currency }) => `${code} ${Number(revenue)} ${Number(payout)} ${currency}`)
  }

  test('is the price of the product where its place says nothing: by country, by goal, of the lead as of its deposit', async () => {
    const product = await productOf({ prices: [own('registration', ['IT'], '3.25'), own('ftd', ['IT'], '550'), own('ftd', [], '420')] })
    const offer = await offerWith(product)
    // payouts are those of the goal: 200 for a deposit
    expect((await sell(offer, product, 'IT')).sold).toEqual(['ftd 550 200 USD', 'registration 3.25 0 USD'])
    expect((await sell(offer, product, 'PL')).sold).toEqual(['ftd 420 200 USD', 'registration 0 0 USD'])
    const said = (await admin.call(apiOfferApi.get, { params: { uuid: offer.uuid } })).data.groups[0]?.members[0]
    expect(said).toMatchObject({ prices: [], own: { currency: 'USD', prices: (await get(product.uuid)).prices } })
  })

  test('is the price of its place where that says one, and what the payout rows say where neither does', async () => {
    const product = await productOf({ prices: [own('ftd', ['IT', 'PL'], '550'), own('ftd', [], '420')] })
    const some = await offerWith(product, { prices: [place('ftd', ['IT'], '610', '333')] })
    expect((await sell(some, product, 'IT')).sold[0]).toBe('ftd 610 333 USD')
    expect((await sell(some, product, 'PL')).sold[0]).toBe('ftd 550 200 USD')
    expect((await sell(some, product, 'ES')).sold[0]).toBe('ftd 420 200 USD')
    const all = await offerWith(product, { prices: [place('ftd', [], '480')] })
    expect((await sell(all, product, 'PL')).sold[0]).toBe('ftd 480 200 USD')
    const none = await productOf({ prices: [own('ftd', ['IT'], '550')] })
    expect((await sell(await offerWith(none), none, 'PL')).sold[0]).toBe('ftd 300 200 USD')
  })

  test('is what the product says of a lead whose place was taken out since, and nothing in another currency', async () => {
    const product = await productOf({ prices: [own('ftd', [], '420')] })
    const offer = await offerWith(product, { prices: [place('ftd', [], '480')] })
    const [one, two] = [await sent(offer), await sent(offer)]
    await api.db.deleteFrom('offer_member').where('product_id', '=', product.id).execute()
    expect((await deposit(product, one.id, one.click))[0]).toBe('ftd 420 200 USD')
    // what keeps an offer and its products to one currency does not reach leads of places there are no more
    expect((await update(product.uuid, { currency: 'EUR' })).status).toBe(200)
    expect((await deposit(product, two.id, two.click))[0]).toBe('ftd 300 200 USD')
  })
  const sent = async (offer: { uuid: string }) => {
    const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid) })
    return { id: mock.leads.at(-1)?.externalId ?? '', click: data.click_id }
  }

  test('the simulator tells it by country', async () => {
    const product = await productOf({ prices: [own('ftd', ['IT'], '550'), own('ftd', [], '420')] })
    const offer = await offerWith(product, { prices: [place('registration', [], '2', '1')] })
    const { uuid } = await api.db.selectFrom('account').select('uuid').where('id', '=', affiliate.accountId).executeTakeFirstOrThrow()
    const told = async (geo: string) =>
      (await admin.call(apiOfferApi.simulate, { params: { uuid: offer.uuid }, body: { affiliate_uuid: uuid, geo } })).data.members[0]
        ?.prices
    expect(await told('IT')).toEqual([
      { goal: 'registration', price: '2', payout: '1' },
      { goal: 'ftd', price: '550.0000', payout: null },
    ])
    expect((await told('PL'))?.[1]).toEqual({ goal: 'ftd', price: '420.0000', payout: null })
  })
})

describe('an offer in another currency', () => {
  const REFUSED = { 'groups.0.members.0.product_uuid': 'Its prices are in EUR, this offer is in USD' }

  test('takes no product with prices, unless its place says what each goal brings', async () => {
    const product = await productOf({ currency: 'EUR', prices: [own('ftd', ['IT'], '550'), own('redeposit', [], '10')] })
    expect((await create(formOf(product))).fields).toEqual(REFUSED)
    expect((await create(formOf(product, [place('ftd', ['IT'], '500')]))).fields).toEqual(REFUSED)
    // a goal the offer does not have is never booked in it
    const made = await create(formOf(product, [place('ftd', [], '500')]))
    expect(made).toMatchObject({ status: 200, fields: {} })
    const { version } = made.data
    const change = (form: ApiOfferInput) => admin.call(apiOfferApi.update, { params: { uuid: made.data.uuid }, body: { ...form, version } })
    const redeposit = goalInput({ code: 'redeposit', title: 'Redeposit', is_default: false, repeatable: true, rules: [ruleInput({})] })
    const covered = [place('ftd', [], '500')]
    expect((await change(formOf(product, covered, { goals: [...GOALS, redeposit] }))).fields).toEqual(REFUSED)
    expect((await change(formOf(product, [], { currency: 'EUR' }))).status).toBe(200)
    const euros = await productOf({ currency: 'EUR' })
    expect((await create(formOf(euros))).status).toBe(200)
  })

  test('keeps its products from prices it cannot book; it is named to whom it belongs', async () => {
    const manager = await api.as('manager')
    const theirs = await makeAdvertiser(api.db, { managerId: manager.managerId })
    const product = await productOf({}, theirs.id)
    const made = (await create(formOf(product, [], { title: 'Spring deposits' }), manager)).data
    const prices = [own('ftd', [], '500')]
    const named = { currency: 'The offer Spring deposits that gives it leads is in USD, and takes no prices in EUR' }
    expect((await update(product.uuid, { currency: 'EUR', prices }, manager)).fields).toEqual(named)
    // beside a product of others it is none of theirs
    const other = await productOf()
    const form = formOf(product, [], { groups: [groupInput([memberInput(product.uuid), memberInput(other.uuid)])] })
    const saved = await admin.call(apiOfferApi.update, { params: { uuid: made.uuid }, body: { ...form, version: made.version } })
    expect(saved.status).toBe(200)
    expect((await update(product.uuid, { currency: 'EUR', prices }, manager)).fields).toEqual({
      currency: 'An offer that gives it leads is in USD, and takes no prices in EUR',
    })
    expect((await update(product.uuid, { currency: 'EUR' }, manager)).status).toBe(200)
    expect((await update(product.uuid, { prices }, manager)).fields).toHaveProperty('currency')
    expect((await update(product.uuid, { currency: 'USD', prices }, manager)).status).toBe(200)
    // one that takes no leads any more is no reason
    await api.db.updateTable('offer').set({ status: 'archived' }).where('uuid', '=', made.uuid).execute()
    expect((await update(product.uuid, { currency: 'EUR' }, manager)).status).toBe(200)
  })

  test('saved beside the product at one moment, one of the two is refused, whichever was first', async () => {
    const blocked = async () =>
      (
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
          and query ilike '%"product" as "p"%'`.execute(api.db)
      ).rows.length
    const product = await productOf({ prices: [own('ftd', [], '500')] })
    const offer = api.db.transaction().execute(async (trx) => {
      await sql`update product set currency = 'EUR' where id = ${product.id}`.execute(trx)
      const creating = create(formOf(product))
      await expect.poll(blocked).toBe(1)
      return { creating }
    })
    expect((await (await offer).creating).fields).toEqual(REFUSED)

    await sql`update product set currency = 'USD' where id = ${product.id}`.execute(api.db)
    const { uuid } = (await create(formOf(await productOf()))).data
    const { id } = await api.db.selectFrom('offer').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
    const saving = await api.db.transaction().execute(async (trx) => {
      // as an offer that is saved does
      await sql`select from product where id = ${product.id} for share`.execute(trx)
      await sql`update offer_member set product_id = ${product.id} where group_id in (select id from offer_group where offer_id = ${id})`.execute(
        trx,
      )
      const updating = update(product.uuid, { currency: 'EUR' })
      await expect.poll(blocked).toBe(1)
      return { updating }
    })
    expect((await saving.updating).fields).toHaveProperty('currency')
    expect(await get(product.uuid)).toMatchObject({ currency: 'USD' })
  })

  test('saved many times at once, no offer is left with prices in another currency', async () => {
    const product = await productOf()
    for (let round = 0; round < 6; round++) {
      const [offer, saved] = await Promise.all([
        create(formOf(product)),
        update(product.uuid, { currency: 'EUR', prices: [own('ftd', [], '500')] }),
      ])
      expect([offer.status, saved.status].filter((status) => status === 200)).toHaveLength(1)
      await sql`delete from offer_member where product_id = ${product.id}`.execute(api.db)
      expect((await update(product.uuid, { currency: 'USD', prices: [] })).status).toBe(200)
    }
  })
})

test('an offer that pays more than a product brings asks before it is activated and when it is saved', async () => {
  const product = await productOf({ prices: [own('ftd', ['IT'], '150'), own('ftd', [], '420')] })
  const made = (await create(formOf(product))).data
  const activate = (confirm: ('pays_more' | 'no_click_id')[] = []) =>
    admin.call(offerApi.setStatus, { body: { uuids: [made.uuid], status: 'active', confirm } })
  expect(await activate()).toMatchObject({ status: 409, fields: { pays_more: 'A payout row pays more than it earns' } })
  // where its place says more there is nothing to ask
  const save = async (form: ApiOfferInput) => {
    const { version } = (await admin.call(apiOfferApi.get, { params: { uuid: made.uuid } })).data
    return admin.call(apiOfferApi.update, { params: { uuid: made.uuid }, body: { ...form, version } })
  }
  expect((await save(formOf(product, [place('ftd', ['IT'], '260')]))).status).toBe(200)
  expect((await activate()).status).toBe(200)
  expect(await save(formOf(product))).toMatchObject({ status: 409, fields: { pays_more: expect.anything() } })
  expect((await save(formOf(product, [place('ftd', [], '260')]))).status).toBe(200)
})

test('an affiliate learns nothing of what products pay, nor from which countries they name', async () => {
  const product = await productOf({ prices: [own('ftd', ['MT'], '731.25'), own('ftd', [], '642.75')] })
  const offer = await offerWith(product)
  const partner = async () => (await affiliate.call(apiOfferApi.partner, { params: { uuid: offer.uuid } })).data
  const before = await partner()
  expect(before.countries.map(({ geo }) => geo)).toEqual([''])
  expect(before.payouts).toEqual([])
  const lead = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { country: 'MT' }) })
  const key = await makeKey(api, affiliate, ['offers.read', 'leads.read'])
  const byKey = await caller(api.url, key)(partnerApiOfferApi.get, { params: { uuid: offer.uuid } })
  expect([lead.status, byKey.status]).toEqual([201, 200])
  const heard = JSON.stringify([
    before,
    lead.data,
    byKey.data,
    (await affiliate.call(leadApi.check, { body: leadOf(offer.uuid, { country: 'MT' }) })).data,
    (await affiliate.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).data,
    (await affiliate.call(userSessionApi.detail, { params: { uuid: lead.data.session_uuid } })).data,
  ])
  expect(heard).not.toMatch(/731\.25|642\.75/)
  expect(heard).toContain('registration')
  for (const name of ['prices', 'breaker_failures']) expect(heard).not.toContain(name)
  expect((await affiliate.call(productApi.get, { params: { uuid: product.uuid } })).status).toBe(403)
  // a country where its place pays otherwise than elsewhere is theirs to know, whether or not it says what
  const apart = await offerWith(product, { prices: [place('ftd', ['IT'], '610'), place('ftd', [], '590', '410')] })
  const told = (await affiliate.call(apiOfferApi.partner, { params: { uuid: apart.uuid } })).data
  expect(told.countries.map(({ geo }) => geo)).toEqual(['IT', ''])
  expect(told.payouts).toEqual([{ goal: 'ftd', geos: [], least: '410.0000', most: '410.0000' }])
  const priced = await offerWith(product, { prices: [place('ftd', ['IT'], '610')] })
  expect((await affiliate.call(apiOfferApi.partner, { params: { uuid: priced.uuid } })).data.countries.map(({ geo }) => geo)).toEqual([''])
})

test('a product rests after as many errors, and for as long, as it says', async () => {
  const product = await productOf({ breaker_failures: 3, breaker_minutes: 1 })
  const offer = await offerWith(product)
  const send = async (first_name: string) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { first_name }) })).data.status
  const health = async () => {
    const { list } = (await admin.call(productHealthApi.list, { body: { product_uuid: [product.uuid] } })).data
    return { failures: list[0]?.failures, rests: list[0]?.until ? Date.parse(list[0].until) - api.clock.now() : null }
  }
  for (let at = 0; at < 2; at++) await send('Broken')
  expect(await health()).toEqual({ failures: 2, rests: null })
  await send('Broken')
  expect(await health()).toEqual({ failures: 3, rests: 60_000 })
  const told = await api.db.selectFrom('notification').select('count').where('kind', '=', 'product_failing').execute()
  expect(told.map(({ count }) => count)).toEqual([3])
  const asked = mock.leads.length
  await send('Anna')
  expect(mock.leads).toHaveLength(asked)
  api.clock.advance(60_000)
  // one tries it, and it rests twice as long
  await send('Broken')
  expect(await health()).toEqual({ failures: 4, rests: 120_000 })
  // raised meanwhile: after this rest errors below the new limit are none to rest for
  await update(product.uuid, { breaker_failures: 20 })
  api.clock.advance(120_000)
  await send('Broken')
  expect(await health()).toEqual({ failures: 5, rests: null })
  expect(await send('Anna')).toBe('accepted')
  expect(await health()).toEqual({ failures: 0, rests: null })
})
