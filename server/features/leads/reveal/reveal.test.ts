import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { revealApi, type RevealReason } from '#contract/leads/reveal.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { auditApi } from '#contract/people/audit.ts'
import { securityApi, type securitySetting } from '#contract/people/security.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
let offer: { uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, manager] = await Promise.all([api.as('admin'), api.as('manager')])
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (more: Record<string, unknown> = {}) =>
  (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) })).data.session_uuid
const show = (who: Caller, uuid: string, note = 'Ticket 12', reason: RevealReason = 'check') =>
  who.call(revealApi.show, { params: { uuid }, body: { reason, note } })
const limit = async (who: Caller, reveals: Partial<(typeof securitySetting)['defaults']['reveals']>) => {
  const { version, reveals: before, ...rest } = (await who.call(securityApi.setting)).data
  return who.call(securityApi.updateSetting, { body: { ...rest, reveals: { ...before, ...reveals }, version } })
}

test('contacts are shown with a reason, which stands in the log and in the story of the lead without any contact', async () => {
  const uuid = await send({ email: 'anna@mail.example', phone: '+393331234567', city: 'Roma', password: 'Sekret-77' })
  const shown = await show(admin, uuid, 'Ticket 12: nobody reaches her', 'affiliate')
  expect(shown.data.contacts).toMatchObject({ email: 'anna@mail.example', phone: '+393331234567', first_name: 'Anna', city: 'Roma' })
  expect(shown.headers.get('cache-control')).toContain('no-store')
  expect(JSON.stringify(shown.data)).not.toMatch(/Sekret|203\.0\.113/)

  const told = { reason: 'affiliate', note: 'Ticket 12: nobody reaches her' }
  const detail = (await admin.call(userSessionApi.detail, { params: { uuid } })).data
  const logged = (await admin.call(auditApi.list, { body: { entity: ['user_session'] } })).data.list
  expect(logged).toMatchObject([{ action: 'reveal', entity_id: detail.session.id, actor: { uuid: admin.uuid }, after: told }])
  expect(detail.events.find(({ kind }) => kind === 'revealed')).toMatchObject({ ...told, by: expect.any(String) })
  expect(JSON.stringify([logged, detail])).not.toMatch(/anna@|3331234567/)
  // an affiliate learns neither the contacts nor that somebody looked
  expect((await show(affiliate, uuid)).status).toBe(403)
  const own = (await affiliate.call(userSessionApi.detail, { params: { uuid } })).data
  expect(own.events.map(({ kind }) => kind)).not.toContain('revealed')

  const refused = async (body: object) => (await admin.call(revealApi.show, { params: { uuid }, body: body as never })).fields
  expect(await refused({ note: 'Ticket 12' })).toMatchObject({ reason: 'Choose a reason' })
  expect(await refused({ reason: 'check', note: ' ' })).toMatchObject({ note: expect.any(String) })
  for (const note of ['wrote to Anna@mail.example', 'called +39 333 123-45-67'])
    expect(await refused({ reason: 'check', note })).toEqual({ note: 'Leave the contact itself out: this stands in the log' })
  expect((await admin.call(auditApi.list, { body: { entity: ['user_session'] } })).data.summary.rows).toBe(1)
})

test('a role looks as often within 24 hours as the settings say, many at once no oftener, the same lead for one place', async () => {
  const first = await send()
  expect((await show(manager, first)).errors).toHaveProperty('1160')
  expect((await limit(admin, { manager: 2 })).status).toBe(200)
  expect((await manager.call(revealApi.quota)).data).toEqual({ most: 2, left: 2, next_at: null })
  expect((await show(manager, first)).data).toMatchObject({ most: 2, left: 1 })
  api.clock.advance(HOUR)
  const others = await Promise.all(Array.from({ length: 6 }, () => send()))
  const tries = await Promise.all(others.map((uuid) => show(manager, uuid)))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
  expect((await show(manager, first)).status).toBe(200)
  const free = new Date(api.clock.now() + DAY).toISOString()
  expect((await manager.call(revealApi.quota)).data).toEqual({ most: 2, left: 0, next_at: free })
  const late = others.find((_uuid, at) => tries[at]?.status !== 200) ?? expect.fail('all were shown')
  expect((await show(manager, late)).errors).toHaveProperty('1161')
  // what others look at takes nothing from anybody
  expect((await show(admin, late)).status).toBe(200)
  api.clock.advance(DAY + 1)
  expect((await show(manager, late)).data).toMatchObject({ left: 1 })
})

test('nobody looks beyond their own affiliates and advertisers, or raises their own limit', async () => {
  const uuid = await send()
  const [other, lead, head] = await Promise.all([api.as('manager'), api.as('team lead'), api.as('head')])
  await limit(admin, { manager: 5 })
  for (const who of [other, lead]) expect((await show(who, uuid)).status).toBe(404)
  await api.db
    .updateTable('advertiser')
    .set({ manager_id: other.managerId ?? 0 })
    .where('name', '=', 'Zephyr Brokers')
    .execute()
  expect((await show(other, uuid)).status).toBe(200)
  expect((await limit(head, { manager: 6 })).status).toBe(200)
  expect((await limit(head, { head: 900 })).fields).toEqual({ 'reveals.head': 'Only an admin decides how much admins and heads may see' })
  expect((await limit(admin, { manager: 1.5 })).fields).toEqual({ 'reveals.manager': 'A whole number from 0 to 1000' })
  // what is erased is not shown, and counts for nothing
  await api.db.updateTable('user_session').set({ sealed: null }).where('uuid', '=', uuid).execute()
  expect((await show(head, uuid)).errors).toHaveProperty('1162')
  expect((await head.call(revealApi.quota)).data.left).toBe(50)
})
