import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceApi } from '#contract/money/invoice.ts'
import { MOST_LINES } from '#contract/money/payable.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makePayable } from '#test/support/make/invoices.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())
const at = Date.parse('2026-10-10T12:00:00Z')

test('all that match a filter become a draft for each affiliate and currency, once for a key, and no others do', async () => {
  const [one, two] = [await api.as('affiliate'), await api.as('affiliate')]
  const amounts = Array.from({ length: 30 }, () => '2')
  await makePayable(api.db, one.affiliateId ?? 0, amounts, { at })
  await makePayable(api.db, one.affiliateId ?? 0, ['3'], { at, currency: 'EUR' })
  await makePayable(api.db, two.affiliateId ?? 0, ['5', '6'], { at })
  await makePayable(api.db, two.affiliateId ?? 0, ['9'], { at: Date.parse('2026-11-10T12:00:00Z') })
  const body = { key: randomUUID(), filter: { to: '2026-10-31' } }
  const answers = await Promise.all([1, 2, 3].map(() => admin.call(invoiceApi.createFromConversions, { body })))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const { list } = (await admin.call(invoiceApi.list)).data
  expect(list.map(({ net, currency }) => `${net} ${currency}`).toSorted()).toEqual(['11.0000 USD', '3.0000 EUR', '60.0000 USD'])
  expect((await admin.call(invoiceApi.payable)).data.list).toMatchObject([{ payout: '9.0000' }])
  // the key of one call answers no other
  const other = await admin.call(invoiceApi.createFromConversions, { body: { ...body, filter: { to: '2026-10-30' } } })
  expect(other.status).toBe(409)
  const none = await admin.call(invoiceApi.createFromConversions, { body: { filter: { to: '2026-10-31' } } })
  expect(none.status).toBe(422)
  const both = await admin.call(invoiceApi.createFromConversions, { body: { filter: {}, uuids: [randomUUID()] } })
  expect(both.status).toBe(400)
  expect(await findDifferences(api.db)).toEqual([])
})

test('conversions worth nothing make no draft of 0.00: alone they are refused by name, beside others they are left out and counted', async () => {
  const [idle, earning] = [await api.as('affiliate'), await api.as('affiliate')]
  const nothing = await makePayable(api.db, idle.affiliateId ?? 0, ['0', '0.004'], { at })
  const some = await makePayable(api.db, earning.affiliateId ?? 0, ['7', '0'], { at })
  const make = (rows: readonly { uuid: string }[]) =>
    admin.call(invoiceApi.createFromConversions, { body: { uuids: rows.map(({ uuid }) => uuid) } })
  expect(Object.keys((await make(nothing)).errors)).toEqual(['1086'])
  const filter = { affiliate_uuid: [idle.uuid] }
  expect(Object.keys((await admin.call(invoiceApi.createFromConversions, { body: { filter } })).errors)).toEqual(['1086'])
  const { invoices, left_out } = (await make([...nothing, ...some])).data
  expect([invoices.length, left_out]).toEqual([1, 2])
  expect((await admin.call(invoiceApi.list, { body: filter })).data.list).toEqual([])
  expect(await findDifferences(api.db)).toEqual([])
})

test('more than ten thousand are refused in words before anything is made', async () => {
  const one = await api.as('affiliate')
  for (let made = 0; made <= MOST_LINES; made += 2001)
    await makePayable(
      api.db,
      one.affiliateId ?? 0,
      Array.from({ length: 2001 }, () => '1'),
      { at },
    )
  const filter = { affiliate_uuid: [one.uuid] }
  const refused = await admin.call(invoiceApi.createFromConversions, { body: { filter } })
  expect(refused.fields).toEqual({ filter: 'More than 10,000 conversions match: narrow the filter' })
  const { rows } = (await admin.call(invoiceApi.payable, { body: { ...filter, count: 1 } })).data.summary
  expect(rows).toBe(10_005)
  expect((await admin.call(invoiceApi.list, { body: filter })).data.list).toEqual([])
}, 120_000)
