import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerApi } from '#contract/offers/offer.ts'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/offers.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

const cap = (scope: OfferCap['scope'], limit: string): OfferCap => ({ period: 'total', scope, measure: 'conversions', limit })

test('staff see the caps that hold for an affiliate: of those for each what it used itself, of those of the whole offer what all did', async () => {
  const advertiser = await makeAdvertiser(api.db)
  const open = await makeOffer(admin, advertiser.uuid, { title: 'Open', caps: [cap('offer', '10'), cap('affiliate', '4')] })
  const asked = await makeOffer(admin, advertiser.uuid, { title: 'Asked', privacy: 'premoderation', caps: [cap('offer', '5')] })
  await makeOffer(admin, advertiser.uuid, { title: 'Without' })
  const [one, other] = [await api.as('affiliate'), await api.as('affiliate')]
  const count = (affiliate_id: number, used: string) => ({
    offer_id: open.id,
    affiliate_id,
    period: 'total' as const,
    starts: new Date(0),
    measure: 'conversions' as const,
    used,
  })
  const numberOf = async ({ uuid }: Caller) =>
    (
      await api.db
        .selectFrom('affiliate as f')
        .innerJoin('account as a', 'a.id', 'f.account_id')
        .select('f.id')
        .where('a.uuid', '=', uuid)
        .executeTakeFirstOrThrow()
    ).id
  await api.db
    .insertInto('cap_counter')
    .values([count(0, '6'), count(await numberOf(one), '1'), count(await numberOf(other), '5')])
    .execute()

  const capsOf = async (of: Caller, more = {}) =>
    (await admin.call(offerApi.affiliateCaps, { body: { affiliate_uuid: of.uuid, ...more } })).data
  const found = await capsOf(one)
  expect(found.summary.rows).toBe(2)
  expect(found.list).toMatchObject([
    { offer: { uuid: open.uuid, name: 'Open' }, scope: 'offer', used: '6', limit: '10', percent: 60 },
    { offer: { uuid: open.uuid, name: 'Open' }, scope: 'affiliate', used: '1', limit: '4', percent: 25 },
  ])
  expect((await capsOf(other)).list[1]).toMatchObject({ used: '5', percent: 125 })
  // each page says of itself what is left, and an offer one is let into comes with its caps
  expect((await capsOf(one, { count: 1, page: 2 })).list).toMatchObject([{ scope: 'affiliate' }])
  await admin.call(offerApi.addAffiliates, { params: { uuid: asked.uuid }, body: { affiliate_uuids: [one.uuid] } })
  expect((await capsOf(one)).list.map(({ offer }) => offer.name)).toEqual(['Asked', 'Open', 'Open'])
  expect((await capsOf(one, { search: 'ask' })).list).toHaveLength(1)
  await admin.call(offerApi.decideAccess, {
    body: { entries: [{ offer_uuid: open.uuid, affiliate_uuid: one.uuid }], status: 'blocked' },
  })
  expect((await capsOf(one)).list.map(({ offer }) => offer.name)).toEqual(['Asked'])
  // an affiliate of somebody else does not exist
  const manager = await api.as('manager')
  expect((await manager.call(offerApi.affiliateCaps, { body: { affiliate_uuid: one.uuid } })).status).toBe(404)
})
