import Papa from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactExportApi } from '#contract/leads/contact-export.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { revealApi } from '#contract/leads/reveal.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { auditApi } from '#contract/people/audit.ts'
import { securityApi, type securitySetting } from '#contract/people/security.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { deleteContactExports, makeContactExport } from './contact-export.jobs.ts'

const DAY = 86_400_000
const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let head: Caller
let manager: Caller
let affiliate: Caller
let offer: { uuid: string }
let uuids: string[]
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, head, manager] = await Promise.all([api.as('admin'), api.as('head'), api.as('manager')])
  affiliate = await api.as('affiliate', { managerId: manager.managerId })
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
  uuids = []
  for (const [at, first_name] of ['=2+5', 'Anna', 'Berta'].entries()) {
    const lead = leadOf(offer.uuid, { first_name, email: `person${at}@mail.example`, phone: `+3933312345${at}7` })
    uuids.push((await affiliate.call(leadApi.send, { body: lead })).data.session_uuid)
  }
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const WHY = { reason: 'dispute', note: 'Ticket 12: they ask which were theirs' } as const
const ask = (who: Caller, more: object = {}) => who.call(contactExportApi.create, { body: { ...WHY, offer_uuid: [offer.uuid], ...more } })
const work = async () => {
  while (await makeContactExport({ db: api.db, secretKey }, api.clock.now()));
}
async function take(who: Caller, uuid: string) {
  const response = await fetch(`${api.url}/api/contact-export/v1/file/${uuid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  const text = await response.text()
  const { status, headers } = response
  const errors = status === 200 ? {} : (JSON.parse(text) as { errors: object }).errors // the envelope of failures
  return { status, headers, text, errors }
}
const limit = async (changed: Partial<(typeof securitySetting)['defaults']['contact_exports']>, who = admin) => {
  const { version, contact_exports, ...rest } = (await who.call(securityApi.setting)).data
  return who.call(securityApi.updateSetting, { body: { ...rest, contact_exports: { ...contact_exports, ...changed }, version } })
}
const logged = async () =>
  (await admin.call(auditApi.list, { body: { entity: ['contact_export'], count: 100 } })).data.list.map(({ action, after, actor }) => ({
    action,
    after,
    by: actor?.uuid ?? null,
  }))

test('contacts leave as a file that says who took it, with a reason in the log and in the story of each lead', async () => {
  const asked = await ask(head, { search: 'person1@mail.example' })
  expect(asked.data).toMatchObject({ state: 'waiting', rows: 1, downloads: 0, expires_at: null, reason: 'dispute' })
  expect((await take(head, asked.data.uuid)).errors).toHaveProperty('1183')
  const all = (await ask(head)).data
  await work()
  const { list, most, left } = (await head.call(contactExportApi.list)).data
  expect(list.map(({ state, rows }) => ({ state, rows }))).toEqual([
    { state: 'ready', rows: 3 },
    { state: 'ready', rows: 1 },
  ])
  expect({ most, left }).toEqual({ most: 1000, left: 996 })

  const file = await take(head, all.uuid)
  expect(file.headers.get('cache-control')).toContain('no-store')
  expect(file.headers.get('content-disposition')).toContain('.csv')
  const { text } = file
  const { data } = Papa.parse<Record<string, string>>(text.replace('\ufeff', ''), { header: true, skipEmptyLines: true })
  expect(data.map(({ uuid }) => uuid)).toEqual(uuids.toReversed())
  expect(data[0]).toMatchObject({
    first_name: 'Berta',
    email: 'person2@mail.example',
    // a spreadsheet would take both for formulas
    phone: "'+393331234527",
    advertiser: 'Zephyr Brokers',
    offer: expect.any(String),
  })
  expect(data[2]).toMatchObject({ first_name: "'=2+5" })
  for (const row of data) expect(row['exported_by']).toContain(all.uuid)
  expect(data[0]?.['exported_by']).toMatch(/@.*, \d{4}-\d\d-\d\dT\d\d:\d\dZ, /)
  // neither the password nor the address they came from
  expect(text).not.toMatch(/Sekret|203\.0\.113/)

  const log = await logged()
  expect(log.map(({ action }) => action)).toEqual(['download', 'make', 'make', 'create', 'create'])
  expect(log[3]).toEqual({
    action: 'create',
    by: head.uuid,
    after: { ...WHY, rows: 3, filters: { offer_uuid: [offer.uuid] } },
  })
  expect(log[4]?.after).toMatchObject({ rows: 1, searched: true })
  expect(JSON.stringify(log)).not.toContain('@mail.example')
  const story = (await admin.call(userSessionApi.detail, { params: { uuid: uuids[0] ?? '' } })).data
  expect(story.events.filter(({ kind }) => kind === 'revealed')).toMatchObject([WHY])
  // what is looked at on the screen is counted apart
  expect((await head.call(revealApi.quota)).data.left).toBe(50)
  // at rest nobody reads it without the key
  const { sealed } = await api.db.selectFrom('contact_export').select('sealed').where('uuid', '=', all.uuid).executeTakeFirstOrThrow()
  expect(sealed?.includes('Berta')).toBe(false)
})

test('a file is only for who asked for it, a day long or until they delete it', async () => {
  const { uuid } = (await ask(admin)).data
  const other = (await ask(admin)).data.uuid
  await work()
  for (const who of [head, manager]) {
    expect((await take(who, uuid)).status).toBe(404)
    expect((await who.call(contactExportApi.remove, { params: { uuid } })).status).toBe(404)
  }
  expect((await take(affiliate, uuid)).status).toBe(403)
  expect((await take(admin, uuid)).status).toBe(200)
  expect((await admin.call(contactExportApi.remove, { params: { uuid } })).status).toBe(200)
  expect((await take(admin, uuid)).errors).toHaveProperty('1183')
  api.clock.advance(DAY)
  // before any worker came by
  expect((await take(admin, other)).errors).toHaveProperty('1183')
  expect((await admin.call(contactExportApi.list)).data.list.map(({ state }) => state)).toEqual(['deleted', 'deleted'])
  await deleteContactExports(api.db, api.clock.now())
  const kept = await api.db.selectFrom('contact_export').select('state').where('sealed', 'is not', null).execute()
  expect(kept).toEqual([])
})

test('a role takes out as many leads a day as the settings say, two at once no more, and nobody more than they see', async () => {
  expect((await ask(affiliate)).status).toBe(403)
  expect((await ask(manager)).errors).toHaveProperty('1180')
  expect((await limit({ manager: 4 })).status).toBe(200)
  const refused = async (body: object) => (await ask(manager, body)).fields
  expect(await refused({ reason: undefined })).toMatchObject({ reason: 'Choose a reason' })
  expect(await refused({ note: ' ' })).toMatchObject({ note: expect.any(String) })
  for (const note of ['for anna@mail.example', 'called +39 333 123-45-67'])
    expect(await refused({ note })).toEqual({ note: 'Leave contacts out: this stands in the log' })
  const tries = await Promise.all([ask(manager), ask(manager)])
  expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(tries.find(({ status }) => status === 409)?.errors).toHaveProperty('1181')
  await work()
  const { uuid } = (await manager.call(contactExportApi.list)).data.list[0] ?? expect.fail('there is none')
  const { text } = await take(manager, uuid)
  // whose advertiser it is, is not theirs to know
  expect(text).toContain('Berta')
  expect(text).not.toContain('Zephyr')
  expect((await ask(manager, { search: 'nobody@mail.example' })).errors).toHaveProperty('1182')

  // a stranger's filters find nothing
  const stranger = await api.as('manager')
  expect((await ask(stranger)).errors).toHaveProperty('1182')
  // whose role was closed gets neither a new file nor one there was
  api.clock.advance(DAY + 1)
  const late = (await ask(manager)).data.uuid
  await work()
  const never = (await ask(manager, { search: uuids[0] })).data.uuid
  await limit({ manager: 0 })
  await work()
  expect((await take(manager, late)).errors).toHaveProperty('1180')
  expect((await manager.call(contactExportApi.list)).data.list.find((one) => one.uuid === never)).toMatchObject({ state: 'refused' })
  expect((await limit({ head: 9000 }, head)).fields).toEqual({
    'contact_exports.head': 'Only an admin decides how much admins and heads may see',
  })

  // the usual export is what the list answers, masked for everybody
  for (const who of [admin, head, manager, affiliate]) {
    const { list } = (await who.call(userSessionApi.list, { body: { offer_uuid: [offer.uuid] } })).data
    expect(list).toHaveLength(3)
    expect(JSON.stringify(list)).not.toMatch(/@mail\.example|Berta|393331234527/)
  }
  // whose data are gone is in no file
  await api.db
    .updateTable('user_session')
    .set({ sealed: null })
    .where('uuid', '=', uuids[0] ?? '')
    .execute()
  expect((await ask(admin)).data.rows).toBe(2)
})

test('of a lead list those are taken out who are in it and have a lead; of a stranger’s list nobody', async () => {
  const who = await api.as('admin')
  const { uuid } = (await who.call(leadListApi.create, { body: { title: 'To take out', description: '' } })).data
  const [, anna = ''] = uuids
  await who.call(leadListApi.addSessions, { params: { uuid }, body: { uuids: [anna] } })
  const asked = await ask(who, { lead_list_uuid: uuid })
  expect(asked.data).toMatchObject({ rows: 1, state: 'waiting' })
  await work()
  const { text } = await take(who, asked.data.uuid)
  expect(text).toContain('person1@mail.example')
  expect(text).not.toContain('person2@mail.example')
  expect((await ask(who, { lead_list_uuid: crypto.randomUUID() })).fields).toEqual({ lead_list_uuid: 'Choose a list' })
})
