import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql, type RawBuilder } from 'kysely'
import { accountFields } from '#contract/people/account.ts'
import { landingApi, landingFilters } from '#contract/offers/landing.ts'
import { offerApi, offerFilters } from '#contract/offers/offer.ts'
import { advertiserApi, advertiserFields, advertiserFilters } from '#contract/people/advertiser.ts'
import { createLink } from '../auth/link.service.ts'
import { affiliateApi, affiliateFields, affiliateFilters } from '#contract/people/affiliate.ts'
import { authApi, profileInput } from '#contract/people/auth.ts'
import { managerApi, managerFields, managerFilters } from '#contract/people/manager.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { affiliateInput } from '#test/support/make/factories.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

async function versionOf(uuid: string): Promise<number> {
  return (await admin.call(affiliateApi.get, { params: { uuid } })).data.version
}

describe('making and changing an affiliate', () => {
  test('a new affiliate is found by name, e-mail, company, tag and number, and gets a link to set its password', async () => {
    const input = affiliateInput({
      name: 'Медіа 100% <b>Плюс</b>',
      email: 'Media@Plus.example',
      company: 'Ромашка ТОВ',
      tags: ['vip_50%', 'seo'],
    })
    const made = await admin.call(affiliateApi.create, { body: input })
    expect(made.status).toBe(200)
    expect(made.data.link).toMatch(/\/password-recovery\?token=[\w-]{43}$/)
    for (const search of ['100% <b>', 'media@plus', 'ромашка', 'IP_50%', String(made.data.id)]) {
      const found = await admin.call(affiliateApi.list, { body: { search } })
      expect(found.data.list.map((row) => row.uuid)).toEqual([made.data.uuid])
    }
    expect((await admin.call(affiliateApi.list, { body: { search: '100_' } })).data.list).toEqual([])
    const detail = await admin.call(affiliateApi.get, { params: { uuid: String(made.data.id) } })
    expect(detail.data).toMatchObject({
      uuid: made.data.uuid,
      email: 'media@plus.example',
      tags: ['vip_50%', 'seo'],
      time_zone: 'Europe/Kyiv',
    })
  })

  test('another e-mail, to which links that sign in go, is given by who may see such links, and ends those on their way', async () => {
    const manager = await api.as('manager')
    const { data } = await manager.call(affiliateApi.create, { body: affiliateInput() })
    const { version, email } = (await manager.call(affiliateApi.get, { params: { uuid: data.uuid } })).data
    const { accountId } = await api.db.selectFrom('account').select('id as accountId').where('email', '=', email).executeTakeFirstOrThrow()
    await createLink(api.db, api.clock.now(), 'recovery', accountId)
    const give = (who: Caller, to: string) =>
      who.call(affiliateApi.update, { params: { uuid: data.uuid }, body: { ...affiliateInput({ email: to }), version } })
    const mine = await give(manager, 'mine@elsewhere.example')
    expect(mine.fields).toEqual({ email: 'Only an admin or head gives an account another e-mail' })
    const links = () => api.db.selectFrom('one_time_link').select('purpose').where('account_id', '=', accountId).execute()
    expect(await links()).not.toEqual([])
    expect((await give(admin, 'new@elsewhere.example')).data.email).toBe('new@elsewhere.example')
    expect(await links()).toEqual([])
  })

  test('an e-mail belongs to one account only, however many ask for it at once', async () => {
    const input = affiliateInput()
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.call(affiliateApi.create, { body: input })))
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
    const refused = answers.find((answer) => answer.status !== 200)
    expect(refused).toMatchObject({ status: 409, fields: { email: 'This e-mail is already in use' } })
  })

  test('what another platform called one belongs to one only, also of those somebody does not see, however many say it at once', async () => {
    const called = (external_id: string) => admin.call(affiliateApi.create, { body: affiliateInput({ external_id }) })
    const made = await Promise.all([called('old-1'), called('old-1'), called('old-1')])
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 422, 422])
    const manager = await api.as('manager')
    const own = await manager.call(affiliateApi.create, { body: affiliateInput({ external_id: 'own-1' }) })
    const row = (await manager.call(affiliateApi.get, { params: { uuid: own.data.uuid } })).data
    const taken = await manager.call(affiliateApi.update, {
      params: { uuid: row.uuid },
      body: { ...affiliateInput(), email: row.email, external_id: 'old-1', version: row.version },
    })
    expect(taken.fields).toEqual({ external_id: 'Another one has this external ID' })
  })

  test('an address that only looks like another one is refused at its field', async () => {
    const answer = await admin.call(affiliateApi.create, { body: affiliateInput({ email: 'аdmin@example.com' }) })
    expect(answer).toMatchObject({ status: 400, errors: { 400: 'Bad request. Please check your input.' } })
    expect(Object.keys(answer.fields)).toEqual(['email'])
  })

  test('a change is kept, and written to the audit log with personal fields masked', async () => {
    const { data } = await admin.call(affiliateApi.create, { body: affiliateInput() })
    const changed = await admin.call(affiliateApi.update, {
      params: { uuid: data.uuid },
      body: { ...affiliateInput({ name: 'Renamed', phone: '+380 44 123 4567', status: 'banned' }), version: await versionOf(data.uuid) },
    })
    expect(changed.data).toMatchObject({ name: 'Renamed', status: 'banned' })
    const entries = await api.db
      .selectFrom('audit')
      .select(['action', 'after'])
      .where('entity', '=', 'affiliate')
      .where('entity_id', '=', String(data.id))
      .orderBy('id')
      .execute()
    expect(entries.map((entry) => entry.action)).toEqual(['create', 'update'])
    expect(entries[1]?.after).toMatchObject({ name: 'Renamed', phone: '•••' })
  })

  test('a telephone is kept the way it is dialled, and what is none is refused; an old one stays until somebody changes it', async () => {
    const body = affiliateInput({ phone: '+380671234567' })
    const { data } = await admin.call(affiliateApi.create, { body })
    const read = async () => (await admin.call(affiliateApi.get, { params: { uuid: data.uuid } })).data
    expect((await read()).phone).toBe('+380 67 123 4567')
    for (const phone of ['+380 1', '067 123 45 67', 'call me', '+', '+999 123456789'])
      expect(Object.keys((await admin.call(affiliateApi.create, { body: affiliateInput({ phone }) })).fields), phone).toEqual(['phone'])
    await api.db.updateTable('affiliate').set({ phone: '067 old' }).where('id', '=', data.id).execute()
    const save = async (phone: string) =>
      admin.call(affiliateApi.update, { params: { uuid: data.uuid }, body: { ...body, phone, version: await versionOf(data.uuid) } })
    expect((await save('067 old')).data.phone).toBe('067 old')
    expect((await save('067 older')).fields).toEqual({ phone: expect.stringContaining('no telephone number') })
    expect((await save('')).data.phone).toBe('')
  })

  test('the log of a change names only what changed, whatever the order in which the database keeps contacts', async () => {
    const contacts = { skype: 'live:media', telegram: '@media', linkedin: '' }
    const input = affiliateInput({ contacts, tags: ['vip'] })
    const { data } = await admin.call(affiliateApi.create, { body: input })
    const body = { ...input, phone: '+380 44 123 4567', version: await versionOf(data.uuid) }
    await admin.call(affiliateApi.update, { params: { uuid: data.uuid }, body })
    const { before, after } = await api.db
      .selectFrom('audit')
      .select(['before', 'after'])
      .where('entity', '=', 'affiliate')
      .where('entity_id', '=', String(data.id))
      .where('action', '=', 'update')
      .executeTakeFirstOrThrow()
    expect({ before, after }).toEqual({ before: { phone: '' }, after: { phone: '•••' } })
  })

  test('the log holds no secret, and of people only what is named here', async () => {
    const people = [accountFields, affiliateFields, advertiserFields, managerFields, profileInput.shape]
    const fields = people.flatMap((shape) => Object.keys(shape))
    const secrets = ['smtp_password', 'api_key', 'webhook_secret', 'password_hash', 'token']
    const after = Object.fromEntries([...fields, ...secrets].map((name) => [name, 'in clear']))
    await recordAudit(api.db, null, Date.now(), { action: 'test', entity: 'affiliate', entityId: 1, after: { ...after, mail: [after] } })
    const entry = await api.db.selectFrom('audit').select('after').where('action', '=', 'test').executeTakeFirstOrThrow()
    const { mail, ...logged } = Object(entry.after)
    expect(mail).toEqual([logged])
    const readable = Object.keys(logged).filter((name) => logged[name] === 'in clear')
    // a field that tells who somebody is or how to reach them is marked `personal` in its contract; any other is named here
    const business = [
      'allowed_ips',
      'company',
      'country',
      'currency',
      'external_id',
      'geos',
      'no_status_approved',
      'notes',
      'postback_auth',
      'postback_words',
      'status',
      'tags',
      'traffic_sources',
      'type',
      'verticals',
      'website',
    ]
    expect(readable.toSorted()).toEqual([...business, 'language', 'name', 'time_zone'].toSorted())
  })

  test('of two changes made from the same state the second is refused, and nothing of it is kept', async () => {
    const { data } = await admin.call(affiliateApi.create, { body: affiliateInput() })
    const head = await api.as('head')
    const version = await versionOf(data.uuid)
    const change = (caller: Caller, name: string) =>
      caller.call(affiliateApi.update, { params: { uuid: data.uuid }, body: { ...affiliateInput({ name }), version } })
    const answers = await Promise.all([change(admin, 'One'), change(head, 'Two')])
    const saved = answers.find((answer) => answer.status === 200)
    expect(answers.find((answer) => answer.status !== 200)).toMatchObject({ status: 409, errors: { 1012: expect.any(String) } })
    expect((await admin.call(affiliateApi.get, { params: { uuid: data.uuid } })).data).toEqual(saved?.data)
  })

  test('a change is also refused after its status or the own profile changed, and not after a sign-in', async () => {
    const affiliate = await api.as('affiliate')
    const before = await versionOf(affiliate.uuid)
    await api.db.updateTable('account').set({ last_login_at: new Date() }).where('uuid', '=', affiliate.uuid).execute()
    expect(await versionOf(affiliate.uuid)).toBe(before)
    await affiliate.call(authApi.updateProfile, { body: { name: 'Own name', language: 'uk', time_zone: 'Europe/Kyiv' } })
    const renamed = await versionOf(affiliate.uuid)
    expect(renamed).toBeGreaterThan(before)
    await admin.call(affiliateApi.setStatus, { body: { uuids: [affiliate.uuid], status: 'inactive' } })
    expect(await versionOf(affiliate.uuid)).toBeGreaterThan(renamed)
  })

  test('a column that accounts get some day is an edit, without the trigger being told', async () => {
    const { uuid } = await api.as('affiliate')
    const trx = await api.db.startTransaction().execute()
    const versionAfter = async (assignment: RawBuilder<unknown>) => {
      const { rows } = await sql<{ version: number }>`update account set ${assignment} where uuid = ${uuid} returning version`.execute(trx)
      return rows[0]?.version ?? 0
    }
    try {
      await sql`alter table account add column nickname text not null default ''`.execute(trx)
      const before = await versionAfter(sql`language = 'uk', password_hash = 'x'`)
      expect(await versionAfter(sql`nickname = 'Olha'`)).toBe(before + 1)
      expect(await versionAfter(sql`last_login_at = now()`)).toBe(before + 1)
    } finally {
      await trx.rollback().execute()
    }
  })

  test('one status is given to many, and only those that change are counted', async () => {
    const made = await Promise.all([1, 2, 3].map(() => admin.call(affiliateApi.create, { body: affiliateInput() })))
    const uuids = made.map((answer) => answer.data.uuid)
    expect((await admin.call(affiliateApi.setStatus, { body: { uuids: uuids.slice(0, 2), status: 'inactive' } })).data).toEqual({
      changed: 2,
    })
    expect((await admin.call(affiliateApi.setStatus, { body: { uuids, status: 'inactive' } })).data).toEqual({ changed: 1 })
  })

  test('an own decision is taken back to the status before it, and never over what somebody did since', async () => {
    const { uuid } = (await admin.call(affiliateApi.create, { body: affiliateInput({ status: 'moderation' }) })).data
    const head = await api.as('head')
    const give = (who: Caller, status: 'active' | 'banned') => who.call(affiliateApi.setStatus, { body: { uuids: [uuid], status } })
    const undo = (who: Caller) => who.call(affiliateApi.undo, { body: { uuids: [uuid], status: 'active' } })
    const statusNow = async () => (await admin.call(affiliateApi.get, { params: { uuid } })).data.status
    await give(admin, 'active')
    expect((await undo(head)).status).toBe(409)
    expect((await undo(admin)).data).toEqual({ changed: 1 })
    expect(await statusNow()).toBe('moderation')
    expect((await undo(admin)).status).toBe(409)
    await give(admin, 'active')
    await give(head, 'banned')
    await give(head, 'active')
    expect((await undo(admin)).status).toBe(409)
    expect(await statusNow()).toBe('active')
  })

  test('those that somebody else moved meanwhile keep their status when an expected one is told', async () => {
    const made = await Promise.all([1, 2].map(() => admin.call(affiliateApi.create, { body: affiliateInput({ status: 'inactive' }) })))
    const [banned = '', kept = ''] = made.map((answer) => answer.data.uuid)
    await admin.call(affiliateApi.setStatus, { body: { uuids: [banned], status: 'banned' } })
    const undo = { uuids: [banned, kept], status: 'active' as const, expected: 'inactive' as const }
    expect((await admin.call(affiliateApi.setStatus, { body: undo })).data).toEqual({ changed: 1 })
    expect((await admin.call(affiliateApi.get, { params: { uuid: banned } })).data.status).toBe('banned')
  })
})

