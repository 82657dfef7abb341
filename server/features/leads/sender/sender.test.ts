import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi } from '#contract/leads/api-offer.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import { integrationSpec, type RequestSpec } from '#contract/leads/integration-spec.ts'
import { apiKeyApi } from '#contract/people/api-key.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { buildRequest } from '#server/rules/lead/integration/build-request.ts'
import { INTEGRATION_PRESETS } from '#server/rules/lead/integration/preset/preset.ts'
import { judgeAnswer, type Answer } from '#server/rules/lead/integration/read-answer.ts'
import { readRows } from '#server/rules/lead/integration/read-rows.ts'
import { readStatus } from '#server/rules/lead/integration/status-word.ts'
import { saleWord } from '#server/rules/lead/sender/sale-words.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { PASSWORD, withPassword } from '#test/support/make/password.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { pullStatuses } from '../status/pull.jobs.ts'

const KINDS = ['trackbox', 'irev'] as const
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let key = ''
let offer: { id: number; uuid: string }
let courses: { id: number }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  admin = await api.as('admin')
  affiliate = await withPassword(api.db, await api.as('affiliate'))
  const body = { name: 'CRM', scopes: ['leads.write' as const], allowed_ips: [], days: null, password: PASSWORD }
  key = (await affiliate.call(apiKeyApi.create, { body })).data.key
  const advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  const product = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
  courses = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { type: 'education_leadgen' })
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [product], { repeat_days: null })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const specOf = (kind: string) => integrationSpec.parse(INTEGRATION_PRESETS.find((one) => one.key === kind)?.spec)
let people = 0
/** What such a system would send for a lead, or ask: as the integration of its kind does, whose texts its documentation shows. */
function builtFor(kind: (typeof KINDS)[number], of: 'request' | 'pull', more: Record<string, string> = {}) {
  const spec = specOf(kind)
  const number = 10_000 + ++people
  const values = {
    'product.host': api.url,
    'cred.username': 'u',
    'cred.password': 'p',
    'cred.push_key': key,
    'cred.pull_key': key,
    'cred.token': key,
    'cred.ai': String(affiliate.affiliateId),
    'cred.affiliate_id': String(affiliate.affiliateId),
    'cred.ci': '1',
    'cred.gi': String(offer.id),
    'cred.offer_id': String(offer.id),
    'lead.first_name': 'Anna',
    'lead.last_name': 'Rossi',
    'lead.email': `own.${number}@mail.example`,
    'lead.phone': `+3933322${number}`,
    'lead.password': 'p4ssWord-long',
    'lead.country': 'IT',
    'lead.language': 'it',
    'lead.ip': '203.0.113.9',
    'lead.funnel': 'f1',
    'send.lead_id': `${kind}-${number}`,
    'poll.from': '2020-01-01T00:00:00Z',
    'poll.to': '2100-01-01T00:00:00Z',
    'poll.page': '1',
    ...more,
  }
  const request = (of === 'pull' ? spec.pull?.request : spec.request) as RequestSpec // both have one
  const built = buildRequest(request, values, { tables: spec.tables, country: 'IT' })
  if ('missing' in built) throw new Error(built.missing.join())
  return built
}
async function call(built: ReturnType<typeof builtFor>): Promise<Answer> {
  const { method, url, headers, body } = built
  const answer = await fetch(url, { method, headers, ...(method !== 'GET' && { body }) })
  return { status: answer.status, failure: '', headers: {}, body: await answer.text() }
}
const sent = async (kind: (typeof KINDS)[number], more?: Record<string, string>) =>
  judgeAnswer(await call(builtFor(kind, 'request', more)), specOf(kind).response)
const told = async (kind: (typeof KINDS)[number]) => {
  const answer = await call(builtFor(kind, 'pull'))
  const { pull } = specOf(kind)
  return { page: readRows(answer, pull ?? expect.fail('no pull')), text: answer.body }
}
/** The leads that are told where deposits alone are asked for. */
async function soldOf(kind: (typeof KINDS)[number]) {
  const { url, headers, body, method } = builtFor(kind, 'pull')
  if (kind === 'trackbox') {
    const asked = JSON.stringify({ ...JSON.parse(body ?? ''), type: '4' })
    return (await fetch(url, { method, headers, body: asked })).text()
  }
  const types = (await (await fetch(`${api.url}/api/affiliates/v2/goal-types`, { headers })).json()) as { uuid: string; name: string }[]
  return (await fetch(`${url}&goal_type_uuid=${types.find(({ name }) => name === 'ftd')?.uuid}`, { headers })).text()
}
const sessionOf = (uuid = '') => api.db.selectFrom('user_session').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow()

