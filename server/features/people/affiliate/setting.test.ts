import { afterAll, beforeAll, expect, test } from 'vitest'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { ownManagerApi } from '#contract/people/own-manager.ts'
import { makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let head: Caller
beforeAll(async () => {
  api = await startApi()
  head = await api.as('head')
})
afterAll(() => api.close())

async function save(body: object) {
  const { data } = await head.call(affiliateSettingApi.settings)
  return head.call(affiliateSettingApi.updateSettings, { body: { ...data, ...body } })
}

test('forms begin with what the network set, for whoever may open them', async () => {
  const manager = await api.as('manager')
  expect((await manager.call(affiliateSettingApi.settings)).status).toBe(403)
  expect((await save({ status: 'moderation', time_zone: 'Europe/Kiev', offer_privacy: 'private', currency: 'EUR' })).status).toBe(200)
  expect((await manager.call(affiliateSettingApi.defaults)).data).toEqual({
    status: 'moderation',
    time_zone: 'Europe/Kyiv',
    offer_privacy: 'private',
    currency: 'EUR',
    access_message: false,
  })
})

test('a manager who is none and a currency nobody may choose are refused at their fields', async () => {
  expect(Object.keys((await save({ manager: 'one', manager_uuid: null })).fields)).toEqual(['manager_uuid'])
  expect(Object.keys((await save({ manager: 'one', manager_uuid: (await api.as('affiliate')).uuid })).fields)).toEqual(['manager_uuid'])
  expect(Object.keys((await save({ currency: 'ZZZ' })).fields)).toEqual(['currency'])
})

test('affiliates are shown their manager unless the network shows none', async () => {
  const manager = await api.as('manager', { name: 'Olena' })
  const affiliate = await api.as('affiliate')
  await api.db.updateTable('affiliate').set({ manager_id: manager.managerId }).where('id', '=', affiliate.affiliateId).execute()
  expect((await affiliate.call(ownManagerApi.get)).data.manager?.name).toBe('Olena')
  await save({ shows_manager: false })
  expect((await affiliate.call(ownManagerApi.get)).data).toEqual({ manager: null })
})

test('who asks for access has to say something where the network wants it', async () => {
  const affiliate = await api.as('affiliate')
  const { uuid } = await makeOffer(api.db)
  await api.db.updateTable('offer').set({ privacy: 'premoderation' }).where('uuid', '=', uuid).execute()
  const ask = (message: string) => affiliate.call(partnerOfferApi.requestAccess, { params: { uuid }, body: { message } })
  await save({ access_message: true })
  expect(Object.keys((await ask('  ')).fields)).toEqual(['message'])
  expect((await ask('Push and native in PL')).data).toEqual({ access: 'pending' })
})
