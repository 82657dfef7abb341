import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/offers.ts'

let api: TestApi
let admin: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  advertiser = await makeAdvertiser(api.db)
})
afterAll(() => api.close())

const ask = (affiliate: Caller, uuid: string, message = '') =>
  affiliate.call(partnerOfferApi.requestAccess, { params: { uuid }, body: { message } })
const decide = (
  staff: Caller,
  offer: { uuid: string },
  affiliates: { uuid: string }[],
  status: 'approved' | 'rejected' | 'blocked',
  reason = '',
) =>
  staff.call(offerApi.decideAccess, {
    body: { entries: affiliates.map((affiliate) => ({ offer_uuid: offer.uuid, affiliate_uuid: affiliate.uuid })), status, reason },
  })
const accessOf = async (affiliate: Caller, uuid: string) => {
  const { status, data } = await affiliate.call(partnerOfferApi.get, { params: { uuid } })
  return status === 200 ? data.access : status
}

describe('an affiliate asks, staff decide', () => {
  test('the request waits, is approved, and the affiliate reads the answer', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation' })
    const affiliate = await api.as('affiliate', { name: 'Iryna' })
    expect(await accessOf(affiliate, offer.uuid)).toBe('none')
    expect((await ask(affiliate, offer.uuid, 'SEO, 500 a day')).data).toEqual({ access: 'pending' })
    expect((await ask(affiliate, offer.uuid, 'again')).data).toEqual({ access: 'pending' })
    const list = await admin.call(offerApi.accessList, { body: { offer_uuid: [offer.uuid], status: ['pending'] } })
    expect(list.data.list).toMatchObject([
      {
        affiliate: { uuid: affiliate.uuid, name: 'Iryna' },
        message: 'SEO, 500 a day',
        decided_by: null,
        editable: true,
        offer: { id: offer.id },
      },
    ])
    expect((await admin.call(offerApi.get, { params: { uuid: offer.uuid } })).data).toMatchObject({
      pending: 1,
      access_counts: { pending: 1, approved: 0 },
    })
    expect((await decide(admin, offer, [affiliate], 'approved', 'Welcome')).data).toMatchObject({ changed: 1 })
    expect((await affiliate.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).data).toMatchObject({
      access: 'approved',
      access_reason: 'Welcome',
    })
    expect((await decide(admin, offer, [affiliate], 'approved')).data).toMatchObject({ changed: 0 })
  })

  test('who was rejected may ask again, who was blocked sees nothing any more', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation' })
    const affiliate = await api.as('affiliate')
    await ask(affiliate, offer.uuid)
    await decide(admin, offer, [affiliate], 'rejected', 'No search ads')
    expect((await affiliate.call(partnerOfferApi.get, { params: { uuid: offer.uuid } })).data).toMatchObject({
      access: 'rejected',
      access_reason: 'No search ads',
    })
    expect((await ask(affiliate, offer.uuid)).data).toEqual({ access: 'pending' })
    await decide(admin, offer, [affiliate], 'blocked')
    expect(await accessOf(affiliate, offer.uuid)).toBe(404)
    expect((await ask(affiliate, offer.uuid)).status).toBe(404)
  })

  test('an own decision is taken back to exactly what was, and never over a later one', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation' })
    const [affiliate, other] = [await api.as('affiliate'), await api.as('affiliate')]
    const entries = [{ offer_uuid: offer.uuid, affiliate_uuid: affiliate.uuid }]
    const undo = (who: Caller, decided_at: string) => who.call(offerApi.undoAccess, { body: { entries, decided_at } })
    const entry = () => api.db.selectFrom('offer_access').selectAll().where('offer_id', '=', offer.id).executeTakeFirst()
    const decideNow = async (who: Caller, status: 'approved' | 'rejected', reason = '') => {
      api.clock.advance(1000)
      return (await decide(who, offer, [affiliate], status, reason)).data.decided_at
    }
    await ask(affiliate, offer.uuid, 'SEO')
    const head = await api.as('head')
    await decideNow(head, 'rejected', 'No search ads')
    const rejected = await entry()
    const approved = await decideNow(admin, 'approved', 'Welcome')
    expect((await undo(head, approved)).status).toBe(409)
    expect((await undo(admin, approved)).data).toEqual({ changed: 1 })
    expect(await entry()).toEqual(rejected)
    expect((await undo(admin, approved)).status).toBe(409)

    // the same status once more is another decision
    const first = await decideNow(admin, 'approved')
    await decideNow(head, 'rejected', 'Still none')
    await decideNow(head, 'approved')
    expect((await undo(admin, first)).status).toBe(409)

    const { decided_at } = (await decide(admin, offer, [other], 'approved')).data
    const body = { entries: [{ offer_uuid: offer.uuid, affiliate_uuid: other.uuid }], decided_at }
    expect((await admin.call(offerApi.undoAccess, { body })).data).toEqual({ changed: 1 })
    expect((await admin.call(offerApi.accessList, { body: { offer_uuid: [offer.uuid] } })).data.summary.rows).toBe(1)
  })

  test('a public offer is open without asking, unless staff close it', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'public' })
    const affiliate = await api.as('affiliate')
    expect((await ask(affiliate, offer.uuid)).data).toEqual({ access: 'approved' })
    expect((await admin.call(offerApi.accessList, { body: { offer_uuid: [offer.uuid] } })).data.list).toEqual([])
    await decide(admin, offer, [affiliate], 'rejected')
    expect(await accessOf(affiliate, offer.uuid)).toBe('rejected')
    expect((await ask(affiliate, offer.uuid)).errors).toHaveProperty('1032')
    expect(await accessOf(affiliate, offer.uuid)).toBe('rejected')
  })

  test('a private offer does not exist until staff add the affiliate', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'private' })
    const [one, two] = [await api.as('affiliate'), await api.as('affiliate')]
    expect((await ask(one, offer.uuid)).status).toBe(404)
    const add = () =>
      admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [one.uuid, two.uuid, advertiser.uuid] } })
    expect((await add()).data).toEqual({ changed: 2 })
    expect((await add()).data).toEqual({ changed: 0 })
    expect(await accessOf(one, offer.uuid)).toBe('approved')
    const ofOne = await admin.call(offerApi.accessList, { body: { affiliate_uuid: [one.uuid] } })
    expect(ofOne.data.list.map((row) => row.offer.uuid)).toEqual([offer.uuid])
  })

  test('a hundred are decided at once, and the log tells who decided', async () => {
    const offer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation' })
    const affiliates = await Promise.all(Array.from({ length: 20 }, () => api.as('affiliate')))
    await Promise.all(affiliates.map((affiliate) => ask(affiliate, offer.uuid)))
    const [one, two] = await Promise.all([
      decide(admin, offer, affiliates, 'approved'),
      decide(admin, offer, affiliates.toReversed(), 'approved'),
    ])
    expect(one.data.changed + two.data.changed).toBe(20)
    const history = await admin.call(offerApi.history, { params: { uuid: offer.uuid }, body: { count: 100 } })
    expect(history.data.list.filter((change) => change.action === 'decide_access')).toHaveLength(20)
    expect(history.data.list[0]).toMatchObject({
      actor: expect.stringContaining('admin'),
      before: { status: 'pending' },
      after: { status: 'approved' },
      undoable: false,
    })
  })
})

