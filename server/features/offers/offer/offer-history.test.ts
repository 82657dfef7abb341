import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditApi } from '#contract/people/audit.ts'
import { offerApi } from '#contract/offers/offer.ts'
import type { OfferInput } from '#contract/offers/offer-fields.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { goalInput, makeOffer, offerForm, ruleInput, saveOffer } from '#test/support/make/offers.ts'

let api: TestApi
let admin: Caller
let advertiser: { uuid: string }
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin', { name: 'Olena' })
  advertiser = await makeAdvertiser(api.db)
})
afterAll(() => api.close())

const save = (uuid: string, changes: Partial<OfferInput>) => saveOffer(admin, uuid, offerForm(advertiser.uuid, changes))
const changesOf = async (uuid: string) => (await admin.call(offerApi.history, { params: { uuid } })).data.list
const undo = (uuid: string, id = '0') => admin.call(offerApi.undo, { params: { uuid }, body: { id } })

test('history tells who changed what from what to what, newest first', async () => {
  const offer = await makeOffer(admin, advertiser.uuid)
  await save(offer.uuid, { title: 'Renamed', hold_days: 3 })
  const changes = await changesOf(offer.uuid)
  expect(changes.map((change) => [change.action, change.actor, change.undoable])).toEqual([
    ['update', 'Olena', true],
    ['set_status', 'Olena', true],
    ['create', 'Olena', false],
  ])
  expect(changes[0]).toMatchObject({ before: { title: 'Shop', hold_days: 0 }, after: { title: 'Renamed', hold_days: 3 } })
  expect(Object.keys(changes[0]?.after ?? {}).toSorted()).toEqual(['hold_days', 'title'])
})

test('what a change names by numbers and uuids is named in words, to those who may know', async () => {
  const manager = await api.as('manager')
  const [first, second] = [
    await makeAdvertiser(api.db, { managerId: manager.managerId }),
    await makeAdvertiser(api.db, { managerId: manager.managerId }),
  ]
  const mine = await api.as('affiliate', { managerId: manager.managerId, name: 'Mine Media' })
  const theirs = await api.as('affiliate', { name: 'Theirs Media' })
  const landing = await makeLanding(admin, { name: 'Left since', advertiser_uuid: null })
  const rules = [ruleInput(), ruleInput({ affiliate_uuids: [mine.uuid, theirs.uuid], landing_uuids: [landing.uuid], payout_fixed: '18' })]
  const offer = await makeOffer(admin, first.uuid, { landings: [{ landing_uuid: landing.uuid, weight: 1 }], goals: [goalInput({ rules })] })
  await admin.call(offerApi.addAffiliates, { params: { uuid: offer.uuid }, body: { affiliate_uuids: [mine.uuid] } })
  await saveOffer(admin, offer.uuid, offerForm(second.uuid))

  const namesFor = async (who: Caller) =>
    (await who.call(offerApi.history, { params: { uuid: offer.uuid } })).data.list.map(({ action, named }) => [
      action,
      named.map(({ kind, id, name }) => `${kind} ${id} ${name}`).toSorted(),
    ])
  const advertiserNames = (
    await api.db.selectFrom('advertiser').select(['id', 'name']).where('id', 'in', [first.id, second.id]).orderBy('id').execute()
  ).map(({ id, name }) => `advertiser ${id} ${name}`)
  const seen = (strangers: string) => {
    const inRules = [
      `affiliate ${mine.affiliateId} Mine Media`,
      `affiliate ${theirs.affiliateId} ${strangers}`,
      `landing ${landing.id} Left since`,
    ]
    return [
      ['update', [...advertiserNames, ...inRules].toSorted()],
      ['decide_access', [`affiliate ${mine.affiliateId} Mine Media`]],
      ['set_status', []],
      ['create', [advertiserNames[0] ?? '', ...inRules].toSorted()],
    ]
  }
  expect(await namesFor(admin)).toEqual(seen('Theirs Media'))
  expect(await namesFor(manager)).toEqual(seen(''))
})

