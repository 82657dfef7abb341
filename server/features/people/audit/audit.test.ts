import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUDIT_KINDS, auditApi } from '#contract/people/audit.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { domainApi } from '#contract/network/domain.ts'
import { settingApi } from '#contract/network/setting.ts'
import { affiliateInput, makeAdvertiser } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { insertAudit } from './audit.queries.ts'

let api: TestApi
let admin: Caller
let head: Caller
let manager: Caller
beforeAll(async () => {
  api = await startApi()
  ;[admin, head, manager] = await Promise.all([
    api.as('admin', { name: 'Ada' }),
    api.as('head', { name: 'Hedda' }),
    api.as('manager', { name: 'Max' }),
  ])
})
afterAll(() => api.close())

const read = async (who: Caller, body: Parameters<typeof admin.call<typeof auditApi.list>>[1] = {}) =>
  (await who.call(auditApi.list, body)).data.list

test('a change is found by person, thing, action, text and day, and tells how it was before', async () => {
  const { uuid, id } = (await manager.call(affiliateApi.create, { body: affiliateInput({ name: 'Blue Kite', company: 'Kite Ltd' }) })).data
  const found = (await manager.call(affiliateApi.get, { params: { uuid } })).data
  const form = { ...affiliateInput({ name: 'Blue Kite', email: found.email }), manager_uuid: found.manager?.uuid ?? null }
  api.clock.advance(1000)
  const saved = await manager.call(affiliateApi.update, {
    params: { uuid },
    body: { ...form, company: 'Zephyr "Sails"', phone: '+380501234567', manager_uuid: found.manager?.uuid ?? null, version: found.version },
  })
  expect(saved.status).toBe(200)

  const [entry] = await read(admin, { body: { person_uuid: [manager.uuid], entity: ['affiliate'], action: ['update'] } })
  expect(entry).toMatchObject({
    action: 'update',
    actor: { uuid: manager.uuid, name: 'Max', role: 'manager' },
    acting: null,
    thing: { uuid, id, name: 'Blue Kite' },
    address: '127.0.0.1',
    before: { company: 'Kite Ltd' },
    after: { company: 'Zephyr "Sails"', phone: '•••' },
  })
  expect(JSON.stringify(entry)).not.toContain('380501234567')

  const ids = async (body: object) => (await read(admin, { body })).map((one) => one.id)
  for (const body of [
    { search: String(id), entity: ['affiliate'], action: ['update'] },
    { search: uuid, action: ['update'] },
    { search: 'blue ki', action: ['update'] },
    { search: 'zephyr "sa' },
    { from: new Date(api.clock.now()).toISOString(), entity: ['affiliate'] },
  ]) {
    expect(await ids(body), JSON.stringify(body)).toEqual([entry?.id])
  }
  for (const body of [{ search: 'no such words' }, { person_uuid: [head.uuid] }, { to: '2020-01-01T00:00:00.000Z' }, { search: '%' }]) {
    expect(await ids(body), JSON.stringify(body)).toEqual([])
  }
  const words = (await admin.call(auditApi.words)).data
  expect(words).toMatchObject({ entities: ['affiliate'], actions: ['create', 'update'] })
  expect((await admin.call(auditApi.people, { body: { search: 'max' } })).data.list).toMatchObject([{ uuid: manager.uuid, name: 'Max' }])
})

