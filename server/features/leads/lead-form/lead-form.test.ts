import { afterAll, beforeAll, expect, test } from 'vitest'
import { leadFormApi, leadFormInput } from '#contract/leads/lead-form.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { mintClickId } from '#server/rules/click/click-id.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeLanding } from '#test/support/make/landings.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length), TRUST_PROXY: '127.0.0.1' } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const offerOf = async () =>
  makeLeadOffer(api.db, admin, advertiser.uuid, [await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())])
const formOf = async (offer: { uuid: string }, more: Record<string, string> = {}) =>
  (await affiliate.call(leadFormApi.own, { params: { uuid: offer.uuid }, body: { ...leadFormInput.parse({}), ...more } })).data
const pathOf = (action: string) => `${api.url}${new URL(action).pathname}`
let visitors = 0
/** Posts as a browser does, from an address of its own. */
const post = (action: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(pathOf(action), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'x-forwarded-for': `198.51.100.${++visitors}`, 'user-agent': 'Visitor/1', ...headers },
    body: new URLSearchParams(fields),
  })
const person = () => {
  const { offer_uuid: _offer, ip: _ip, ...rest } = leadOf('')
  return rest
}
const sessions = (offerId: number) => api.db.selectFrom('user_session').selectAll().where('offer_id', '=', offerId).orderBy('id').execute()

test('a form brings a lead with click, address, browser and consent; pressed twice it is one lead, and both presses go on', async () => {
  const offer = await offerOf()
  const landing = await makeLanding(admin, { url: 'https://form.example/?k={click_id}' })
  await api.db.insertInto('offer_landing').values({ offer_id: offer.id, landing_id: landing.id, weight: 100, position: 0 }).execute()
  const form = await formOf(offer, {
    landing: String(landing.id),
    consent_text: 'I "agree" <b>',
    thank_you_url: 'https://form.example/thanks',
  })
  expect(form).toMatchObject({ click_parameter: 'k', landings: [{ id: landing.id }], caught: 0 })
  expect(form.fields).toEqual(['first_name', 'last_name', 'email', 'phone'])
  expect(form.html).toContain("query.get('k')")
  expect(form.html).not.toContain('<b>')
  const keys = await loadClickKeys(api.db, api.clock.now())
  const click = mintClickId({ at: api.clock.now() - 1000, offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, random: 9 }, keys)
  const told = {
    ...person(),
    click_id: click,
    landing_url: 'https://form.example/',
    promo: 'summer',
    consent: 'yes',
    consent_text: 'I agree',
    thank_you_url: 'https://form.example/thanks',
  }
  const both = await Promise.all([post(form.action, told), post(form.action, told)])
  for (const answer of both) {
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/\/in\/[\w-]{43}$/)
  }
  const [session, ...others] = await sessions(offer.id)
  expect(others).toEqual([])
  expect(session).toMatchObject({
    origin: 'landing',
    status: 'accepted',
    click_id: click,
    landing_id: landing.id,
    consent: { text: 'I agree', proof_url: 'https://form.example/', given_at: new Date(api.clock.now()).toISOString() },
  })
  const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
  const sealed = openLeadVault(secretKey).openTold(session?.sealed ?? Buffer.alloc(0))
  expect(sealed).toMatchObject({ ip: expect.stringMatching(/^198\.51\.100\./), user_agent: 'Visitor/1', 'fields.promo': 'summer' })
  // somebody who was led on already is thanked, and after five minutes the same person is another lead
  const inside = new URL(both[0]?.headers.get('location') ?? '')
  expect((await fetch(`${api.url}${inside.pathname}`, { redirect: 'manual' })).status).toBe(302)
  expect((await post(form.action, told)).headers.get('location')).toBe('https://form.example/thanks')
  api.clock.advance(5 * 60_000 + 1)
  await post(form.action, told)
  expect(await sessions(offer.id)).toHaveLength(2)
})

