import { afterAll, beforeAll, expect, test } from 'vitest'
import { notificationApi } from '#contract/network/notification.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { assignmentApi } from '#contract/people/assignment.ts'
import { auditApi } from '#contract/people/audit.ts'
import { managerApi } from '#contract/people/manager.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi()
  admin = await api.as('admin')
})
afterAll(() => api.close())

const affiliateOf = async (uuid: string) => (await admin.call(affiliateApi.get, { params: { uuid } })).data.manager?.uuid ?? null
const advertiserOf = async (uuid: string) => (await admin.call(advertiserApi.get, { params: { uuid } })).data.manager?.uuid ?? null
const told = async (who: Caller) =>
  (await who.call(notificationApi.list)).data.list.map(({ kind, status, count }) => `${kind} ${status} ${count}`)

test('many affiliates are given to one manager at once, who is told, and back to whom each belonged', async () => {
  const [ann, bob, eve] = [await api.as('manager'), await api.as('manager'), await api.as('manager')]
  const those = [
    await api.as('affiliate', { managerId: ann.managerId }),
    await api.as('affiliate', { managerId: bob.managerId }),
    await api.as('affiliate'),
  ]
  const body = { kind: 'affiliate' as const, uuids: those.map(({ uuid }) => uuid), manager_uuid: eve.uuid }
  const whose = () => Promise.all(those.map(({ uuid }) => affiliateOf(uuid)))
  // asked twice at once, it is done and told once
  const both = await Promise.all([admin.call(assignmentApi.assign, { body }), admin.call(assignmentApi.assign, { body })])
  expect(both.map(({ data }) => data.changed).sort()).toEqual([0, 3])
  expect(await whose()).toEqual([eve.uuid, eve.uuid, eve.uuid])
  expect(await told(eve)).toEqual(['accounts_assigned affiliate 3'])
  // what somebody changed since stays
  const last = those[2]?.uuid ?? ''
  await admin.call(assignmentApi.assign, { body: { ...body, uuids: [last], manager_uuid: ann.uuid } })
  expect((await admin.call(assignmentApi.undo, { body })).data).toEqual({ changed: 2 })
  expect(await whose()).toEqual([ann.uuid, bob.uuid, ann.uuid])
  expect(await told(eve)).toEqual([])
  expect((await admin.call(assignmentApi.undo, { body })).status).toBe(409)
})

test('a team lead gives within the own team; others are refused, and so is a manager who has left', async () => {
  const lead = await api.as('team lead')
  const own = await api.as('manager', { teamLeadId: lead.managerId })
  const stranger = await api.as('manager')
  const advertiser = await makeAdvertiser(api.db, { managerId: own.managerId })
  const give = (who: Caller, manager_uuid: string | null) =>
    who.call(assignmentApi.assign, { body: { kind: 'advertiser', uuids: [advertiser.uuid], manager_uuid } })
  expect((await give(lead, stranger.uuid)).fields).toEqual({ manager_uuid: 'Choose a manager of yours' })
  expect((await give(own, stranger.uuid)).status).toBe(403)
  expect((await give(lead, null)).data).toEqual({ changed: 1 })
  expect(await advertiserOf(advertiser.uuid)).toBe(lead.uuid)
  await admin.call(managerApi.setStatus, { body: { uuids: [stranger.uuid], status: 'blocked' } })
  expect((await give(admin, stranger.uuid)).status).toBe(422)
})

test('whoever deletes a manager says to whom the accounts go; taking it back gives them back too', async () => {
  const [leaver, taker] = [await api.as('manager'), await api.as('manager')]
  const affiliate = await api.as('affiliate', { managerId: leaver.managerId })
  const advertiser = await makeAdvertiser(api.db, { managerId: leaver.managerId })
  const body = { uuids: [leaver.uuid], status: 'deleted' as const }
  const refused = await admin.call(managerApi.setStatus, { body })
  expect(refused).toMatchObject({ status: 409, fields: { 'hand_over.manager_uuid': 'Say who takes over the accounts' } })
  expect((await admin.call(managerApi.setStatus, { body: { ...body, hand_over: { manager_uuid: leaver.uuid } } })).fields).toEqual({
    'hand_over.manager_uuid': 'Choose somebody who stays',
  })
  expect((await admin.call(managerApi.setStatus, { body: { ...body, hand_over: { manager_uuid: taker.uuid } } })).data.changed).toBe(1)
  expect([await affiliateOf(affiliate.uuid), await advertiserOf(advertiser.uuid)]).toEqual([taker.uuid, taker.uuid])
  expect((await told(taker)).sort()).toEqual(['accounts_assigned advertiser 1', 'accounts_assigned affiliate 1'])
  expect((await admin.call(managerApi.undo, { body })).data.changed).toBe(1)
  expect([await affiliateOf(affiliate.uuid), await advertiserOf(advertiser.uuid)]).toEqual([leaver.uuid, leaver.uuid])
  expect((await admin.call(managerApi.get, { params: { uuid: leaver.uuid } })).data.status).toBe('active')
})

test('a blocked manager keeps what nothing is said of; a team lead who goes hands over the team', async () => {
  const [lead, other] = [await api.as('team lead'), await api.as('team lead')]
  const member = await api.as('manager', { teamLeadId: lead.managerId })
  const affiliate = await api.as('affiliate', { managerId: lead.managerId })
  const leadOf = async () => (await admin.call(managerApi.get, { params: { uuid: member.uuid } })).data.team_lead?.uuid ?? null
  const give = (status: 'blocked' | 'deleted', hand_over: object) =>
    admin.call(managerApi.setStatus, { body: { uuids: [lead.uuid], status, hand_over } })
  expect((await give('blocked', {})).status).toBe(200)
  expect([await leadOf(), await affiliateOf(affiliate.uuid)]).toEqual([lead.uuid, lead.uuid])
  expect((await give('deleted', { manager_uuid: null })).fields).toEqual({
    'hand_over.team_lead_uuid': 'Say who leads the team from now on',
  })
  expect((await give('deleted', { manager_uuid: null, team_lead_uuid: member.uuid })).status).toBe(422)
  // nothing of what was refused was done
  expect(await affiliateOf(affiliate.uuid)).toBe(lead.uuid)
  expect((await give('deleted', { manager_uuid: null, team_lead_uuid: other.uuid })).status).toBe(200)
  expect([await leadOf(), await affiliateOf(affiliate.uuid)]).toEqual([other.uuid, null])
  expect(await told(other)).toEqual(['accounts_assigned manager 1'])
  await admin.call(managerApi.undo, { body: { uuids: [lead.uuid], status: 'deleted' } })
  expect([await leadOf(), await affiliateOf(affiliate.uuid)]).toEqual([lead.uuid, lead.uuid])
  const [last] = (await admin.call(auditApi.history, { body: { kind: 'manager', uuid: member.uuid, deeds: false } })).data.list
  const [before, after] = [{ team_lead_uuid: other.uuid }, { team_lead_uuid: lead.uuid }]
  expect(last).toMatchObject({ action: 'undo', entity: 'manager', before, after })
})
