import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { billingApi, billingSetting } from '#contract/money/billing.ts'
import { currencyRateApi } from '#contract/money/currency.ts'
import { proposalApi } from '#contract/money/proposal.ts'
import { settingApi } from '#contract/network/setting.ts'
import { managerApi, type ManagerInput } from '#contract/people/manager.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let api: TestApi
let anna: Caller
let hanna: Caller
let uuids: Record<'anna' | 'hanna', string>

beforeEach(async () => {
  await api?.close()
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  ;[anna, hanna] = await Promise.all([api.as('admin', { name: 'Anna' }), api.as('head', { name: 'Hanna' })])
  const of = async ({ accountId }: Caller) =>
    (await api.db.selectFrom('account').select('uuid').where('id', '=', accountId).executeTakeFirstOrThrow()).uuid
  uuids = { anna: await of(anna), hanna: await of(hanna) }
  await setBilling(api.db, billingSetting.defaults)
})
afterAll(() => api.close())

const bonus = async (by: Caller) => {
  const { uuid } = await api.as('affiliate', { name: 'Iryna' })
  const body = { key: randomUUID(), affiliate_uuid: uuid, currency: 'USD', day: '2026-11-21', note: 'x', kind: 'bonus', amount: '5000' }
  return (await by.call(adjustmentApi.create, { body: body as never })).data.proposed
}
const first = async (by: Caller) => (await by.call(proposalApi.list, { body: { state: ['open'] } })).data.list[0]
const confirm = async (by: Caller) => by.call(proposalApi.confirm, { params: { uuid: (await first(by))?.uuid ?? '' } })
const status = (uuid: string, to: 'active' | 'blocked') => anna.call(managerApi.setStatus, { body: { uuids: [uuid], status: to } as never })
const switchOff = async () => {
  const { changed: _changed, ...rules } = (await anna.call(billingApi.rules, {})).data
  return (await anna.call(billingApi.updateRules, { body: { ...rules, four_eyes: false } })).data.four_eyes
}
async function change(changes: Partial<ManagerInput>): Promise<void> {
  const params = { uuid: uuids.hanna }
  const { name, email, role, type, contacts, notes, time_zone, version } = (await anna.call(managerApi.get, { params })).data
  const body = { name, email, role, type, contacts, notes, time_zone, version, team_lead_uuid: null, ...changes }
  expect((await anna.call(managerApi.update, { params, body })).status).toBe(200)
}
/** Somebody whom Anna makes head, signed in. */
async function makeHead(by: Caller, ago = 0): Promise<Caller> {
  const made = await api.as('head', { name: 'Petro' })
  const { id } = await api.db.selectFrom('manager').select('id').where('account_id', '=', made.accountId).executeTakeFirstOrThrow()
  await api.db
    .insertInto('audit')
    .values({
      at: new Date(api.clock.now() - ago),
      actor_id: by.accountId,
      action: 'create',
      entity: 'manager',
      entity_id: String(id),
      address: '',
    })
    .execute()
  return made
}

test('who was blocked still counts for two days, for the rule itself and for what it is about', async () => {
  await status(uuids.hanna, 'blocked')
  expect(await switchOff()).toBe(true)
  expect(await bonus(anna)).toBe(true)
  api.clock.set(api.clock.now() + 47 * HOUR)
  expect(await switchOff()).toBe(true)
  api.clock.set(api.clock.now() + 2 * HOUR)
  expect(await switchOff()).toBe(false)
})

test('who was given another role still counts', async () => {
  await change({ role: 'manager' })
  expect(await switchOff()).toBe(true)
})

test('an account one made is no second person, nor is one the other way round, for a month', async () => {
  const petro = await makeHead(anna)
  expect(await bonus(anna)).toBe(true)
  expect((await first(petro))?.may.confirm).toBe(false)
  expect((await confirm(petro)).errors).toEqual({ 1082: expect.stringContaining('Who may: Hanna.') })
  expect((await confirm(hanna)).status).toBe(200)
  expect(await bonus(petro)).toBe(true)
  expect((await confirm(anna)).errors).toHaveProperty('1082')
  // made more than a month ago
  expect((await confirm(hanna)).status).toBe(200)
  const olha = await makeHead(anna, 31 * DAY)
  expect(await bonus(anna)).toBe(true)
  expect((await confirm(olha)).status).toBe(200)
})

test('two accounts that one person made are one, unless there is nobody else at all', async () => {
  const [petro, olha] = [await makeHead(anna), await makeHead(anna)]
  expect(await bonus(petro)).toBe(true)
  expect((await confirm(olha)).errors).toHaveProperty('1082')
  await api.db.updateTable('manager').set({ status: 'blocked' }).where('account_id', '=', hanna.accountId).execute()
  expect((await confirm(olha)).status).toBe(200)
})

test.each<[string, () => Promise<unknown>]>([
  ['was shown the password link', () => anna.call(managerApi.passwordLink, { params: { uuid: uuids.hanna }, body: { show: true } })],
  ['gave it its role', () => change({ role: 'admin' })],
  ['gave it another e-mail', () => change({ email: 'mine@example.com' })],
])('an account is no second person to who %s', async (_name, hold) => {
  await api.as('head', { name: 'Zoia' })
  await hold()
  expect(await bonus(anna)).toBe(true)
  expect((await confirm(hanna)).errors).toEqual({ 1082: expect.stringContaining('Who may: Zoia.') })
})

test('the base currency stays while two people are asked, and what a rate was made of is not forgotten', async () => {
  const rate = (currency: string, value: string) =>
    anna.call(currencyRateApi.set, { body: { day: '2026-11-21', rates: [{ currency, rate: value }] } })
  await rate('JPY', '0.0066006')
  await rate('KWD', '100000')
  const choose = async (base_currency: string) =>
    anna.call(settingApi.updateGeneral, { body: { ...(await anna.call(settingApi.general)).data, base_currency } })
  const refused = await choose('KWD')
  expect([refused.status, Object.keys(refused.fields)]).toEqual([422, ['base_currency']])
  await setBilling(api.db, { four_eyes: false })
  // too small for eight decimals to be told exactly
  expect((await choose('KWD')).status).toBe(200)
  await setBilling(api.db, { four_eyes: true })
  expect(await bonus(anna)).toBe(true)
  await setBilling(api.db, { four_eyes: false })
  expect((await choose('USD')).status).toBe(200)
  const stored = api.db.selectFrom('currency_rate').select(['rate', 'source']).where('base', '=', 'USD')
  expect(await stored.where('currency', '=', 'JPY').executeTakeFirst()).toEqual({ rate: '0.00660060', source: 'hand' })
})
