import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { auditApi } from '#contract/people/audit.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { readConfig } from '#server/platform/config.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openLeadVault } from '../session/vault.ts'
import { openLeadSender } from '../send/send.jobs.ts'
import { applyStatus } from '../status/apply-status.service.ts'
import { findSend } from '../status/status.queries.ts'

let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let manager: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
/** Another advertiser, which answers nothing but what it was told, and fails. */
const echo = createServer((request, response) => {
  void request.toArray().then((chunks: Buffer[]) => {
    const body = Buffer.concat(chunks).toString()
    heard.push({ url: request.url ?? '', headers: request.headers, body })
    response.writeHead(500).end(`Failed: ${request.url} ${JSON.stringify(request.headers)} ${body}`)
  })
})
const heard: { url: string; headers: IncomingHttpHeaders; body: string }[] = []
let echoHost: string
beforeAll(async () => {
  mock = await startMockAdvertiser()
  await new Promise<void>((listening) => echo.listen(0, '127.0.0.1', listening))
  echoHost = `127.0.0.1:${(echo.address() as AddressInfo).port}` // a TCP server has one
  api = await startApi({ env: { OUTBOUND_ALLOW: `${mock.host.slice('http://'.length)},${echoHost}` } })
  ;[admin, manager, affiliate] = await Promise.all([api.as('admin'), api.as('manager'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  await api.db
    .updateTable('advertiser')
    .set({ manager_id: manager.managerId ?? 0 })
    .where('id', '=', advertiser.id)
    .execute()
})
afterAll(async () => {
  await api.close()
  await mock.close()
  echo.close()
})

/** Their list knows leads by our id. */
const PULLED: IntegrationSpec = { ...MOCK_SPEC, pull: MOCK_SPEC.pull === null ? null : { ...MOCK_SPEC.pull, id_is: 'lead_id' } }
/** An offer of two products, the first with one place a day; a lead of it the first of them answers with a page of error. */
async function unclear(terms: object = {}, spec = PULLED) {
  const products = [
    {
      ...(await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec)),
      terms: { caps: [{ period: 'day' as const, limit: 1 }], ...terms },
    },
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), spec),
  ]
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, products)
  const body = leadOf(offer.uuid, { first_name: 'Broken', last_name: 'Zanetti', email: `z.${offer.id}@mail.example` })
  const { data } = await affiliate.call(leadApi.send, { body })
  expect(data.status).toBe('ambiguous')
  const { quarantine } = await detailOf(data.session_uuid)
  return { uuid: data.session_uuid, click: data.click_id, send: quarantine?.send_uuid ?? expect.fail('no send'), offer, body }
}
const detailOf = async (uuid: string, who = manager) => (await who.call(userSessionApi.detail, { params: { uuid } })).data
const accept = (send: string, who = manager, body = {}) => who.call(quarantineApi.accept, { params: { uuid: send }, body })
const reject = (send: string, who = manager, body = {}) => who.call(quarantineApi.reject, { params: { uuid: send }, body })
const used = async (offer: { members: number[] }) => {
  const row = await api.db.selectFrom('lead_counter').select('used').where('owner', '=', `member ${offer.members[0]}`).executeTakeFirst()
  return row?.used
}
const booked = async (click: string) =>
  Number(
    (
      await api.db
        .selectFrom('conversion')
        .select(({ fn }) => fn.countAll().as('n'))
        .where('click_id', '=', click)
        .executeTakeFirstOrThrow()
    ).n,
  )
const parts = () => ({
  db: api.db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey: readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test').secretKey,
  findClick: async () => null,
  underWay: new Map(),
})
async function work(): Promise<void> {
  const sender = openLeadSender(parts())
  while ((await sender.tick()) > 0) await sender.idle()
}