test('whoever may read a thing reads what was done to it, and of affiliates what they did; nobody else', async () => {
  const affiliate = await api.as('affiliate', { managerId: manager.managerId, name: 'Iryna' })
  const colleague = await api.as('manager')
  await affiliate.call(authApi.updateProfile, { body: { name: 'Iryna K.', language: 'uk', time_zone: 'Europe/Kyiv' } })
  await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'inactive' } })
  const history = (who: Caller, kind: 'affiliate' | 'advertiser' | 'manager', uuid: string) =>
    who.call(auditApi.history, { body: { kind, uuid } })
  const own = (await history(manager, 'affiliate', affiliate.uuid)).data
  expect(own.list.map(({ action, entity, actor }) => [entity, action, actor?.name])).toEqual([
    ['affiliate', 'set_status', 'Ada'],
    ['account', 'update', 'Iryna K.'],
  ])
  expect(own.summary.rows).toBe(2)
  expect((await history(colleague, 'affiliate', affiliate.uuid)).status).toBe(404)
  expect((await history(await api.as('affiliate'), 'affiliate', affiliate.uuid)).status).toBe(404)

  const advertiser = await makeAdvertiser(api.db, { managerId: manager.managerId })
  await manager.call(advertiserApi.renewToken, { params: { uuid: advertiser.uuid } })
  const [renewed] = (await history(manager, 'advertiser', advertiser.uuid)).data.list
  expect(renewed).toMatchObject({ action: 'renew_token', before: null, after: null })
  expect((await history(colleague, 'advertiser', advertiser.uuid)).status).toBe(404)
  expect((await history(manager, 'manager', head.uuid)).status).toBe(404)
})

test('whoever may read a part of the settings reads who changed it and how it was; nobody else', async () => {
  const before = (await head.call(settingApi.trafficback)).data
  await head.call(settingApi.updateTrafficback, { body: { ...before, cap_url: 'https://full.example/' } })
  const history = (who: Caller, kind: 'setting' | 'currency', key: string) => who.call(auditApi.settings, { body: { kind, part: key } })
  expect((await history(admin, 'setting', 'trafficback')).data).toMatchObject({
    list: [{ actor: { name: 'Hedda' }, before: { cap_url: '' }, after: { cap_url: 'https://full.example/' } }],
    summary: { rows: 1 },
  })
  // to others, and of what is no section, nothing exists
  for (const [who, key] of [
    [manager, 'trafficback'],
    [await api.as('affiliate'), 'trafficback'],
    [admin, 'constructor'],
    [admin, '%'],
  ] as const) {
    expect([key, (await history(who, 'setting', key)).status]).toEqual([key, 404])
  }
  // of currencies, all there is of them and of their rates
  await api.db
    .insertInto('audit')
    .values(
      ['currency', 'currency_rate', 'domain'].map((entity) => ({
        at: new Date(),
        action: 'create',
        entity,
        entity_id: 'XYZ',
        address: '',
      })),
    )
    .execute()
  expect((await history(admin, 'currency', '')).data.list.map(({ entity }) => entity).toSorted()).toEqual(['currency', 'currency_rate'])
})

test('everybody reads what they did themselves; an affiliate is not told who of the network acted as it', async () => {
  const affiliate = await api.as('affiliate', { managerId: manager.managerId, name: 'Oleh' })
  const acting = (await manager.call(authApi.getAffiliateToken, { body: { uuid: affiliate.uuid } })).data
  expect(acting.token).toBeTypeOf('string')
  await affiliate.call(authApi.updateProfile, { body: { name: 'Oleh P.', language: 'en', time_zone: 'UTC' } })
  const row = {
    at: new Date(api.clock.now() + 1000),
    address: '10.0.0.9',
    entity: 'link',
    entity_id: 'x1',
    before: null,
    after: { offer_id: 1 },
  }
  const by = { actor_id: affiliate.accountId, acting_id: manager.accountId, key_id: null }
  const why = { ...row, entity: 'account', entity_id: String(affiliate.accountId), after: { reason: 'Suspected of fraud' } }
  await insertAudit(api.db, [
    { ...row, ...by, action: 'create' },
    { ...why, ...by, action: 'allow_changes' },
  ])
  const told = (await affiliate.call(auditApi.own, { body: {} })).data.list
  expect(told).toMatchObject([
    { action: 'allow_changes', actor: { name: 'Oleh P.' }, acting: { uuid: null, name: '' }, after: null },
    { action: 'create', actor: { name: 'Oleh P.' }, acting: { name: '' }, address: '' },
    { action: 'update', actor: { name: 'Oleh P.' }, acting: null, address: '127.0.0.1' },
  ])
  expect(JSON.stringify(told)).not.toMatch(/Max|fraud|10\.0\.0\.9/)
  expect(JSON.stringify(told)).not.toContain(manager.uuid)
  const [reason, made] = (await manager.call(auditApi.own, { body: {} })).data.list
  expect(reason).toMatchObject({ action: 'allow_changes', after: { reason: 'Suspected of fraud' } })
  expect(made).toMatchObject({ action: 'create', acting: { name: 'Max', uuid: manager.uuid } })
  for (const who of [manager, affiliate, await api.as('team lead')]) expect((await who.call(auditApi.list, { body: {} })).status).toBe(403)
})