describe('scopes', () => {
  test('a manager sees the own affiliates, a team lead those of the team, and a stranger’s row does not exist for them', async () => {
    const lead = await api.as('team lead')
    const manager = await api.as('manager', { teamLeadId: lead.managerId })
    const stranger = await api.as('manager')
    const { data: mine } = await manager.call(affiliateApi.create, { body: affiliateInput() })
    const { data: theirs } = await stranger.call(affiliateApi.create, { body: affiliateInput() })

    const visible = async (caller: Caller) => (await caller.call(affiliateApi.list)).data.list.map((row) => row.uuid)
    expect(await visible(manager)).toEqual([mine.uuid])
    expect(await visible(lead)).toEqual([mine.uuid])
    expect(await visible(stranger)).toEqual([theirs.uuid])

    for (const caller of [manager, lead]) {
      expect((await caller.call(affiliateApi.get, { params: { uuid: theirs.uuid } })).status).toBe(404)
      expect((await caller.call(affiliateApi.get, { params: { uuid: String(theirs.id) } })).status).toBe(404)
      expect(
        (await caller.call(affiliateApi.update, { params: { uuid: theirs.uuid }, body: { ...affiliateInput(), version: 2 } })).status,
      ).toBe(404)
      expect((await caller.call(affiliateApi.passwordLink, { params: { uuid: theirs.uuid } })).status).toBe(404)
      expect((await caller.call(affiliateApi.setStatus, { body: { uuids: [theirs.uuid], status: 'banned' } })).data).toEqual({ changed: 0 })
    }
  })

  test('nobody can give an affiliate to a manager outside the own scope', async () => {
    const manager = await api.as('manager')
    const stranger = await api.as('manager')
    const answer = await manager.call(affiliateApi.create, { body: affiliateInput({ manager_uuid: stranger.uuid }) })
    expect(answer).toMatchObject({ status: 422, fields: { manager_uuid: 'Choose a manager of yours' } })
  })

  test('affiliates and guests get nothing', async () => {
    const affiliate = await api.as('affiliate')
    expect((await affiliate.call(affiliateApi.list)).status).toBe(403)
    expect((await api.guest.call(affiliateApi.list)).status).toBe(401)
  })
})