test('a lead that was accepted is booked once, whoever says so how often, and known by the ID it has there', async () => {
  const one = await unclear()
  const waiting = (await manager.call(inboxApi.list, { body: { kind: 'sends' } })).data
  expect(waiting.list.map(({ id }) => id)).toContain(one.uuid)
  expect((await manager.call(inboxApi.counts)).data.sends).toBe(waiting.rows)
  const answers = await Promise.all(
    Array.from({ length: 4 }, (_, at) => accept(one.send, at % 2 ? admin : manager, { external_id: 'Z-1', note: 'By phone' })),
  )
  expect(answers.map(({ data }) => data.changed).toSorted()).toEqual([0, 0, 0, 1])
  expect(await booked(one.click)).toBe(1)
  expect(await used(one.offer)).toBe(1)
  expect((await reject(one.send)).errors).toHaveProperty('1163')
  const { session, events, quarantine } = await detailOf(one.uuid)
  expect(session).toMatchObject({ status: 'accepted', advertiser: { name: 'Zephyr Brokers' } })
  expect(quarantine).toBeNull()
  expect(events).toContainEqual(expect.objectContaining({ kind: 'handled', action: 'accept_send', note: 'By phone' }))
  expect(events).toContainEqual(expect.objectContaining({ kind: 'sent', status: 'accepted', external_id: 'Z-1' }))
  const logged = (await admin.call(auditApi.list, { body: { entity: ['user_session'], search: session.id } })).data.list
  expect(logged.filter(({ action }) => action === 'accept_send')).toMatchObject([{ after: { external_id: 'Z-1', note: 'By phone' } }])
  expect((await manager.call(inboxApi.list, { body: { kind: 'sends' } })).data.list.map(({ id }) => id)).not.toContain(one.uuid)

  const product = await api.db.selectFrom('lead_send').select('product_id').where('uuid', '=', one.send).executeTakeFirstOrThrow()
  const other = await unclear()
  await api.db.updateTable('lead_send').set(product).where('uuid', '=', other.send).execute()
  expect((await accept(other.send, manager, { external_id: 'Z-1' })).fields).toEqual({
    external_id: 'Another lead of this product has this ID',
  })
})

test('a lead they do not have gives its place back and goes on to the next, once, whoever says so how often', async () => {
  const one = await unclear()
  expect(await used(one.offer)).toBe(1)
  // the mock takes the second try
  const answers = await Promise.all([reject(one.send), reject(one.send, admin), reject(one.send), reject(one.send, admin)])
  expect(answers.map(({ data }) => data.changed).toSorted()).toEqual([0, 0, 0, 1])
  expect(await used(one.offer)).toBe(0)
  expect((await accept(one.send)).errors).toHaveProperty('1163')
  // what they say of it now speaks of nothing any more
  const send = await api.db.selectFrom('lead_send').selectAll().where('uuid', '=', one.send).executeTakeFirstOrThrow()
  const stale = { ...send, status: 'ambiguous' as const, integration_id: 0, type: 'generic' as const }
  const said = { raw: 'FTD', isSale: true, amount: '250' }
  expect(await applyStatus(parts(), stale, PULLED, said, 'push', api.clock.now())).toBe('repeat')
  expect(await findSend(api.db, send.product_id, { uuid: one.send })).toBeUndefined()
  expect(await booked(one.click)).toBe(0)
  await work()
  const { session, events } = await detailOf(one.uuid)
  expect(events.filter(({ kind }) => kind === 'sent')).toMatchObject([{ status: 'rejected' }, { status: 'ambiguous' }])
  expect(session.status).toBe('ambiguous')
})

test('after who says that it stops there nobody else is asked', async () => {
  const one = await unclear({ on_reject: 'stop' })
  expect((await reject(one.send)).data.changed).toBe(1)
  await work()
  const { session, events } = await detailOf(one.uuid, admin)
  expect(session).toMatchObject({ status: 'rejected', reason: 'rejected' })
  expect(events.filter(({ kind }) => kind === 'sent')).toHaveLength(1)
})

test('their own list is asked about a lead: where it is on it, it was accepted', async () => {
  const [known, unknown] = [await unclear(), await unclear()]
  mock.leads.push({ id: known.send, externalId: '', email: '', phone: '', status: 'New', deposit: '' })
  const lookUp = async (send: string) => (await manager.call(quarantineApi.lookUp, { params: { uuid: send } })).data
  expect(await lookUp(unknown.send)).toEqual({ result: 'unknown', error: '' })
  expect((await detailOf(unknown.uuid)).session.status).toBe('ambiguous')
  expect(await lookUp(known.send)).toEqual({ result: 'accepted', error: '' })
  expect(await booked(known.click)).toBe(1)
  const { session, events } = await detailOf(known.uuid)
  expect(session.status).toBe('accepted')
  expect(events).toContainEqual(expect.objectContaining({ kind: 'handled', action: 'look_up_send', result: 'accepted' }))
  const blind = await unclear({}, MOCK_SPEC)
  expect((await detailOf(blind.uuid)).quarantine).toMatchObject({ no_look_up: 'no_id' })
  expect((await manager.call(quarantineApi.lookUp, { params: { uuid: blind.send } })).errors).toHaveProperty('1164')
})

