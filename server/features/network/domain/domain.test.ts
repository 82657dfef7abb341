import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { constantApi } from '#contract/network/constant.ts'
import { domainApi } from '#contract/network/domain.ts'
import { notificationApi } from '#contract/network/notification.ts'
import { runtimeApi } from '#contract/network/runtime.ts'
import { smtpSetting } from '#contract/network/smtp.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { hostField, hostName } from '#contract/network/host-name.ts'
import { readConfig } from '#server/platform/config.ts'
import { instanceMark, MARK_PATH } from '#server/platform/instance-mark.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { openMailer } from '#server/features/network/mail/send.service.ts'
import { answerMailRequests } from '#server/features/people/auth/recovery.service.ts'
import { affiliateInput, makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/offers.ts'
import { startMailServer } from '#test/support/run/mail-server.ts'
import { insertKey } from '#server/features/people/api-key/api-key.queries.ts'
import { hashToken } from '#server/platform/secret.ts'
import { caller, startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openPanelAddress } from './address.service.ts'
import { checkDueDomains, type CheckParts } from './check.service.ts'

/** Other people's name servers, as this test says. */
const names = { addresses: new Map<string, string[]>(), records: new Map<string, string[]>() }
const unknown = () => Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
const resolve = async (host: string) => {
  const found = names.addresses.get(host)
  if (found === undefined) throw unknown()
  return found.map((address) => ({ address, family: 4 }))
}
const resolveTxt = async (name: string) => {
  const found = names.records.get(name)
  if (found === undefined) throw unknown()
  return found.map((text) => [text])
}

let api: TestApi
let admin: Caller
let head: Caller
/** What answers under the domains: this network, or whoever the test says. */
let site: Server
let page = ''
let parts: CheckParts
const MARK = instanceMark(readConfig({}, 'test').secretKey)

beforeAll(async () => {
  site = createServer((request, response) => response.end(request.url === MARK_PATH ? page : 'nothing here'))
  await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
  const { port } = site.address() as AddressInfo // a TCP server has one
  const hosts = ['go', 'two', 'three', 'lone', 'once', 'late'].map((name) => `${name}.links.org:${port}`)
  const env = { TRACKING_URL: `http://127.0.0.1:${port}`, PUBLIC_URL: `http://127.0.0.1:${port}`, OUTBOUND_ALLOW: hosts.join(' ') }
  api = await startApi({ env, names: { resolve, resolveTxt } })
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
  const config = readConfig({ DATABASE_URL: api.databaseUrl, ...env }, 'test')
  const policy = { allow: config.outboundAllow, resolve, resolveTxt }
  parts = { db: api.db, clock: api.clock, policy, config, mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl }
})
afterAll(async () => {
  site.close()
  await api.close()
})
beforeEach(async () => {
  for (const table of ['domain', 'unsafe_host', 'notification', 'mail'] as const) await api.db.deleteFrom(table).execute()
  names.addresses.clear()
  names.records.clear()
  page = MARK
})

const add = async (host: string, kind: 'tracking' | 'panel' = 'tracking') =>
  (await admin.call(domainApi.create, { body: { host, kind, certificate: 'proxy' } })).data
const look = async (uuid: string) => (await admin.call(domainApi.check, { params: { uuid } })).data
/** A domain that leads here and is verified. */
const live = async (host: string, kind: 'tracking' | 'panel' = 'tracking') => {
  names.addresses.set(host, ['127.0.0.1'])
  return look((await add(host, kind)).uuid)
}

test.each([
  ['Go.Example.COM', 'go.example.com'],
  [' go.example.com. ', 'go.example.com'],
  ['приклад.укр', 'xn--80aikifvh.xn--j1amh'],
  ['https://go.example.com', null],
  ['go.example.com:8080', null],
  ['go.example.com/click', null],
  ['user@go.example.com', null],
  ['192.0.2.7', null],
  ['0x7f.1', null],
  ['[::1]', null],
  ['localhost', null],
  ['go_1.example.com', null],
  ['-go.example.com', null],
  ['*.example.com', null],
  ['go..example.com', null],
  [`${'a'.repeat(64)}.example.com`, null],
])('%s is written %s', (typed, host) => expect(hostName(typed)).toBe(host))

test('an address that names nothing but its host is taken for the host, any other is refused', () => {
  const read = (text: string) => hostField.safeParse(text).data
  expect([read('https://Go.Example.com/'), read(' http://go.example.com ')]).toEqual(['go.example.com', 'go.example.com'])
  for (const other of ['https://go.example.com/click', 'https://go.example.com:8080', 'https://ann@go.example.com', 'https://10.0.0.1/'])
    expect(read(other), other).toBeUndefined()
})

test('a host is kept once over the network, whatever its spelling, and what is no host is refused at its field', async () => {
  expect((await add('GO.links.org')).host).toBe('go.links.org')
  const twice = await admin.call(domainApi.create, { body: { host: 'go.LINKS.org', kind: 'panel', certificate: 'proxy' } })
  expect([twice.status, Object.keys(twice.fields)]).toEqual([422, ['host']])
  const both = await Promise.all(
    [admin, head].map((caller) =>
      caller.call(domainApi.create, { body: { host: 'two.links.org', kind: 'tracking', certificate: 'acme' } }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  const wrong = await admin.call(domainApi.create, { body: { host: 'http://x.example/click', kind: 'tracking', certificate: 'proxy' } })
  expect([wrong.status, Object.keys(wrong.fields)]).toEqual([400, ['host']])
})

test('what the panel is configured with takes no clicks, and what links are tracked under shows no panel', async () => {
  const other = await startApi({ env: { PUBLIC_URL: 'https://panel.links.org', TRACKING_URL: 'https://clicks.links.org:8443' } })
  try {
    const caller = await other.as('admin')
    const asked = (host: string, kind: 'tracking' | 'panel') =>
      caller.call(domainApi.create, { body: { host, kind, certificate: 'proxy' } })
    const [clicks, panel] = [await asked('Panel.links.org', 'tracking'), await asked('clicks.links.org', 'panel')]
    expect([clicks.status, clicks.fields.host]).toEqual([422, 'This is the address of the panel: clicks need another name'])
    expect([panel.status, panel.fields.host]).toEqual([422, 'This is the address links are tracked under: the panel needs another name'])
    expect((await asked('panel.links.org', 'panel')).status).toBe(200)
    expect((await asked('clicks.links.org', 'tracking')).status).toBe(200)
  } finally {
    await other.close()
  }
})

test('a domain is verified by its TXT record, and until then it is told what was found instead', async () => {
  const { uuid, record, status } = await add('lone.links.org')
  expect([status, record.name]).toEqual(['pending', '_ohma.lone.links.org'])
  names.records.set(record.name, ['v=spf1 -all'])
  const waiting = await look(uuid)
  expect(waiting).toMatchObject({ status: 'pending', verified_at: null })
  expect(waiting.checks.slice(0, 2)).toMatchObject([
    { check: 'resolves', ok: false, finding: 'nothing' },
    { check: 'record', ok: false, finding: 'other', found: ['v=spf1 -all'] },
  ])
  names.records.set(record.name, ['v=spf1 -all', record.value])
  expect(await look(uuid)).toMatchObject({ status: 'failing', verified_by: 'dns', failing: 'resolves' })
})

test('a domain that leads here is verified because this network answers there, and not where somebody else does', async () => {
  names.addresses.set('go.links.org', ['127.0.0.1'])
  page = 'ohma-verification=of-another-network'
  const { uuid } = await add('go.links.org')
  const other = await look(uuid)
  expect([other.status, other.checks.find(({ check }) => check === 'http')]).toMatchObject([
    'pending',
    { ok: false, finding: 'other', found: ['HTTP 200', 'ohma-verification=of-another-network'] },
  ])
  page = MARK
  expect(await look(uuid)).toMatchObject({ status: 'verified', verified_by: 'file', failing: null })
  // the api answers the same under any name
  expect(await (await fetch(`${api.url}${MARK_PATH}`)).text()).toBe(MARK)
})

test('a name that leads to a private network is not called', async () => {
  names.addresses.set('inside.links.org', ['10.0.0.7'])
  const { uuid } = await add('inside.links.org')
  const { checks, status } = await look(uuid)
  expect(status).toBe('pending')
  expect(checks.map(({ check, finding }) => [check, finding])).toEqual(
    expect.arrayContaining([
      ['resolves', 'private_address'],
      ['http', 'private_address'],
    ]),
  )
})

test('only a verified domain becomes the default one, one of each kind, and of the panel by an admin alone', async () => {
  const pending = await add('late.links.org')
  expect((await admin.call(domainApi.setDefault, { params: { uuid: pending.uuid } })).status).toBe(409)
  const [go, two] = [await live('go.links.org'), await live('two.links.org')]
  await Promise.all([go, two].map(({ uuid }) => head.call(domainApi.setDefault, { params: { uuid } })))
  const { list } = (await head.call(domainApi.list, { body: { sort: 'id' } })).data
  expect(list.filter((one) => one.default)).toHaveLength(1)
  const panel = await live('once.links.org', 'panel')
  expect((await head.call(domainApi.setDefault, { params: { uuid: panel.uuid } })).status).toBe(403)
  expect((await head.call(domainApi.remove, { params: { uuid: go.uuid } })).status).toBe(403)
  expect((await admin.call(domainApi.setDefault, { params: { uuid: panel.uuid } })).data).toMatchObject({ default: true })
})

test('the job verifies, and tells admin and head by bell and mail once, the second time a domain fails', async () => {
  names.addresses.set('go.links.org', ['127.0.0.1'])
  const { uuid } = await add('go.links.org')
  await checkDueDomains(parts)
  const status = async () => (await admin.call(domainApi.get, { params: { uuid } })).data.status
  expect(await status()).toBe('verified')
  const told = async () => {
    const bells = await api.db
      .selectFrom('notification')
      .select(['account_id', 'status', 'reason'])
      .where('kind', '=', 'domain_failing')
      .execute()
    const mails = await api.db.selectFrom('mail').select('recipient').where('event', '=', 'domain_failing').execute()
    return { bells: bells.length, mails: mails.length, first: bells[0] }
  }
  page = 'parked'
  api.clock.advance(70 * 60_000)
  await checkDueDomains(parts)
  expect([await status(), (await told()).bells]).toEqual(['failing', 0])
  expect(await checkDueDomains(parts)).toBe(0)
  api.clock.advance(6 * 60_000)
  await checkDueDomains(parts)
  expect(await told()).toMatchObject({ bells: 2, mails: 2, first: { status: 'http', reason: 'go.links.org' } })
  api.clock.advance(70 * 60_000)
  await checkDueDomains(parts)
  expect(await told()).toMatchObject({ bells: 2, mails: 2 })
  page = MARK
  api.clock.advance(70 * 60_000)
  await checkDueDomains(parts)
  expect(await status()).toBe('verified')
})

test('an imported list of unsafe hosts fails a domain that stands on it, or below one that does', async () => {
  const { uuid } = await live('go.links.org')
  const send = (text: string) =>
    fetch(`${api.url}/api/domain/v1/import-unsafe?name=list.txt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
      body: text,
    })
  const answer = (await (await send('# bad ones\n0.0.0.0 ads.example\n||LINKS.org^\nnot a host!\n')).json()) as { data: unknown }
  expect(answer.data).toMatchObject({ rows: 2, skipped: 1, name: 'list.txt' })
  expect(await look(uuid)).toMatchObject({ status: 'failing', failing: 'unsafe' })
  const usual = await admin.call(domainApi.setDefault, { params: { uuid } })
  expect([usual.status, usual.fields.uuid]).toEqual([409, expect.stringContaining('failing now')])
  expect((await send(Array.from({ length: 100_001 }, (_, at) => `host${at}.ex`).join('\n'))).status).toBe(413)
  expect((await send(Array.from({ length: 100_001 }, (_, at) => `${at.toString(36)}.ex`).join('\n'))).status).toBe(422)
  expect((await send('')).status).toBe(200)
  expect(await look(uuid)).toMatchObject({ status: 'verified' })
})

describe('links begin with the narrowest domain there is', () => {
  let offerUuid: string
  let other: string
  let affiliate: Caller
  let stranger: Caller
  const of = async (caller: Caller, offer: string, body: object = {}) =>
    caller.call(partnerOfferApi.link, { params: { uuid: offer }, body })
  const hostOf = async (caller: Caller, offer: string, body: object = {}) => new URL((await of(caller, offer, body)).data.url).hostname
  const assign = async (uuid: string, assignments: { affiliate_uuid: string | null; offer_uuid: string | null }[]) => {
    const { version } = (await admin.call(domainApi.get, { params: { uuid } })).data
    return admin.call(domainApi.update, { params: { uuid }, body: { certificate: 'proxy', assignments, version } })
  }
  const makeUsual = (uuid: string) => admin.call(domainApi.setDefault, { params: { uuid } })

  beforeAll(async () => {
    const advertiser = await makeAdvertiser(api.db)
    ;[offerUuid, other] = [(await makeOffer(admin, advertiser.uuid)).uuid, (await makeOffer(admin, advertiser.uuid)).uuid]
    ;[affiliate, stranger] = await Promise.all([api.as('affiliate'), api.as('affiliate')])
  })

  test('affiliate and offer, affiliate, offer, default, and the configured address; never one that is not verified', async () => {
    expect(await hostOf(affiliate, offerUuid)).toBe('127.0.0.1')
    const [usual, mine, ofOffer, both] = [
      await live('go.links.org'),
      await live('two.links.org'),
      await live('three.links.org'),
      await live('once.links.org'),
    ]
    const pending = await add('late.links.org')
    expect(await hostOf(affiliate, offerUuid)).toBe('127.0.0.1')
    await makeUsual(usual.uuid)
    expect(await hostOf(affiliate, offerUuid)).toBe('go.links.org')
    await assign(pending.uuid, [{ affiliate_uuid: affiliate.uuid, offer_uuid: offerUuid }])
    await assign(ofOffer.uuid, [{ affiliate_uuid: null, offer_uuid: offerUuid }])
    expect([await hostOf(affiliate, offerUuid), await hostOf(affiliate, other)]).toEqual(['three.links.org', 'go.links.org'])
    await assign(mine.uuid, [{ affiliate_uuid: affiliate.uuid, offer_uuid: null }])
    expect([await hostOf(affiliate, offerUuid), await hostOf(affiliate, other)]).toEqual(['two.links.org', 'two.links.org'])
    await assign(both.uuid, [{ affiliate_uuid: affiliate.uuid, offer_uuid: offerUuid }])
    expect([await hostOf(affiliate, offerUuid), await hostOf(affiliate, other)]).toEqual(['once.links.org', 'two.links.org'])
    expect([await hostOf(stranger, offerUuid), await hostOf(stranger, other)]).toEqual(['three.links.org', 'go.links.org'])

    // one chooses among the own ones, and no others
    const { track_domains } = (await affiliate.call(partnerOfferApi.get, { params: { uuid: offerUuid } })).data
    expect(track_domains).toEqual(['once.links.org', 'two.links.org', 'three.links.org', 'go.links.org'])
    expect(await hostOf(affiliate, offerUuid, { domain: 'go.links.org' })).toBe('go.links.org')
    expect(Object.keys((await of(stranger, offerUuid, { domain: 'two.links.org' })).fields)).toEqual(['domain'])
    expect(Object.keys((await of(affiliate, offerUuid, { domain: 'late.links.org' })).fields)).toEqual(['domain'])
    // so do short links, staff's links, test links, the constants, and what postbacks are told to call
    const short = await affiliate.call(partnerOfferApi.createShortLink, { params: { uuid: offerUuid }, body: { sub1: 'x' } })
    expect(new URL(short.data.url).hostname).toBe('once.links.org')
    const listed = await affiliate.call(partnerOfferApi.shortLinks, { body: {} })
    expect(listed.data.list.map(({ url }) => new URL(url).hostname)).toEqual(['once.links.org'])
    const theirs = { params: { uuid: other }, body: { affiliate_uuid: affiliate.uuid } }
    expect(new URL((await admin.call(offerApi.affiliateLink, theirs)).data.url).hostname).toBe('two.links.org')
    expect(new URL((await admin.call(offerApi.testLink, theirs)).data.url).hostname).toBe('two.links.org')
    expect(new Set((await admin.call(constantApi.all)).data.track_domains)).toEqual(
      new Set(['go.links.org', 'two.links.org', 'three.links.org', 'once.links.org']),
    )
    expect((await stranger.call(constantApi.all)).data.track_domains).toEqual(['three.links.org', 'go.links.org'])
    expect(new URL((await api.guest.call(runtimeApi.runtime)).data.tracking_url).hostname).toBe('go.links.org')
  })

  test('a burnt one gives its place to another, those concerned are told, and it all comes back within a day', async () => {
    const [usual, next] = [await live('go.links.org'), await live('two.links.org')]
    await makeUsual(usual.uuid)
    await assign(usual.uuid, [{ affiliate_uuid: affiliate.uuid, offer_uuid: other }])
    await affiliate.call(partnerOfferApi.createShortLink, { params: { uuid: offerUuid }, body: { sub1: 'burnt' } })
    const uses = (await admin.call(domainApi.uses, { params: { uuid: usual.uuid } })).data
    expect(uses).toMatchObject({ default: true, assignments: 1, replacements: [{ host: 'two.links.org' }] })
    expect(uses.affiliates).toBeGreaterThan(0)
    const before = await listOf()
    const body = { reason: 'Flagged by Facebook', replacement_uuid: next.uuid }
    const both = await Promise.all([admin, head].map((caller) => caller.call(domainApi.burn, { params: { uuid: usual.uuid }, body })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await hostOf(affiliate, offerUuid), await hostOf(affiliate, other)]).toEqual(['two.links.org', 'two.links.org'])
    expect(
      (await affiliate.call(partnerOfferApi.shortLinks, { body: {} })).data.list.every(({ url }) => url.includes('two.links.org')),
    ).toBe(true)
    const bells = (await affiliate.call(notificationApi.list, { body: {} })).data.list
    expect(bells.map(({ kind, status, reason }) => [kind, status, reason])).toEqual([['domain_replaced', 'two.links.org', 'go.links.org']])
    const { choices } = (await affiliate.call(notificationApi.choices)).data
    expect(choices.find(({ kind }) => kind === 'domain_replaced')).toEqual({ kind: 'domain_replaced', bell: true, mail: 'now' })
    // it can be neither the default one nor anybody's any more
    expect((await makeUsual(usual.uuid)).status).toBe(409)
    expect((await assign(usual.uuid, [{ affiliate_uuid: affiliate.uuid, offer_uuid: null }])).status).toBe(422)

    api.clock.advance(23 * 3_600_000)
    expect((await admin.call(domainApi.undoBurn, { params: { uuid: usual.uuid } })).status).toBe(200)
    expect(await listOf()).toEqual(before)
    expect((await affiliate.call(notificationApi.list, { body: {} })).data.list).toEqual([])

    await admin.call(domainApi.burn, { params: { uuid: usual.uuid }, body: { reason: 'Again', replacement_uuid: null } })
    expect(await hostOf(affiliate, offerUuid)).toBe('127.0.0.1')
    api.clock.advance(25 * 3_600_000)
    expect((await admin.call(domainApi.undoBurn, { params: { uuid: usual.uuid } })).status).toBe(409)
  })

  /** Each domain with whether it is the default one, and whom it is assigned to. */
  async function listOf() {
    const { list } = (await admin.call(domainApi.list, { body: { sort: 'id' } })).data
    return list.map((one) => [one.host, one.default, one.assigned])
  }

  test('one that is in use is removed only where that is confirmed, and links fall back', async () => {
    const usual = await live('go.links.org')
    await makeUsual(usual.uuid)
    expect((await admin.call(domainApi.remove, { params: { uuid: usual.uuid } })).status).toBe(409)
    expect((await admin.call(domainApi.remove, { params: { uuid: usual.uuid }, body: { confirm: true } })).status).toBe(200)
    expect(await hostOf(affiliate, offerUuid)).toBe('127.0.0.1')
  })
})

test('an API key has no say in the panel’s domains, and has in those of links', async () => {
  const key = `ohma_${'k'.repeat(43)}`
  const scopes = ['network.write']
  await insertKey(api.db, {
    account_id: admin.accountId,
    name: 'Script',
    token_hash: hashToken(key),
    hint: 'kkkk',
    scopes,
    allowed_ips: [],
    created_at: new Date(api.clock.now()),
  })
  const call = caller(api.url, key)
  const { uuid, version } = await live('panel.links.org', 'panel')
  const params = { uuid }
  const answers = [
    await call(domainApi.create, { body: { host: 'other.links.org', kind: 'panel', certificate: 'proxy' } }),
    await call(domainApi.update, { params, body: { certificate: 'acme', assignments: [], version } }),
    await call(domainApi.setDefault, { params }),
    await call(domainApi.burn, { params, body: { reason: 'Blocked', replacement_uuid: null } }),
    await call(domainApi.undoBurn, { params }),
    await call(domainApi.remove, { params, body: { confirm: true } }),
  ]
  expect(answers.map(({ errors }) => Object.keys(errors))).toEqual(answers.map(() => ['1061']))
  const made = await call(domainApi.create, { body: { host: 'more.links.org', kind: 'tracking', certificate: 'proxy' } })
  expect(made.status).toBe(200)
  expect((await call(domainApi.remove, { params: { uuid: made.data.uuid } })).status).toBe(200)
})

test('mails lead to the default panel domain, whatever host a request names', async () => {
  const smtp = JSON.stringify({ host: 'mail.example', sender_email: 'hello@network.example' })
  await api.db.insertInto('setting').values({ key: 'smtp', value: smtp }).execute()
  const { port } = new URL(api.url)
  const forged = () =>
    new Promise<number>((done, failed) => {
      const body = JSON.stringify({ email: admin.email })
      const headers = {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        origin: 'https://evil.example',
        'content-type': 'application/json',
        'content-length': body.length,
      }
      request({ host: '127.0.0.1', port, path: '/api/auth/v1/password-recovery', method: 'POST', headers }, (answer) => {
        answer.resume().on('end', () => done(answer.statusCode ?? 0))
      })
        .on('error', failed)
        .end(body)
    })
  expect(await forged()).toBe(200)
  const panel = await live('once.links.org', 'panel')
  await admin.call(domainApi.setDefault, { params: { uuid: panel.uuid } })
  const config = readConfig(
    { DATABASE_URL: api.databaseUrl, PUBLIC_URL: parts.config.domainAddress.panel.replace('*', '127.0.0.1') },
    'test',
  )
  const queue = openMailQueue(config.secretKey)
  await answerMailRequests({ db: api.db, mail: queue, publicUrl: config.publicUrl }, api.clock.now())
  const server = await startMailServer()
  const setting = { ...smtpSetting.defaults, host: 'localhost', port: server.port, security: 'none', sender_email: 'hello@network.org' }
  await api.db
    .updateTable('setting')
    .set({ value: JSON.stringify(setting) })
    .where('key', '=', 'smtp')
    .execute()
  await api.db.updateTable('mail').set({ recipient: 'ann@network.org' }).execute()
  const addresses = { ...config, trackingUrl: config.publicUrl }
  const mailer = openMailer({
    db: api.db,
    clock: api.clock,
    secretKey: config.secretKey,
    publicUrl: config.publicUrl,
    panel: openPanelAddress(addresses),
  })
  await mailer.tick()
  await mailer.idle()
  await mailer.close()
  await server.close()
  const raw = server.received
    .map((one) => one.raw)
    .join('\n')
    .replaceAll('=\r\n', '')
  expect(raw).toContain('once.links.org')
  expect(raw).toContain('password-recovery?token')
  expect(raw).not.toContain('evil.example')
  expect(raw).not.toContain('127.0.0.1')
  // what is shown instead of mailed leads there too
  await api.db.deleteFrom('setting').where('key', '=', 'smtp').execute()
  const made = await admin.call(affiliateApi.create, { body: affiliateInput() })
  expect(new URL(made.data.link ?? '').hostname).toBe('once.links.org')
})