describe('scopes', () => {
  test('a manager sees entries of the own affiliates and the own offers, with other people’s names hidden', async () => {
    const manager = await api.as('manager')
    const own = await makeAdvertiser(api.db, { managerId: manager.managerId })
    const ownOffer = await makeOffer(admin, own.uuid, { privacy: 'premoderation', title: 'Own offer' })
    const foreignOffer = await makeOffer(admin, advertiser.uuid, { privacy: 'premoderation', title: 'Foreign offer' })
    const mine = await api.as('affiliate', { managerId: manager.managerId, name: 'Mine' })
    const other = await api.as('affiliate', { name: 'Other' })
    for (const offer of [ownOffer, foreignOffer]) for (const affiliate of [mine, other]) await ask(affiliate, offer.uuid)
    const seen = (await manager.call(offerApi.accessList, { body: { count: 100 } })).data.list.map((row) => [
      row.offer.name,
      row.affiliate.name,
      row.editable,
    ])
    expect(seen.toSorted()).toEqual([
      ['Foreign offer', 'Mine', false],
      ['Own offer', '', true],
      ['Own offer', 'Mine', true],
    ])
    expect((await manager.call(offerApi.accessList, { body: { search: 'Other' } })).data.list).toEqual([])
    for (const sort of ['offer', 'affiliate', 'decided_by'] as const)
      expect((await manager.call(offerApi.accessList, { body: { count: 100, sort } })).data.list).toHaveLength(seen.length)
    expect((await decide(manager, foreignOffer, [mine], 'approved')).data).toMatchObject({ changed: 0 })
    expect((await decide(manager, ownOffer, [mine, other], 'approved')).data).toMatchObject({ changed: 2 })
    const stranger = await api.as('affiliate')
    expect(
      (await manager.call(offerApi.addAffiliates, { params: { uuid: ownOffer.uuid }, body: { affiliate_uuids: [stranger.uuid] } })).data,
    ).toEqual({ changed: 0 })
  })
})