test('what is wrong is told by field in the visitor’s language, as a page or as JSON; what nobody signed takes nothing', async () => {
  const offer = await offerOf()
  const { action } = await formOf(offer)
  const bad = { ...person(), phone: '12<i>', consent_text: 'I agree', country: 'IT' }
  const page = await post(action, bad, { 'accept-language': 'uk-UA,uk;q=0.9,en;q=0.5' })
  const text = await page.text()
  expect([page.status, page.headers.get('content-type')]).toEqual([422, 'text/html; charset=utf-8'])
  expect(text).toContain('<strong>Згода</strong>: Заповніть це поле')
  const json = await fetch(pathOf(action), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.200' },
    body: JSON.stringify({ ...person(), phone: '12', fields: { a: { b: 1 } } }),
  })
  expect(json.headers.get('access-control-allow-origin')).toBe('*')
  expect(await json.json()).toMatchObject({ status: 'error', reason: 'invalid_input', fields: { 'fields.a': 'Send a text' } })
  const noPhone = await post(action, { ...person(), phone: '12' }, { accept: 'application/json' })
  expect(await noPhone.json()).toMatchObject({ fields: { phone: 'This is no telephone number of your country' } })
  // neither another offer's number nor another page to go on to
  const other = await offerOf()
  const stolen = action.replace(`-${offer.id}-`, `-${other.id}-`)
  for (const [path, more] of [
    [stolen, {}],
    [action, { thank_you_url: 'https://phish.example/' }],
    [`${action}x`, {}],
  ] as const)
    expect((await post(path, { ...person(), ...more })).status).toBe(404)
  await api.db.updateTable('offer').set({ status: 'paused' }).where('id', '=', offer.id).execute()
  expect((await post(action, person())).status).toBe(403)
  expect([...(await sessions(offer.id)), ...(await sessions(other.id))]).toEqual([])
})

test('a program is answered as if it were taken and only counted, a rejected person hears nothing of it, and one address is slowed down', async () => {
  const offer = await offerOf()
  const { action } = await formOf(offer)
  const trapped = await post(action, { ...person(), website: 'https://spam.example' }, { accept: 'application/json' })
  const rejected = await post(action, { ...person(), first_name: 'Reject' }, { accept: 'application/json' })
  expect([trapped.status, await trapped.json()]).toEqual([200, { status: 'success', redirect_url: null }])
  expect([rejected.status, await rejected.json()]).toEqual([200, { status: 'success', redirect_url: null }])
  expect((await sessions(offer.id)).map(({ status }) => status)).toEqual(['rejected'])
  expect((await formOf(offer)).caught).toBe(1)
  const slow = { 'x-forwarded-for': '203.0.113.77' }
  const codes: number[] = []
  for (let at = 0; at < 21; at++) codes.push((await post(action, { ...person(), website: 'x' }, slow)).status)
  expect([codes[19], codes[20]]).toEqual([200, 429])
})

test('staff get the form of an affiliate that has access, an affiliate its own and nothing of whom it goes to', async () => {
  const offer = await offerOf()
  const body = leadFormInput.parse({ language: 'uk' })
  const params = { uuid: offer.uuid }
  const staff = await admin.call(leadFormApi.ofAffiliate, { params, body: { ...body, affiliate_uuid: affiliate.uuid } })
  const own = await affiliate.call(leadFormApi.own, { params, body })
  expect(staff.status).toBe(200)
  expect(own.data).toEqual(staff.data)
  expect(own.data.html).toContain('Електронна пошта')
  for (const secret of ['Zephyr', mock.host, 'Product']) expect(JSON.stringify(own.data)).not.toContain(secret)
  expect(await affiliate.call(leadFormApi.own, { params, body: { ...body, landing: '999999' } })).toMatchObject({
    status: 422,
    fields: { landing: 'Choose a landing of this offer' },
  })
  await api.db.updateTable('offer').set({ privacy: 'private' }).where('id', '=', offer.id).execute()
  expect((await affiliate.call(leadFormApi.own, { params, body })).status).toBe(404)
  expect(await admin.call(leadFormApi.ofAffiliate, { params, body: { ...body, affiliate_uuid: affiliate.uuid } })).toMatchObject({
    status: 422,
    fields: { affiliate_uuid: 'This affiliate has no access to the offer' },
  })
  const { action } = own.data
  await api.db.updateTable('offer').set({ privacy: 'public' }).where('id', '=', offer.id).execute()
  await api.db
    .updateTable('affiliate')
    .set({ status: 'inactive' })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect((await post(action, person())).status).toBe(403)
})