test.each(KINDS)('a %s system changes only the host: its leads are sold once, and it learns what became of them', async (kind) => {
  const person = { 'lead.email': `${kind}@mail.example`, 'lead.phone': kind === 'irev' ? '+393331234567' : '+393331234568' }
  const first = await sent(kind, { ...person, 'send.lead_id': `${kind}-mine` })
  expect(first).toMatchObject({ outcome: 'accepted', extracted: { redirect_url: expect.stringMatching(/\/in\/[\w-]{43}$/) } })
  const uuid = first.extracted.external_id
  const session = await sessionOf(uuid)
  expect(session).toMatchObject({ status: 'accepted', external_id: `${kind}-mine`, country: 'IT', affiliate_id: affiliate.affiliateId })
  expect(session.told).toMatchObject(
    kind === 'trackbox' ? { funnel: 'f1' } : { subs: ['', '', '', 'f1', `${kind}-mine`, '', '', '', '', ''] },
  )
  // sent again it is the same lead; the same person under another id, a duplicate; another person under this one, refused
  expect((await sent(kind, { ...person, 'send.lead_id': `${kind}-mine` })).extracted.external_id).toBe(uuid)
  expect((await sent(kind, person)).outcome).toBe('duplicate')
  expect((await sent(kind, { 'send.lead_id': `${kind}-mine` })).outcome).not.toBe('accepted')

  const rowOf = async () => {
    const { page, text } = await told(kind)
    expect(text).not.toMatch(/Zephyr|mock|mail\.example/)
    return 'error' in page ? expect.fail(page.error) : page.rows.find(({ id }) => id === uuid)
  }
  expect(await rowOf()).toMatchObject({ status: 'New', isSale: false })
  expect(await soldOf(kind)).not.toContain(uuid)
  Object.assign(mock.leads.find(({ email }) => email === `${kind}@mail.example`) ?? expect.fail('not sent'), { deposit: '250.00' })
  api.clock.advance(3_600_000)
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const policy = { allow: [mock.host.slice('http://'.length)] }
  await pullStatuses({ db: api.db, clock: api.clock, policy, secretKey, findClick: async () => null })
  expect(await rowOf()).toMatchObject({ isSale: true })
  expect(await soldOf(kind)).toContain(uuid)
})

test.each(KINDS)('what a %s system was refused is no lead of its pulls', async (kind) => {
  const email = `refused.${kind}@mail.example`
  const refused = await sent(kind, { 'lead.first_name': 'Reject', 'lead.email': email })
  expect(refused.outcome).not.toBe('accepted')
  const taken = await sent(kind)
  const last = await api.db.selectFrom('user_session').select(['uuid', 'status']).orderBy('id', 'desc').limit(2).execute()
  expect(last.map(({ status }) => status)).toEqual(['accepted', 'rejected'])
  const { page } = await told(kind)
  const ids = 'error' in page ? expect.fail(page.error) : page.rows.map(({ id }) => id)
  expect([ids.includes(taken.extracted.external_id ?? ''), ids.includes(last[1]?.uuid ?? '')]).toEqual([true, false])
})

test('a lead staff try in the name of an affiliate is none of its own', async () => {
  const country = 'IT'
  const tried = await admin.call(apiOfferApi.test, {
    params: { uuid: offer.uuid },
    body: { affiliate_uuid: affiliate.uuid, country } as never,
  })
  expect(tried.status).toBe(200)
  for (const kind of KINDS) expect((await told(kind)).text).not.toContain(tried.data.session.uuid)
})

test('a lead that was taken is no deposit, though the lead is what is paid; telephones behind 00 and languages of a country are read', async () => {
  await api.db.updateTable('goal').set({ code: 'lead' }).where('offer_id', '=', courses.id).where('code', '=', 'registration').execute()
  const more = { 'cred.gi': String(courses.id), 'cred.offer_id': String(courses.id) }
  for (const kind of KINDS) {
    const { outcome, extracted } = await sent(kind, more)
    expect(outcome).toBe('accepted')
    const { page } = await told(kind)
    expect('error' in page ? page.error : page.rows.find(({ id }) => id === extracted.external_id)).toMatchObject({ isSale: false })
    expect(await soldOf(kind)).not.toContain(extracted.external_id)
  }
  const built = builtFor('trackbox', 'request', more)
  const body = JSON.stringify({ ...JSON.parse(built.body ?? ''), phone: '00393332299887', lg: 'en_GB' })
  const spelt = judgeAnswer(await call({ ...built, body }), specOf('trackbox').response)
  expect((await sessionOf(spelt.extracted.external_id)).country).toBe('IT')
})

test('what is wrong is refused by the name its sender has for it, as such systems refuse', async () => {
  const box = await call(builtFor('trackbox', 'request', { 'cred.gi': '999999', 'lead.email': 'none', 'cred.ai': '7777777' }))
  expect([box.status, JSON.parse(box.body)]).toMatchObject([
    200,
    { status: false, code: 422, errorMessage: expect.stringContaining('ai:') },
  ])
  const wrong = await call(builtFor('trackbox', 'request', { 'lead.email': 'none' }))
  expect(JSON.parse(wrong.body).errorMessage).toMatch(/^email: /)
  const closed = await call(builtFor('irev', 'request', { 'cred.offer_id': '999999' }))
  expect([closed.status, JSON.parse(closed.body)]).toMatchObject([422, { code: 422, data: { errorMessage: expect.any(String) } }])
  for (const kind of KINDS) {
    const open = builtFor(kind, 'request', { 'cred.push_key': 'none', 'cred.token': 'none' })
    expect(judgeAnswer(await call(open), specOf(kind).response).outcome).toBe('config_error')
  }
  for (const built of [builtFor('trackbox', 'pull', { 'poll.page': '-1' }), builtFor('irev', 'pull', { 'poll.page': '0' })])
    expect((await call(built)).body).toContain('page: ')
  const hostile = { ...builtFor('irev', 'request'), body: JSON.stringify({ offer_id: { $ne: 1 }, __proto__: 1, email: ['a'], 'x.y': '1' }) }
  const refused = await call(hostile)
  expect([refused.status, JSON.parse(refused.body).message]).toEqual([422, expect.stringMatching(/offer_id.*email.*x\.y/s)])
  // a session of somebody who is signed in is no key
  const signedIn = builtFor('irev', 'request', { 'cred.token': affiliate.token })
  expect((await call(signedIn)).status).toBe(401)
})

test('what a call centre says is told in words that mean the same when they are read', () => {
  const { statuses } = specOf('irev')
  for (const status of CALL_STATUSES) {
    const meaning = readStatus(saleWord(status), statuses)
    if (meaning !== undefined) expect([status, meaning]).toEqual([status, status])
  }
  expect(CALL_STATUSES.filter((status) => readStatus(saleWord(status), statuses) !== undefined).length).toBeGreaterThan(12)
})