test('the call is shown without account and person, and to nobody who does not see the advertiser', async () => {
  const { uuid, send, body } = await unclear()
  const { list } = (await manager.call(quarantineApi.calls, { params: { uuid: send } })).data
  expect(list).toMatchObject([{ method: 'POST', url: `${mock.host}/leads`, answer: { status: 500 } }])
  const said = JSON.stringify(list)
  expect(said).toContain('Internal error')
  expect(said).toContain('"country\\":\\"IT')
  for (const secret of [mock.key, body.email, body.phone.slice(3), 'Zanetti']) expect(said).not.toContain(secret)

  const own = await api.as('manager')
  await api.db
    .updateTable('affiliate')
    .set({ manager_id: own.managerId })
    .where('id', '=', affiliate.affiliateId ?? 0)
    .execute()
  expect((await detailOf(uuid, own)).quarantine).toBeNull()
  for (const answer of [await own.call(quarantineApi.calls, { params: { uuid: send } }), await accept(send, own), await reject(send, own)])
    expect(answer.status).toBe(404)
  expect((await affiliate.call(quarantineApi.calls, { params: { uuid: send } })).status).toBe(403)
  expect(JSON.stringify(await detailOf(uuid, affiliate))).not.toContain(send)
})

test('neither what a call makes of the person and the account is shown, nor where the answer repeats it', async () => {
  const said = (name: string, value: string) => ({ name, value, omit_if_empty: false })
  const spec: IntegrationSpec = {
    ...MOCK_SPEC,
    request: {
      ...MOCK_SPEC.request,
      url: '{{product.host}}/leads/{{lead.email | base64}}',
      headers: [
        said('X-Signature', '{{request.body | concat:cred.api_key | hash:sha1}}'),
        said('X-Login', "{{cred.api_key | concat:':',lead.email | base64}}"),
        said('X-Key', '{{cred.api_key | hash:sha256}}'),
      ],
      nodes: Object.entries({
        first_name: '{{lead.first_name}}',
        email: '{{lead.email}}',
        e: '{{lead.email | lower | hash:sha512}}',
        key: '{{lead.email | hmac:sha256,cred.api_key}}',
        password: '{{lead.password | password:12}}',
        phone: '{{lead.phone | national}}',
        login: 'x{{lead.last_name}}{{lead.first_name}}',
        name: "{{lead.full_name | replace:' ','_' | upper}}",
        born: "{{lead.birth_date | date:'DDMMYY'}}",
        country: '{{lead.country}}',
      }).map(([path, value]) => ({ path, value, type: 'string' as const, required: true, omit_if_empty: false })),
    },
  }
  const there = { host: `http://${echoHost}`, key: 'key-of-an-account-5d7e' }
  const offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [
    await makeMockProduct(api.db, advertiser.id, there, api.clock.now(), spec),
  ])
  const person = { first_name: 'Silva', last_name: "d'Orsecret", email: 'silva.dorsecret54@mail.example', phone: '+393331230054' }
  const body = leadOf(offer.uuid, { ...person, password: 'Pass-word/71x', birth_date: '1990-05-31' })
  const { data } = await affiliate.call(leadApi.send, { body })
  const { quarantine } = await detailOf(data.session_uuid)
  const send = quarantine?.send_uuid ?? expect.fail('no send')
  const { list } = (await manager.call(quarantineApi.calls, { params: { uuid: send } })).data
  const [told] = heard
  if (told === undefined) expect.fail('nothing was sent')
  const { country, ...spelt } = JSON.parse(told.body) as Record<string, string>
  expect(country).toBe('IT')
  const headers = ['x-signature', 'x-login', 'x-key'].map((name) => String(told.headers[name]))
  const never = [...Object.values(spelt), ...headers, told.url.split('/').at(-1) ?? '', 'dorsecret54', 'Orsecret', there.key]
  expect(never.filter((text) => text.length < 5)).toEqual([])
  const shown = JSON.stringify(list)
  expect(shown).toContain('Failed: /leads/•••')
  expect(shown.split('\\"country\\":\\"IT\\"')).toHaveLength(3)
  for (const secret of never) expect([secret, shown.includes(secret)]).toEqual([secret, false])
  // what opens the account is not kept either, in whatever form
  const { secretKey } = parts()
  const { call } = await api.db.selectFrom('lead_send').select('call').where('uuid', '=', send).executeTakeFirstOrThrow()
  const kept = openLeadVault(secretKey).openText(call ?? expect.fail('no call'))
  expect(kept).toContain(person.email)
  for (const secret of [...headers, spelt.key ?? '', there.key]) expect([secret, kept.includes(secret)]).toEqual([secret, false])
})
