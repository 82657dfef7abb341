import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadApi } from '#contract/leads/lead.ts'
import { personApi } from '#contract/leads/person.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let mock: MockAdvertiser
let admin: Caller
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  admin = await api.as('admin')
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

test('a person opts out by a link of their own: looking changes nothing, confirming twice changes it once, no data is shown', async () => {
  const affiliate = await api.as('affiliate')
  const offer = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [])
  const body = leadOf(offer.uuid, { email: 'leave.me@mail.example', phone: '+393337651111' })
  await affiliate.call(leadApi.send, { body })
  const [found] = (await admin.call(personApi.find, { body: { search: 'leave.me@mail.example' } })).data.list
  const { opt_out_url: link } = (await admin.call(personApi.get, { params: { uuid: found?.uuid ?? '' } })).data
  const path = new URL(link).pathname
  expect(path).toMatch(/^\/opt-out\/[\w-]{46}$/)
  const ask = (method: string, to = path) => fetch(`${api.url}${to}`, { method, headers: { 'accept-language': 'uk' } })
  const list = async () => (await admin.call(suppressionApi.list, { body: { source: ['link'] } })).data.list
  const page = await ask('GET')
  const html = await page.text()
  expect([page.status, html.includes('Підтвердити'), /leave|765/.test(html)]).toEqual([200, true, false])
  expect(html).toContain('<p class="from">Ohma</p>')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(await list()).toEqual([])
  const answers = await Promise.all([ask('POST'), ask('POST')])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await list()).map(({ kind, reason }) => `${kind} ${reason}`).toSorted()).toEqual(['email opt_out', 'phone opt_out'])
  const again = await affiliate.call(leadApi.send, { body: { ...body, external_id: 'second' } })
  expect(again.data.reason).toBe('suppressed')
  expect((await ask('POST', `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
  const tries = await Promise.all(Array.from({ length: 80 }, () => ask('GET')))
  expect(tries.some(({ status }) => status === 429)).toBe(true)
})

test('an advertiser is told where its person opts out, where its integration asks for it', async () => {
  const affiliate = await api.as('affiliate')
  const advertiser = await makeAdvertiser(api.db)
  // what the mock advertiser keeps of a lead
  const nodes = MOCK_SPEC.request.nodes.map((node) => (node.path === 'external_id' ? { ...node, value: '{{lead.opt_out_url}}' } : node))
  const spec = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, nodes } }
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product])
  const { data } = await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { email: 'told@mail.example', phone: '+393337652222' }) })
  expect(data.status).toBe('accepted')
  const [found] = (await admin.call(personApi.find, { body: { search: 'told@mail.example' } })).data.list
  const { opt_out_url: link } = (await admin.call(personApi.get, { params: { uuid: found?.uuid ?? '' } })).data
  expect(mock.leads.at(-1)).toMatchObject({ externalId: link })
})

test('who opts out and who is writing a send of them do not wait for each other: that one holds a place others wait for', async () => {
  // the address of these tests has asked too often
  api.clock.advance(3_600_000)
  const affiliate = await api.as('affiliate')
  const offer = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [])
  await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { email: 'under.way@mail.example', phone: '+393337653333' }) })
  const [found] = (await admin.call(personApi.find, { body: { search: 'under.way@mail.example' } })).data.list
  const { opt_out_url: link } = (await admin.call(personApi.get, { params: { uuid: found?.uuid ?? '' } })).data
  await api.db.transaction().execute(async (trx) => {
    // as the foreign key of a send does
    await sql`select from person where uuid = ${found?.uuid} for key share`.execute(trx)
    expect((await fetch(`${api.url}${new URL(link).pathname}`, { method: 'POST' })).status).toBe(200)
  })
  expect((await admin.call(suppressionApi.list, { body: { search: 'under.way@mail.example' } })).data.list).toHaveLength(1)
})
