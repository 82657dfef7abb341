import { afterAll, beforeAll, expect, test } from 'vitest'
import { preferenceApi } from '#contract/people/preference.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await startApi()
})
afterAll(() => api.close())

test('how somebody likes the panel is kept per person; a home must be a screen there is, and one of their own', async () => {
  const [manager, other] = [await api.as('manager'), await api.as('manager')]
  const chosen = { density: 'compact', first_day: 'sunday', default_period: 'this_week', home: 'statisticDirectGeneral' } as const
  const save = (change: object) => manager.call(preferenceApi.save, { body: { ...chosen, ...change } })
  expect((await save({})).data).toEqual(chosen)
  expect((await manager.call(preferenceApi.get)).data).toEqual(chosen)
  expect((await other.call(preferenceApi.get)).data).toEqual({
    density: 'comfortable',
    first_day: null,
    default_period: null,
    home: null,
  })
  expect(await save({ home: 'nowhere' })).toMatchObject({ status: 400, fields: { home: 'There is no such screen' } })
  for (const home of ['settingsGeneral', 'offerEditDirect', 'login'])
    expect(await save({ home })).toMatchObject({ status: 422, fields: { home: 'Choose a screen you may open' } })
  for (const change of [{ density: 'tiny' }, { first_day: 'tuesday' }, { default_period: 'custom' }, { default_period: 'for_ever' }])
    expect((await save(change)).status, JSON.stringify(change)).toBe(400)
  expect((await manager.call(preferenceApi.get)).data).toEqual(chosen)
  // what a role loses is no home any more
  await api.db.updateTable('preference').set({ home: 'settingsGeneral', default_period: 'last_century' }).execute()
  expect((await manager.call(preferenceApi.get)).data).toMatchObject({ home: null, default_period: null, density: 'compact' })
})