test('a head reads everything but what was done to the accounts of admins and other heads', async () => {
  const lead = await api.as('team lead')
  for (const who of [admin, head, lead]) await who.call(authApi.updateProfile, { body: { name: 'X', language: 'en', time_zone: 'UTC' } })
  const other = await api.as('head')
  await other.call(authApi.updateProfile, { body: { name: 'Y', language: 'en', time_zone: 'UTC' } })
  const general = (await admin.call(settingApi.general)).data
  await admin.call(settingApi.updateGeneral, { body: { ...general, partner_title: 'Kites' } })
  const about = async (who: Caller) => (await read(who, { body: { entity: ['account'] } })).map(({ entity_id }) => Number(entity_id))
  expect(await about(admin)).toEqual(expect.arrayContaining([admin, head, lead, other].map(({ accountId }) => accountId)))
  const told = await about(head)
  expect(told).toEqual(expect.arrayContaining([head.accountId, lead.accountId]))
  expect(told).not.toContain(admin.accountId)
  expect(told).not.toContain(other.accountId)
  expect((await read(head, { body: { search: 'general', entity: ['setting'] } })).length).toBe(1)
})

describe('the log', () => {
  test('is only ever added to, also by the database itself', async () => {
    const entries = await api.db.selectFrom('audit').select('id').execute()
    for (const change of [sql`update audit set action = 'x'`, sql`delete from audit`, sql`truncate audit`]) {
      await expect(change.execute(api.db)).rejects.toThrow('append-only')
    }
    expect(await api.db.selectFrom('audit').select('id').execute()).toEqual(entries)
  })

  test('pages by a cursor that neither skips nor repeats what came meanwhile', async () => {
    const first = (await admin.call(auditApi.list, { body: { count: 2 } })).data
    api.clock.advance(1000)
    await head.call(authApi.updateProfile, { body: { name: 'Hedda B.', language: 'en', time_zone: 'UTC' } })
    const { until, after } = first
    const second = (await admin.call(auditApi.list, { body: { count: 2, page: 2, until, after } })).data
    const all = (await admin.call(auditApi.list, { body: { until } })).data
    expect([...first.list, ...second.list].map(({ id }) => id)).toEqual(all.list.slice(0, 4).map(({ id }) => id))
  })
})

test('of every kind of thing all that was done to one is found by what the log calls it', async () => {
  const at = new Date(api.clock.now())
  const by = { at, actor_id: null, acting_id: null, key_id: null, address: '', before: null, after: null }
  const kinds = AUDIT_KINDS.flatMap((entity) => ['900071', '900072'].map((entity_id) => ({ entity, entity_id })))
  await insertAudit(
    api.db,
    kinds.map((one) => ({ ...by, ...one, action: 'create' })),
  )
  const of = async ({ entity, entity_id }: { entity: string; entity_id: string }) =>
    (await read(admin, { body: { entity: [entity], search: entity_id } })).map((one) => [one.entity, one.entity_id])
  expect(await Promise.all(kinds.map(of))).toEqual(kinds.map(({ entity, entity_id }) => [[entity, entity_id]]))

  const { id, uuid } = (await admin.call(domainApi.create, { body: { host: 'go.kite.example', kind: 'tracking', certificate: 'proxy' } }))
    .data
  const [named] = await read(admin, { body: { entity: ['domain'], search: 'go.kite' } })
  expect(named).toMatchObject({ entity_id: String(id), thing: { uuid, id, name: 'go.kite.example' } })
})
