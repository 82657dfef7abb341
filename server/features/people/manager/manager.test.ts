import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { authApi } from '#contract/people/auth.ts'
import { ownManagerApi } from '#contract/people/own-manager.ts'
import { managerApi, type ManagerInput } from '#contract/people/manager.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
let head: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
  head = await api.as('head')
})
afterAll(() => api.close())

let counter = 0
function input(changes: Partial<ManagerInput> = {}): ManagerInput {
  counter += 1
  return {
    name: `Manager ${counter}`,
    email: `m${counter}@example.com`,
    role: 'manager',
    type: 'affiliate',
    team_lead_uuid: null,
    contacts: {},
    notes: '',
    time_zone: 'UTC',
    ...changes,
  }
}

/** A change made looking at what there is now. */
async function update(caller: Caller, uuid: string, body: ManagerInput) {
  const { version } = (await admin.call(managerApi.get, { params: { uuid } })).data
  return caller.call(managerApi.update, { params: { uuid }, body: { ...body, version } })
}

describe('whom one may make and see', () => {
  test('an admin makes every role, and each gets a link to set a password', async () => {
    for (const role of ['admin', 'head', 'manager', 'team lead'] as const) {
      const made = await admin.call(managerApi.create, { body: input({ role }) })
      expect(made.status).toBe(200)
      expect(made.data.link).toMatch(/\/password-recovery\?token=/)
      expect((await admin.call(managerApi.get, { params: { uuid: String(made.data.id) } })).data).toMatchObject({
        uuid: made.data.uuid,
        role,
      })
    }
  })

  test('a head neither makes nor sees admins and heads', async () => {
    for (const role of ['admin', 'head'] as const) {
      expect(await head.call(managerApi.create, { body: input({ role }) })).toMatchObject({
        status: 422,
        fields: { role: 'You cannot give this role' },
      })
    }
    const list = await head.call(managerApi.list, { body: { count: 100 } })
    expect(new Set(list.data.list.map((row) => row.role))).toEqual(new Set(['manager', 'team lead']))
    expect((await head.call(managerApi.get, { params: { uuid: admin.uuid } })).status).toBe(404)
    expect((await head.call(managerApi.passwordLink, { params: { uuid: admin.uuid } })).status).toBe(404)
    expect((await head.call(managerApi.setStatus, { body: { uuids: [admin.uuid], status: 'blocked' } })).data).toEqual({ changed: 0 })
  })

  test('what a team lead makes is a manager of the own team, whatever was asked for', async () => {
    const lead = await api.as('team lead')
    const otherLead = await api.as('team lead')
    const wanted = input({ role: 'admin', team_lead_uuid: otherLead.uuid })
    const made = await lead.call(managerApi.create, { body: wanted })
    expect((await lead.call(managerApi.get, { params: { uuid: made.data.uuid } })).data).toMatchObject({
      role: 'manager',
      team_lead: { uuid: lead.uuid },
    })
    const changed = await update(lead, made.data.uuid, { ...wanted, team_lead_uuid: null })
    expect(changed.data.team_lead).toMatchObject({ uuid: lead.uuid })
    const elsewhere = await update(lead, made.data.uuid, { ...wanted, email: 'leads@elsewhere.example' })
    expect(elsewhere.fields).toEqual({ email: 'Only an admin or head gives an account another e-mail' })
    expect((await lead.call(managerApi.list)).data.list).toHaveLength(1)
    expect((await otherLead.call(managerApi.get, { params: { uuid: made.data.uuid } })).status).toBe(404)
    expect((await otherLead.call(managerApi.setStatus, { body: { uuids: [made.data.uuid], status: 'blocked' } })).data).toEqual({
      changed: 0,
    })
  })

  test('the list is found, filtered and counted', async () => {
    const lead = await api.as('team lead')
    const { data } = await admin.call(managerApi.create, {
      body: input({ name: 'Jan 50% Nowak', team_lead_uuid: lead.uuid, type: 'finance' }),
    })
    await api.as('affiliate', { managerId: data.id })
    for (const body of [{ search: '50% n' }, { team_lead_uuid: [lead.uuid] }, { type: ['finance' as const], search: 'nowak' }]) {
      const list = await admin.call(managerApi.list, { body })
      expect(list.data.list.map((row) => row.uuid)).toEqual([data.uuid])
      expect(list.data.list[0]).toMatchObject({ affiliates: 1, advertisers: 0, team_lead: { id: lead.managerId } })
    }
    // a number may be part of another's made-up e-mail as well
    const byId = await admin.call(managerApi.list, { body: { search: String(data.id), type: ['finance'] } })
    expect(byId.data.list.map((row) => row.uuid)).toContain(data.uuid)
    const options = await admin.call(managerApi.options, { body: { role: ['team lead'] } })
    expect(options.data.list.map((row) => row.uuid)).toContain(lead.uuid)
    expect(options.data.list.map((row) => row.uuid)).not.toContain(data.uuid)
    // one who is gone is not chosen, but a filter that has the person says the name
    await admin.call(managerApi.setStatus, { body: { uuids: [data.uuid], status: 'blocked' } })
    const found = async (by: Caller, search: string) => (await by.call(managerApi.options, { body: { search } })).data.list
    expect(await found(admin, 'Jan 50% Nowak')).toEqual([])
    expect(await found(lead, data.uuid)).toEqual([{ uuid: data.uuid, id: data.id, name: 'Jan 50% Nowak' }])
    expect(await found(await api.as('team lead'), data.uuid)).toEqual([])
  })

  test('an e-mail belongs to one account only, staff and affiliates alike', async () => {
    const affiliate = await api.as('affiliate')
    expect(await admin.call(managerApi.create, { body: input({ email: affiliate.email }) })).toMatchObject({
      status: 409,
      fields: { email: expect.any(String) },
    })
  })
})

