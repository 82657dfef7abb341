import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { symbols } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiOfferApi, type StoredTerms } from '#contract/leads/api-offer.ts'
import { contactExportApi } from '#contract/leads/contact-export.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { productApi } from '#contract/leads/product.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { stuckApi } from '#contract/leads/stuck.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { auditApi } from '#contract/people/audit.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { makeContactExport } from '#server/features/leads/contact-export/contact-export.jobs.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { pushPath } from '#server/features/leads/product/push-token.ts'
import { readConfig } from '#server/platform/config.ts'
import { log } from '#server/platform/log.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct, MOCK_LOG_IN, MOCK_SPEC } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openLeadSender } from './send.jobs.ts'
import type { SendParts } from './send-parts.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser('key-of-an-account-5d7e')
  api = await startApi({ env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const product = () => makeMockProduct(api.db, advertiser.id, mock, api.clock.now())
const offerOf = async (terms: Partial<StoredTerms> = {}, more = {}) =>
  makeLeadOffer(api.db, admin, advertiser.uuid, [{ ...(await product()), terms }], more)
const send = async (offer: { uuid: string }, more = {}) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) })).data
const worker = (): SendParts => ({
  db: api.db,
  clock: api.clock,
  policy: { allow: [mock.host.slice('http://'.length)] },
  secretKey,
  findClick: async () => null,
  underWay: new Map(),
})

test('an advertiser that does not answer delays nobody else, and ends no lead that waits for room', async () => {
  const patient = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, timeout_ms: 2500 } }
  const slow = await makeLeadOffer(api.db, admin, advertiser.uuid, [
    await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), patient),
  ])
  const quick = await offerOf()
  const leads = [
    ...Array.from({ length: 40 }, () => leadOf(slow.uuid, { first_name: 'Silent' })),
    ...Array.from({ length: 10 }, () => leadOf(quick.uuid)),
  ]
  const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads } })
  expect(data.list.map(({ code }) => code)).toEqual(leads.map(() => 202))
  api.clock.advance(10_000)
  const sender = openLeadSender(worker())
  await sender.tick()
  const sends = async (offer: { id: number }) =>
    (
      await api.db
        .selectFrom('lead_send as n')
        .innerJoin('user_session as s', 's.id', 'n.session_id')
        .select('n.status')
        .where('s.offer_id', '=', offer.id)
        .execute()
    ).map(({ status }) => status)
  const first = Promise.race([sender.idle().then(() => 'slow'), allAccepted(() => sends(quick)).then(() => 'quick')])
  expect(await first).toBe('quick')
  await sender.idle()
  // twenty, and those that were decided upon in the same moment: others wait for room
  expect((await sends(slow)).length).toBeLessThan(40)
  for (let round = 0; round < 2; round++) {
    api.clock.advance(10_000)
    await sender.tick()
    await sender.idle()
  }
  expect(await sends(slow)).toEqual(Array.from({ length: 40 }, () => 'ambiguous'))
})