test('undo gives changed fields their earlier values, payout rows and removed goals included, and leaves later changes alone', async () => {
  const affiliate = await api.as('affiliate')
  const goals = [
    goalInput({ rules: [ruleInput(), ruleInput({ affiliate_uuids: [affiliate.uuid], payout_fixed: '18' })] }),
    goalInput({ code: 'lead', is_default: false }),
  ]
  const offer = await makeOffer(admin, advertiser.uuid, { goals })
  await save(offer.uuid, { title: 'Shop', goals: [goalInput({ rules: [ruleInput({ payout_fixed: '5' })] })] })
  const [mistake] = await changesOf(offer.uuid)
  const { data: now } = await admin.call(offerApi.get, { params: { uuid: offer.uuid } })
  await save(offer.uuid, {
    title: 'Later',
    goals: now.goals.map(({ rules: _rules, ...goal }) => ({ ...goal, rules: [ruleInput({ payout_fixed: '5' })] })),
  })
  const undone = await undo(offer.uuid, mistake?.id)
  expect(undone.status).toBe(200)
  expect(undone.data.title).toBe('Later')
  expect(undone.data.goals).toEqual(offer.goals)
  expect((await changesOf(offer.uuid))[0]).toMatchObject({ action: 'undo', undoable: true })
})

test('undo gives an offer to nobody whom the one who undoes could not choose', async () => {
  const manager = await api.as('manager')
  const theirs = await makeAdvertiser(api.db, { managerId: manager.managerId })
  const offer = await makeOffer(admin, advertiser.uuid)
  await saveOffer(admin, offer.uuid, offerForm(theirs.uuid))
  const [handover] = await changesOf(offer.uuid)
  const take = (who: Caller) => who.call(offerApi.undo, { params: { uuid: offer.uuid }, body: { id: handover?.id ?? '' } })
  expect(await take(manager)).toMatchObject({ status: 422, fields: { advertiser_uuid: expect.any(String) } })
  expect((await take(admin)).status).toBe(200)

  // both advertisers' logs tell of it, there and back, with the name of the offer
  const told = async (uuid: string) =>
    (await admin.call(auditApi.history, { body: { kind: 'advertiser', uuid } })).data.list
      .filter(({ action }) => action.startsWith('offer_'))
      .map(({ action, named }) => [action, named.map(({ id }) => id)])
  expect(await told(theirs.uuid)).toEqual([
    ['offer_left', [offer.id]],
    ['offer_came', [offer.id]],
  ])
  expect((await told(advertiser.uuid)).slice(0, 2)).toEqual([
    ['offer_came', [offer.id]],
    ['offer_left', [offer.id]],
  ])
})

test('undo is refused when the same field has changed since', async () => {
  const offer = await makeOffer(admin, advertiser.uuid)
  await save(offer.uuid, { title: 'Two' })
  const [first] = await changesOf(offer.uuid)
  await save(offer.uuid, { title: 'Three' })
  expect((await undo(offer.uuid, first?.id)).errors).toHaveProperty('1012')
  const [second] = await changesOf(offer.uuid)
  expect((await undo(offer.uuid, second?.id)).data.title).toBe('Two')
  expect((await undo(offer.uuid, first?.id)).data.title).toBe('Shop')
})

test('a status is undone where the way back is allowed', async () => {
  const offer = await makeOffer(admin, advertiser.uuid)
  await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status: 'paused' } })
  const [paused, activated] = await changesOf(offer.uuid)
  expect((await undo(offer.uuid, activated?.id)).status).toBe(409)
  expect((await undo(offer.uuid, paused?.id)).data.status).toBe('active')
  expect((await undo(offer.uuid, paused?.id)).status).toBe(409)
})

test('an undo cannot leave an active offer without its base row', async () => {
  const offer = await makeOffer(admin, advertiser.uuid, { goals: [goalInput({ rules: [] })] }, false)
  await save(offer.uuid, { goals: [goalInput({ uuid: offer.goals[0]?.uuid })] })
  const [completed] = await changesOf(offer.uuid)
  await admin.call(offerApi.setStatus, { body: { uuids: [offer.uuid], status: 'active' } })
  expect((await undo(offer.uuid, completed?.id)).errors).toHaveProperty('1020')
})

test('after 24 hours, and for changes of other offers, there is nothing to undo', async () => {
  const [one, two] = [await makeOffer(admin, advertiser.uuid), await makeOffer(admin, advertiser.uuid)]
  await save(one.uuid, { title: 'Two' })
  const [change] = await changesOf(one.uuid)
  expect((await undo(two.uuid, change?.id)).status).toBe(404)
  api.clock.advance(24 * 3_600_000)
  expect((await changesOf(one.uuid))[0]?.undoable).toBe(false)
  expect((await undo(one.uuid, change?.id)).status).toBe(404)
})