describe('roles and statuses', () => {
  test('nobody changes their own role or blocks themself', async () => {
    const own = input({ role: 'head', email: admin.email })
    expect(await update(admin, admin.uuid, own)).toMatchObject({
      status: 409,
      errors: { 1033: expect.any(String) },
    })
    expect((await admin.call(managerApi.setStatus, { body: { uuids: [admin.uuid], status: 'blocked' } })).errors).toHaveProperty('1033')
    expect((await update(admin, admin.uuid, { ...own, role: 'admin' })).status).toBe(200)
  })

  test('one that somebody else moved meanwhile keeps the status when an expected one is told', async () => {
    const { data } = await admin.call(managerApi.create, { body: input() })
    const change = async (status: 'active' | 'blocked', expected: 'active' | 'deleted') =>
      (await admin.call(managerApi.setStatus, { body: { uuids: [data.uuid], status, expected } })).data.changed
    expect([await change('blocked', 'active'), await change('active', 'deleted')]).toEqual([1, 0])
  })

  test('of two changes made from the same state the second is refused, and nothing of it is kept', async () => {
    const { data } = await admin.call(managerApi.create, { body: input() })
    const { version } = (await admin.call(managerApi.get, { params: { uuid: data.uuid } })).data
    const change = (caller: Caller, name: string) =>
      caller.call(managerApi.update, { params: { uuid: data.uuid }, body: { ...input({ name }), version } })
    const answers = await Promise.all([change(admin, 'One'), change(head, 'Two')])
    const saved = answers.find((answer) => answer.status === 200)
    expect(answers.find((answer) => answer.status !== 200)).toMatchObject({ status: 409, errors: { 1012: expect.any(String) } })
    expect((await admin.call(managerApi.get, { params: { uuid: data.uuid } })).data).toEqual(saved?.data)
  })

  test('of two admins who block each other at the same moment one stays', async () => {
    const alone = await startApi()
    try {
      const [one, two] = [await alone.as('admin'), await alone.as('admin')]
      const answers = await Promise.all([
        one.call(managerApi.setStatus, { body: { uuids: [two.uuid], status: 'blocked' } }),
        two.call(managerApi.setStatus, { body: { uuids: [one.uuid], status: 'blocked' } }),
      ])
      expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
      const active = await alone.db.selectFrom('manager').select('id').where('status', '=', 'active').execute()
      expect(active).toHaveLength(1)
    } finally {
      await alone.close()
    }
  })

  test('who is blocked is signed out at once, and signs in again once active', async () => {
    const manager = await api.as('manager')
    expect((await manager.call(authApi.me)).status).toBe(200)
    expect((await admin.call(managerApi.setStatus, { body: { uuids: [manager.uuid], status: 'blocked' } })).data).toEqual({ changed: 1 })
    expect((await manager.call(authApi.me)).status).toBe(401)
    await admin.call(managerApi.setStatus, { body: { uuids: [manager.uuid], status: 'active' } })
    expect((await manager.call(authApi.me)).status).toBe(401)
  })

  test('a team lead with a team keeps the role until the team has another lead', async () => {
    const lead = await api.as('team lead')
    const member = await api.as('manager', { teamLeadId: lead.managerId })
    const demoted = input({ email: lead.email })
    expect(await update(admin, lead.uuid, demoted)).toMatchObject({
      status: 409,
      fields: { role: expect.any(String) },
    })
    await update(admin, member.uuid, input({ email: member.email }))
    expect((await update(admin, lead.uuid, demoted)).data).toMatchObject({ role: 'manager' })
  })

  test('a change of role takes effect at the next request', async () => {
    const manager = await api.as('manager')
    expect((await manager.call(managerApi.list)).status).toBe(403)
    await update(admin, manager.uuid, input({ email: manager.email, role: 'head' }))
    expect((await manager.call(managerApi.list)).status).toBe(200)
    expect((await manager.call(affiliateApi.list)).status).toBe(200)
  })

  test('changes are in the audit log with personal fields masked', async () => {
    const { data } = await admin.call(managerApi.create, { body: input() })
    await update(admin, data.uuid, input({ notes: 'Knows Poland' }))
    const entries = await api.db
      .selectFrom('audit')
      .select(['action', 'before', 'after', 'actor_id'])
      .where('entity', '=', 'manager')
      .where('entity_id', '=', String(data.id))
      .orderBy('id')
      .execute()
    expect(entries.map((entry) => [entry.action, entry.actor_id])).toEqual([
      ['create', admin.accountId],
      ['update', admin.accountId],
    ])
    expect(entries[1]?.after).toMatchObject({ notes: 'Knows Poland', email: '•••' })
    expect(entries[1]?.after).not.toHaveProperty('role')
  })
})

test('an affiliate is told the name and the contacts of its own manager, and nothing else of anybody', async () => {
  const contacts = { telegram: '@olena', skype: '', linkedin: '' }
  const { data } = await admin.call(managerApi.create, {
    body: input({ name: 'Olena', email: 'olena@ohma.example', contacts, notes: 'Secret' }),
  })
  const affiliate = await api.as('affiliate', { managerId: data.id })
  const own = async (who: Caller) => (await who.call(ownManagerApi.get)).data
  // invited: has not signed in yet
  await api.db.updateTable('manager').set({ status: 'active' }).where('id', '=', data.id).execute()
  expect(await own(affiliate)).toEqual({ manager: { ...contacts, name: 'Olena', email: 'olena@ohma.example' } })
  expect(await own(await api.as('affiliate'))).toEqual({ manager: null })
  await admin.call(managerApi.setStatus, { body: { uuids: [data.uuid], status: 'blocked' } })
  expect(await own(affiliate)).toEqual({ manager: null })
  expect((await admin.call(ownManagerApi.get)).status).toBe(403)
})