/** A system that takes leads, and answers all it was sent, and will be, once it is told to. */
async function startHanging() {
  const held: ServerResponse[] = []
  let released = false
  const answer = (to: ServerResponse) => to.writeHead(201, { 'content-type': 'application/json' }).end('{"success":true}')
  const server = createServer((request, to) => {
    request.resume()
    if (released) answer(to)
    else held.push(to)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  const release = () => {
    released = true
    for (const to of held.splice(0)) answer(to)
  }
  return {
    host: `http://127.0.0.1:${port}`,
    release,
    close: async () => {
      release()
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

test('advertisers that hang delay nobody else, however many they are, and no more than so many leads wait for them', async () => {
  const hanging = await startHanging()
  const patient = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, timeout_ms: 60_000 } }
  const at = { ...mock, host: hanging.host }
  const parts = { ...worker(), policy: { allow: [mock.host, hanging.host].map((host) => host.slice('http://'.length)) } }
  const sender = openLeadSender(parts, { quick: 20, waiting: 60, all: 120 })
  const slow: { id: number; uuid: string }[] = []
  for (let number = 0; number < 8; number++) {
    const one = await makeMockProduct(api.db, advertiser.id, at, api.clock.now(), patient)
    slow.push(await makeLeadOffer(api.db, admin, advertiser.uuid, [one]))
  }
  const quick = await offerOf()
  const give = async (uuid: string, count: number) => {
    const leads = Array.from({ length: count }, () => leadOf(uuid))
    expect((await affiliate.call(leadApi.sendBatch, { body: { leads } })).data.list.map(({ code }) => code)).toEqual(leads.map(() => 202))
  }
  // all of them stand before those of the quick one
  for (const { uuid } of slow) await give(uuid, 25)
  await give(quick.uuid, 5)
  api.clock.advance(10_000)
  let most = 0
  /** As the worker does, until all leads of some offers were taken. */
  const workOff = async (offers: readonly { id: number }[]) => {
    const ids = offers.map(({ id }) => id)
    const open = api.db.selectFrom('user_session').select('id').where('offer_id', 'in', ids).where('status', '<>', 'accepted')
    for (const until = performance.now() + 45_000; performance.now() < until && (await open.execute()).length > 0;) {
      if ((await sender.tick()) === 0) await sender.room(100)
      const counts = [...parts.underWay.values()].map(({ began }) => began.size)
      most = Math.max(
        most,
        counts.reduce((sum, count) => sum + count, 0),
      )
    }
    expect(await open.execute()).toEqual([])
  }
  try {
    await workOff([quick])
    // one that comes while all of them hang waits for none
    await give(quick.uuid, 5)
    api.clock.advance(10_000)
    await workOff([quick])
    expect(most).toBeGreaterThan(60)
    hanging.release()
    await workOff(slow)
    await sender.idle()
    expect(most).toBeLessThanOrEqual(120)
  } finally {
    await hanging.close()
    await sender.idle()
  }
}, 150_000)

const allAccepted = (sends: () => Promise<string[]>) =>
  expect.poll(sends, { timeout: 20_000, interval: 20 }).toEqual(Array.from({ length: 10 }, () => 'accepted'))

test.each([
  // clocks go forward: this day has 23 hours
  ['Australia/Sydney', ['2026-10-03T13:59Z', '2026-10-03T14:01Z', '2026-10-04T12:59Z', '2026-10-04T13:01Z']],
  // and back: 25 hours
  ['Europe/Berlin', ['2026-10-24T21:59Z', '2026-10-24T22:01Z', '2026-10-25T22:59Z', '2026-10-25T23:01Z']],
  ['Asia/Kathmandu', ['2026-11-21T18:14Z', '2026-11-21T18:16Z', '2026-11-22T18:14Z', '2026-11-22T18:16Z']],
])('a cap of a day begins anew at the midnight of %s', async (time_zone, moments) => {
  api.clock.set(moments[0]?.replace('Z', ':00.000Z') ?? '')
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  const offer = await offerOf({ time_zone, caps: [{ period: 'day', limit: 1 }] })
  const found: string[] = []
  for (const moment of moments) {
    api.clock.set(moment.replace('Z', ':00.000Z'))
    found.push((await send(offer)).status === 'accepted' ? 'in' : 'full')
  }
  expect(found).toEqual(['in', 'in', 'full', 'in'])
})

/** What the process logs from now on, line by line, whatever is said. */
function readLog(): { lines: string[]; end: () => void } {
  const lines: string[] = []
  const [level, opened] = [log.level, log as unknown as Record<symbol, { write(line: string): void }>] // where pino keeps whom it writes to
  const stream = opened[symbols.streamSym]
  opened[symbols.streamSym] = { write: (line) => void lines.push(line) }
  log.level = 'trace'
  return {
    lines,
    end: () => {
      log.level = level
      if (stream !== undefined) opened[symbols.streamSym] = stream
    },
  }
}

/** Where the mock sends whoever it has taken: they are signed in there. */
const LOG_IN = 'mock.example/login/'
const LOG_IN_SPEC = integrationSpec.parse({
  ...MOCK_SPEC,
  steps: [
    {
      name: 'login',
      keep_seconds: 86_400,
      request: MOCK_LOG_IN,
      response: { rules: [{ when: [{ at: 'token', op: 'exists' }], outcome: 'accepted' }] },
      give: { token: ['token'] },
      expires: ['expires_in'],
    },
  ],
  request: {
    ...MOCK_SPEC.request,
    url: '{{product.host}}/session/leads',
    headers: [{ name: 'Authorization', value: "{{step.login.token | prefix:'Bearer '}}" }],
  },
})

test('no secret of an account, nor anything of who a person is, stands anywhere it could be read', async () => {
  const logged = readLog()
  const offer = await offerOf()
  const person = { first_name: 'Leopoldina', last_name: 'Vandersecret', email: 'hidden.person@mail.example', phone: '+393337654321' }
  const sent = await send(offer, person)
  await send(offer, { first_name: 'Broken' })
  const wrong = await makeMockProduct(api.db, advertiser.id, { ...mock, key: 'another-key-9c1f' }, api.clock.now())
  // it repeats the key it was called with
  const refused = await makeLeadOffer(api.db, admin, advertiser.uuid, [wrong])
  await send(refused)
  // what staff try is kept as well, with what a log-in gave and where the person would go on
  const steps = await makeMockProduct(api.db, advertiser.id, mock, api.clock.now(), LOG_IN_SPEC)
  const tried = await admin.call(productApi.test, {
    params: { uuid: steps.uuid },
    body: { version_number: 1, country: 'IT', values: {} },
  })
  const stepped = await makeLeadOffer(api.db, admin, advertiser.uuid, [steps])
  await send(stepped)
  const whole = await admin.call(apiOfferApi.test, {
    params: { uuid: stepped.uuid },
    body: { affiliate_uuid: affiliate.uuid, country: 'IT', values: { email: 'whole.way@mail.example' } },
  })
  // an advertiser that tells who it is of somebody nobody knows, and what cannot be booked
  const told = await api.db.selectFrom('product').select('uuid').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
  const call = new URLSearchParams({ lead_id: 'X-1', status: 'FTD', email: person.email, phone: person.phone, name: person.last_name })
  const push = `${api.url}${pushPath(secretKey, told.uuid)}`
  expect((await fetch(`${push}?${call.toString()}`)).status).toBe(404)
  // contacts leave in the clear by one file alone, which is made, kept and taken here
  const why = { reason: 'dispute' as const, note: 'They ask which were theirs' }
  const wish = (await admin.call(contactExportApi.create, { body: { ...why, offer_uuid: [offer.uuid] } })).data
  expect(await makeContactExport({ db: api.db, secretKey }, api.clock.now())).toBe(true)
  const headers = { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json' }
  const taken = await fetch(`${api.url}/api/contact-export/v1/file/${wish.uuid}`, { method: 'POST', headers, body: '{}' })
  const file = Buffer.from(await taken.arrayBuffer())
  log.error({ err: new Error('on purpose') }, 'so that there is a line')
  logged.end()
  const people = [person.email, person.phone.slice(3), person.last_name]
  // a session at the advertiser is as good as the key, and so is a link to whoever the lead is
  const token = '-of-an-account'
  expect(mock.session.valid).toContain(token)
  const secrets = [mock.key, 'another-key-9c1f', ...people, token, LOG_IN]

  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(api.db)
  const leaks: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(api.db)
    // bytes are shown as hexadecimal: they are searched as well
    for (const { text } of rows) {
      const hex = [...text.matchAll(/\\x([0-9a-f]+)/g)].map(([, bytes = '']) => Buffer.from(bytes, 'hex').toString('latin1')).join(' ')
      for (const secret of secrets) if (text.includes(secret) || hex.includes(secret)) leaks.push(`${name}: ${secret}`)
    }
  }
  expect([...new Set(leaks)]).toEqual([])

  // what leaves holds the person, and neither an account nor what would open one of theirs
  const { sealed, redirect } = await api.db
    .selectFrom('lead_send as n')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .select(['s.sealed', 'n.redirect'])
    .where('s.uuid', '=', sent.session_uuid)
    .executeTakeFirstOrThrow()
  const opener = openLeadVault(secretKey)
  const { password = '', ip = '' } = sealed === null ? {} : opener.openTold(sealed)
  for (const one of [person.email, person.phone, person.last_name]) expect(file.includes(one)).toBe(true)
  const never = [
    ...secrets.slice(0, 2),
    password,
    ip,
    redirect === null ? '' : opener.openText(redirect),
    sent.redirect_url ?? '',
    mock.host,
  ]
  for (const one of never) expect([one.length > 5, file.includes(one)], one).toEqual([true, false])

  expect(logged.lines.join('')).toContain('on purpose')
  for (const secret of secrets) expect(logged.lines.join('')).not.toContain(secret)
  // that they are there to be hidden
  expect([tried.status, whole.status, tried.data.outcome, whole.data.outcome]).toEqual([200, 200, 'accepted', 'accepted'])
  expect(tried.data).toMatchObject({ extracted: { redirect_url: 'https://mock.example/•••' }, calls: [{ step: 'login' }, { step: '' }] })
  expect(tried.data.calls[1]?.answer?.body).toContain('"redirect_url":"https://mock.example/•••"')
  const kept = await api.db.selectFrom('lead_send').select('uuid').where('redirect', 'is not', null).execute()
  // what staff export is what their lists are answered
  const answers = await Promise.all([
    tried,
    whole,
    admin.call(productApi.tests, { params: { uuid: steps.uuid }, body: {} as never }),
    admin.call(apiOfferApi.testGet, { params: { uuid: whole.data.session.uuid } }),
    ...kept.map(({ uuid }) => admin.call(quarantineApi.calls, { params: { uuid } })),
    admin.call(userSessionApi.list, { body: { count: 100 } }),
    admin.call(userSessionApi.detail, { params: { uuid: sent.session_uuid } }),
    admin.call(stuckApi.list, { body: {} }),
    admin.call(productApi.list, { body: {} }),
    admin.call(conversionApi.list, { body: {} as never }),
    admin.call(auditApi.list, { body: {} as never }),
  ])
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret)

  const vault = openLeadVault(secretKey)
  const calls = await api.db.selectFrom('lead_send').select('call').where('call', 'is not', null).execute()
  const opened = calls.map(({ call }) => (call === null ? '' : vault.openText(call))).join(' ')
  expect(opened).toContain('wrong key Bearer')
  for (const key of secrets.slice(0, 2)) expect(opened).not.toContain(key)

  const seen = JSON.stringify([
    await affiliate.call(leadApi.list, {}),
    await affiliate.call(leadApi.detail, { params: { uuid: sent.session_uuid } }),
    await affiliate.call(userSessionApi.list, { body: {} as never }),
    await affiliate.call(userSessionApi.detail, { params: { uuid: sent.session_uuid } }),
  ])
  for (const secret of [...secrets, 'Zephyr', mock.host, 'Product ', 'M-']) expect(seen).not.toContain(secret)
})

test('nothing an advertiser answers is kept as a reason that tells of the person, opens their account, or stands beside a yes', async () => {
  // it repeats all it was told, and tells where the person goes on where it speaks of errors
  const link = 'https://crm.example/auto-login?token=open-sesame-71'
  const passwords: string[] = []
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      const told = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, string>
      passwords.push(told.password ?? '')
      const no = { success: false, message: `${Object.values(told).join(', ')} by ${request.headers.authorization}: see ${link}` }
      const yes = { success: true, id: told.external_id, redirect_url: link, message: link }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(told.country === 'IT' ? yes : no))
    })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo // a TCP server has one
  const own = await startApi({ env: { OUTBOUND_ALLOW: `127.0.0.1:${port}` } })
  const [staff, partner] = await Promise.all([own.as('admin'), own.as('affiliate')])
  const { uuid, id } = await makeAdvertiser(own.db)
  const there = { host: `http://127.0.0.1:${port}`, key: 'key-of-an-account-5d7e' }
  const password = {
    path: 'password',
    value: '{{lead.password | password:12}}',
    type: 'string',
    required: true,
    omit_if_empty: false,
  } as const
  const spec = { ...MOCK_SPEC, request: { ...MOCK_SPEC.request, nodes: [...MOCK_SPEC.request.nodes, password] } }
  const lead = await makeLeadOffer(own.db, staff, uuid, [await makeMockProduct(own.db, id, there, own.clock.now(), spec)])
  const person = { first_name: 'Silva', last_name: 'Vandersecret' }
  const contacts = [
    { country: 'IT', email: 'silva.vandersecret54@mail.example', phone: '+393331234567' },
    { country: 'DE', email: 'silva.vandersecret55@mail.example', phone: '+493012345678' },
  ]
  const reasons: string[] = []
  for (const contact of contacts) {
    const body = leadOf(lead.uuid, { ...person, ...contact })
    const { session_uuid } = (await partner.call(leadApi.send, { body })).data
    const { events } = (await staff.call(userSessionApi.detail, { params: { uuid: session_uuid } })).data
    reasons.push(...events.flatMap((event) => (event.kind === 'sent' ? [`${event.status}: ${event.reason}`] : [])))
  }
  const kept = await own.db.selectFrom('lead_send').select('reason').orderBy('id').execute()
  server.close()
  await own.close()
  expect(reasons[0]).toBe('accepted: ')
  expect(reasons[1]).toMatch(/^rejected: •.*: see https:\/\/crm\.example\/•••$/)
  const all = JSON.stringify([reasons, kept])
  expect(passwords.map((one) => one.length)).toEqual([12, 12])
  for (const secret of ['Silva', 'vandersecret5', '1234567', there.key, 'open-sesame', ...passwords]) expect(all).not.toContain(secret)
})
