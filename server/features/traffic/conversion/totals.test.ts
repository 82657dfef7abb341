import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

test('what conversions come to tells apart what nobody gets of it, and revenue to staff alone', async () => {
  const affiliate = await api.as('affiliate')
  const [one, two] = await makePayable(api.db, affiliate.affiliateId ?? 0, ['10', '20', '5'], { at: api.clock.now() - 3_600_000 })
  const amountsOf = async (who: Caller) =>
    (await who.call(conversionApi.list, { body: { affiliate_uuid: [affiliate.uuid] } as never })).data.summary.totals?.amounts
  const whole = { currency: 'USD', payout: '35.0000', revenue: '52.5000', profit: '17.5000' }
  expect(await amountsOf(admin)).toEqual([whole])
  await admin.call(conversionApi.decide, { body: { uuids: [one?.uuid ?? ''], status: 'declined', reason: 'Twice' } })
  await admin.call(conversionApi.decide, { body: { uuids: [two?.uuid ?? ''], status: 'trash', reason: 'Test' } })
  expect(await amountsOf(admin)).toEqual([{ ...whole, lost: { payout: '30.0000', revenue: '45.0000', profit: '15.0000' } }])
  const own = (await affiliate.call(conversionApi.list)).data.summary.totals?.amounts
  expect(own).toEqual([{ currency: 'USD', payout: '35.0000', lost: { payout: '30.0000' } }])
})
