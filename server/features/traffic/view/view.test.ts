import { afterAll, beforeAll, expect, test } from 'vitest'
import { MOST_LAYOUTS, MOST_VIEWS, savedViewApi, tableLayoutApi } from '#contract/traffic/view.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let manager: Caller
let head: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  manager = await api.as('manager')
  head = await api.as('head')
  affiliate = await api.as('affiliate')
})
afterAll(() => api.close())

const namesOf = async (caller: Caller, screen: string) =>
  (await caller.call(savedViewApi.list, { body: { screen } })).data.list.map(({ name, own }) => [name, own])

test('a view is kept under its name, replaced by the next of that name, and removed once or twice', async () => {
  const view = { screen: 'offer', name: 'Paused ones', address: 'status=paused&sort=-id' }
  const { data } = await manager.call(savedViewApi.save, { body: view })
  expect(data).toMatchObject({ name: 'Paused ones', address: view.address, shared: false, own: true })
  const again = await manager.call(savedViewApi.save, { body: { ...view, address: 'status=stopped' } })
  expect(again.data).toMatchObject({ uuid: data.uuid, address: 'status=stopped' })
  expect(await namesOf(manager, 'offer')).toEqual([['Paused ones', true]])
  expect(await namesOf(manager, 'affiliate')).toEqual([])
  for (let times = 0; times < 2; times++)
    expect((await manager.call(savedViewApi.remove, { params: { uuid: data.uuid } })).status).toBe(200)
  expect(await namesOf(manager, 'offer')).toEqual([])
})

test('what is shared is seen by staff after their own, never by affiliates, and changed by its owner only', async () => {
  const { data } = await manager.call(savedViewApi.save, {
    body: { screen: 'report', name: 'Margins', address: 'group=offer', shared: true },
  })
  await head.call(savedViewApi.save, { body: { screen: 'report', name: 'Zero', address: 'group=geo' } })
  await affiliate.call(savedViewApi.save, { body: { screen: 'report', name: 'Mine', address: 'group=sub1' } })
  expect(await namesOf(head, 'report')).toEqual([
    ['Zero', true],
    ['Margins', false],
  ])
  expect(await namesOf(manager, 'report')).toEqual([['Margins', true]])
  expect(await namesOf(affiliate, 'report')).toEqual([['Mine', true]])
  await head.call(savedViewApi.remove, { params: { uuid: data.uuid } })
  await head.call(savedViewApi.save, { body: { screen: 'report', name: 'Margins', address: 'group=day' } })
  expect(await namesOf(manager, 'report')).toEqual([['Margins', true]])
  const shared = await affiliate.call(savedViewApi.save, { body: { screen: 'report', name: 'Ours', address: '', shared: true } })
  expect(shared.status).toBe(403)
})

test('names, screens and their number are bounded, also when two are saved at once', async () => {
  const caller = await api.as('team lead')
  for (const body of [
    { screen: 'Offer list', name: 'a', address: '' },
    { screen: 'offer', name: ' ', address: '' },
    { screen: 'offer', name: 'a', address: 'x'.repeat(4001) },
  ])
    expect((await caller.call(savedViewApi.save, { body })).status).toBe(400)
  const save = (number: number) => caller.call(savedViewApi.save, { body: { screen: 'offer', name: `View ${number}`, address: '' } })
  await Promise.all(Array.from({ length: MOST_VIEWS - 1 }, (_none, index) => save(index)))
  const last = await Promise.all([save(100), save(101)])
  expect(last.map((answer) => answer.status).toSorted()).toEqual([200, 422])
  expect(last.find((answer) => answer.status === 422)).toMatchObject({ fields: { name: 'At most 50 views of one screen' } })
  expect((await save(0)).status).toBe(200)
})

test('how tables are arranged is kept per person and table, each part by itself, and bounded', async () => {
  const caller = await api.as('manager')
  const save = (body: object) => caller.call(tableLayoutApi.save, { body: body as { list: string } })
  const kept = async (who = caller) => (await who.call(tableLayoutApi.list, {})).data.list
  await Promise.all([
    save({ list: 'offer', columns: ['title', 'gone_since', 'id'] }),
    save({ list: 'offer', widths: { title: 320 } }),
    save({ list: 'click', columns: ['id'] }),
  ])
  expect(await kept()).toEqual([
    { list: 'click', columns: ['id'], widths: {} },
    { list: 'offer', columns: ['title', 'gone_since', 'id'], widths: { title: 320 } },
  ])
  expect(await kept(head)).toEqual([])
  await save({ list: 'offer', columns: null })
  expect(await kept()).toContainEqual({ list: 'offer', columns: null, widths: { title: 320 } })

  for (const body of [
    { list: 'Offer list', columns: null },
    { list: 'offer', columns: ['no column'] },
    { list: 'offer', columns: Array.from({ length: 201 }, (_none, index) => `c${index}`) },
    { list: 'offer', widths: { title: 1.5 } },
    { list: 'offer', widths: Object.fromEntries(Array.from({ length: 201 }, (_none, index) => [`c${index}`, 100])) },
    { list: 'offer', widths: { 'no column': 100 } },
  ])
    expect((await save(body)).status, JSON.stringify(body).slice(0, 60)).toBe(400)

  const lists = Array.from(
    { length: MOST_LAYOUTS + 1 },
    (_none, index) => `l${'abcdefghij'[index % 10]}-${'abcdefghij'[Math.floor(index / 10)]}`,
  )
  const answers = await Promise.all(lists.map((list) => save({ list, columns: null })))
  expect(answers.filter(({ status }) => status === 422)).toHaveLength(3)
  expect(await kept()).toHaveLength(MOST_LAYOUTS)
  expect((await save({ list: 'offer', columns: ['id'] })).status).toBe(200)
})