test('a list tells its size, takes at most 100 rows a page, and sorts by the columns it names', async () => {
  const lead = await api.as('team lead')
  for (const name of ['b', 'a', 'c']) await lead.call(affiliateApi.create, { body: affiliateInput({ name }) })
  const page = await lead.call(affiliateApi.list, { body: { sort: 'name', direction: 'asc', count: 2, page: 2 } })
  expect(page.data.summary.rows).toBe(3)
  expect(page.data.list.map((row) => row.name)).toEqual(['c'])
  expect((await lead.call(affiliateApi.list, { body: { count: 101 } })).status).toBe(400)
  for (const sort of affiliateFilters.shape.sort.unwrap().options)
    expect([sort, (await lead.call(affiliateApi.list, { body: { sort } })).status]).toEqual([sort, 200])
  for (const sort of managerFilters.shape.sort.unwrap().options)
    expect([sort, (await lead.call(managerApi.list, { body: { sort } })).status]).toEqual([sort, 200])
  for (const sort of advertiserFilters.shape.sort.unwrap().options)
    expect([sort, (await lead.call(advertiserApi.list, { body: { sort } })).status]).toEqual([sort, 200])
  for (const sort of landingFilters.shape.sort.unwrap().options)
    expect([sort, (await admin.call(landingApi.list, { body: { sort } })).status]).toEqual([sort, 200])
  for (const sort of offerFilters.shape.sort.unwrap().options)
    expect([sort, (await admin.call(offerApi.list, { body: { sort } })).status]).toEqual([sort, 200])
})
