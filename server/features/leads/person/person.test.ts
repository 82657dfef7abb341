import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { leadAuthorityApi } from '#contract/leads/authority.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { personApi } from '#contract/leads/person.ts'
import { quarantineApi } from '#contract/leads/quarantine.ts'
import { revealApi } from '#contract/leads/reveal.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { dumpBusiness, freezeBusiness } from '#server/backup/business.ts'
import { dumpStatistics, listStatistics } from '#server/backup/statistics.ts'
import { startMockAdvertiser, type MockAdvertiser } from '#server/demo/mock-advertiser.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { readConfig } from '#server/platform/config.ts'
import { lockNames } from '#server/platform/pg/lock.ts'
import { createArchive } from '#server/platform/files/archive.ts'
import { log } from '#server/platform/log.ts'
import { mintClickId } from '#server/rules/click/click-id.ts'
import { runLeadListImports } from '#server/features/leads/lead-list-import/lead-list-import.jobs.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer, makeMockProduct } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { personNames } from '../session/person-names.ts'
import { openLeadVault } from '../session/vault.ts'
import { openLeadSender } from '../send/send.jobs.ts'
import { forgetClicks } from './erasure.service.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
const vault = openLeadVault(secretKey)
const REASON = { reason: 'Asked by letter of 3 May' }
let mock: MockAdvertiser
let api: TestApi
let admin: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
let offer: { id: number; uuid: string }
beforeAll(async () => {
  mock = await startMockAdvertiser()
  api = await startApi({ clickhouse: true, env: { OUTBOUND_ALLOW: mock.host.slice('http://'.length) } })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate')])
  advertiser = await makeAdvertiser(api.db, { name: 'Zephyr Brokers' })
  offer = await makeLeadOffer(api.db, admin, advertiser.uuid, [await makeMockProduct(api.db, advertiser.id, mock, api.clock.now())])
})
afterAll(async () => {
  await api.close()
  await mock.close()
})

const send = async (more: Record<string, unknown>) => (await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, more) })).data
const find = async (search: string) => (await admin.call(personApi.find, { body: { search } })).data.list
const one = async (search: string) => (await find(search))[0] ?? expect.fail(`nobody found by ${search}`)
const get = async (uuid: string) => (await admin.call(personApi.get, { params: { uuid } })).data
const erase = (uuid: string, body = REASON, who = admin) => who.call(personApi.erase, { params: { uuid }, body })

/** All rows of all tables, what is sealed in them opened where the product could. */
async function dump(): Promise<string> {
  const tables = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(api.db)
  const texts: string[] = []
  for (const { name } of tables.rows) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(api.db)
    for (const { text } of rows) {
      texts.push(`${name}: ${text}`)
      for (const [, hex = ''] of text.matchAll(/\\x([0-9a-f]+)/g)) {
        const bytes = Buffer.from(hex, 'hex')
        texts.push(bytes.toString('latin1'))
        for (const open of [() => JSON.stringify(vault.openTold(bytes)), () => vault.openText(bytes)])
          try {
            texts.push(`${name}: ${open()}`)
          } catch {
            // sealed for something else, or a hash
          }
      }
    }
  }
  return texts.join('\n')
}

async function backup(): Promise<string> {
  const file = join(tmpdir(), `erased-${crypto.randomUUID()}.tar.zst`)
  const business = await freezeBusiness(api.databaseUrl)
  const archive = createArchive(file)
  const { business: tables } = await business.describe()
  await dumpBusiness(business.client, tables, archive)
  await dumpStatistics(api.clickhouse, await listStatistics(api.clickhouse), archive)
  await archive.close()
  await business.end()
  const whole = zstdDecompressSync(readFileSync(file)).toString('latin1')
  rmSync(file)
  return whole
}

test('who is erased stands nowhere any more: tables, statistics, log, nor a backup made afterwards; who received them is to be told', async () => {
  const stream = Reflect.get(log, pino.symbols.streamSym) as { write(line: string): void } // pino's own
  const logged = vi.spyOn(stream, 'write').mockReturnValue()
  log.level = 'trace'
  const person = {
    first_name: 'Leopoldina',
    last_name: 'Vanderforgotten',
    email: 'forget.me@mail.example',
    phone: '+393337654321',
    ip: '198.51.100.234',
    user_agent: 'ForgottenBrowser/7.3',
    landing_url: 'https://landing.example/?mail=forget.me@mail.example',
    comment: 'Call after six',
  }
  const secrets = ['Leopoldina', 'Vanderforgotten', 'forget.me', '7654321', '198.51.100.234', 'ForgottenBrowser', 'Call after six']
  const at = api.clock.now() - 60_000
  const clickId = mintClickId(
    { at, offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, random: 7 },
    await loadClickKeys(api.db, at),
  )
  const columns = {
    affiliate: affiliate.affiliateId,
    offer: offer.id,
    ts: (at / 1000).toFixed(3),
    rnd: 7,
    ip: `::ffff:${person.ip}`,
    ua: person.user_agent,
  }
  await api.clickhouse.insert({ table: 'click', values: [columns], format: 'JSONEachRow' })
  const first = await send({ ...person, click_id: clickId, external_id: 'forget.me@mail.example' })
  expect(first.status).toBe('accepted')
  await send({ ...person, external_id: undefined })
  await admin.call(revealApi.show, { params: { uuid: first.session_uuid }, body: { reason: 'check', note: 'Ask Leopoldina again' } })
  const before = `${await dump()} ${await clicks()}`
  for (const secret of secrets) expect([secret, before.includes(secret)]).toEqual([secret, true])

  const found = await one('forget.me@mail.example')
  expect(found).toMatchObject({ name: 'L*** V***', sessions: 2 })
  expect((await erase(found.uuid, { reason: 'Leopoldina asked for it' })).fields).toEqual({
    reason: 'Leave the person out: this stands in the log',
  })
  const [one_, two] = await Promise.all([erase(found.uuid), erase(found.uuid)])
  expect([one_.data.changed, two.data.changed].toSorted()).toEqual([0, 1])
  expect(await forgetClicks(api.db, api.clickhouse, api.clock.now() + 3_600_000)).toBe(false)

  const [tables, statistics, copy] = [await dump(), await clicks(), await backup()]
  const written = logged.mock.calls.flat().join('\n')
  for (const secret of secrets)
    for (const [where, text] of Object.entries({ tables, statistics, copy, written })) {
      const place = text.indexOf(secret)
      expect(`${where}: ${place < 0 ? '' : text.slice(Math.max(0, place - 200), place + 80)}`).toBe(`${where}: `)
    }
  log.level = 'silent'
  logged.mockRestore()

  expect(await find('forget.me@mail.example')).toEqual([])
  const card = await get(found.uuid)
  expect(card).toMatchObject({ name: '', email: '', phone: '', country: 'IT' })
  expect(card.notices).toMatchObject([{ advertiser: { name: 'Zephyr Brokers' }, told_at: null }])
  const notice = card.notices[0] ?? expect.fail('no notice')
  const told = { uuids: [notice.uuid], note: 'By e-mail' }
  expect((await admin.call(personApi.toTell, {})).data.list.map(({ uuid }) => uuid)).toContain(notice.uuid)
  expect((await admin.call(personApi.told, { body: told })).data).toEqual({ changed: 1 })
  expect((await admin.call(personApi.told, { body: told })).data).toEqual({ changed: 0 })
  expect((await admin.call(personApi.toTell, {})).data.list.map(({ uuid }) => uuid)).not.toContain(notice.uuid)
  const list = (await admin.call(suppressionApi.list, { body: { reason: ['erasure'] } })).data.list
  expect(list.map(({ kind }) => kind).toSorted()).toEqual(['email', 'phone'])

  // sent in again they are refused, and not kept
  const again = await send({ ...person, external_id: undefined })
  expect([again.status, again.reason]).toEqual(['rejected', 'suppressed'])
  const after = await dump()
  expect(secrets.filter((secret) => after.includes(secret))).toEqual([])
})

test('what staff said of somebody where they decided about a lead is forgotten with them, whole', async () => {
  const quarantined = await send({ first_name: 'Broken', last_name: 'Zhofer', email: 'broken.zhofer1544@mail.example' })
  const { quarantine } = (await admin.call(userSessionApi.detail, { params: { uuid: quarantined.session_uuid } })).data
  const note = 'Broken.Zhofer1544@mail.example is not known there, they say'
  const rejected = { params: { uuid: quarantine?.send_uuid ?? expect.fail('not in quarantine') }, body: { note } }
  expect((await admin.call(quarantineApi.reject, rejected)).data.changed).toBe(1)
  const taken = await send({ first_name: 'Anka', last_name: 'Zgruber', email: 'anka.zgruber77@mail.example' })
  const said = { call_status: 'no_answer' as const, expected: null, reason: 'anka.zgruber77@mail.example was not there' }
  expect((await admin.call(leadAuthorityApi.callStatus, { params: { uuid: taken.session_uuid }, body: said })).status).toBe(200)
  const other = await send({ first_name: 'Ella', email: 'ella.zother@mail.example' })
  const reason = 'zhofer and zgruber are others'
  await admin.call(leadAuthorityApi.callStatus, { params: { uuid: other.session_uuid }, body: { ...said, reason } })
  const secrets = ['zhofer1544', 'zgruber77']
  const before = await dump()
  for (const secret of secrets) expect([secret, before.toLowerCase().includes(secret)]).toEqual([secret, true])

  for (const email of ['broken.zhofer1544@mail.example', 'anka.zgruber77@mail.example'])
    expect((await erase((await one(email)).uuid)).data.changed).toBe(1)
  const after = await dump()
  for (const secret of secrets) {
    const place = after.toLowerCase().indexOf(secret)
    expect(place < 0 ? '' : after.slice(Math.max(0, place - 300), place + 80)).toBe('')
  }
  expect(after).toContain('••• is not known there, they say')
  expect(after).toContain('••• was not there')
  // of others nothing is touched
  expect(after).toContain(reason)
})

async function clicks(): Promise<string> {
  const answer = await api.clickhouse.query({ query: 'select toString(ip) as ip, ua from click', format: 'JSONEachRow' })
  return JSON.stringify(await answer.json())
}

test('a lead that is under way while its person is erased is settled and paid, and brings nothing back', async () => {
  const [person, secrets] = [
    { email: 'under.way@mail.example', ip: '198.51.100.77', phone: '+393337650001' },
    ['under.way', '198.51.100.77', '7650001'],
  ]
  const { data } = await affiliate.call(leadApi.sendBatch, { body: { leads: [leadOf(offer.uuid, { ...person, first_name: 'Slow' })] } })
  const uuid = data.list[0]?.lead?.session_uuid ?? expect.fail('not taken')
  const { uuid: who } = await one('under.way@mail.example')
  api.clock.advance(10_000)
  const policy = { allow: [mock.host.slice('http://'.length)] }
  const sender = openLeadSender({ db: api.db, clock: api.clock, policy, secretKey, findClick: async () => null, underWay: new Map() })
  await sender.tick()
  const sending = () => api.db.selectFrom('lead_send').select('id').where('status', '=', 'sending').executeTakeFirst()
  await expect.poll(sending, { interval: 10 }).toBeDefined()
  expect((await erase(who)).data).toMatchObject({ changed: 1, notices: [{ told_at: null }] })
  await sender.idle()
  const { status } = (await affiliate.call(leadApi.detail, { params: { uuid } })).data
  expect(status).toBe('accepted')
  const text = await dump()
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
  const kept = await api.db.selectFrom('conversion').select(['ip', 'ua', 'status']).orderBy('id', 'desc').executeTakeFirstOrThrow()
  expect(kept).toEqual({ ip: '', ua: '', status: 'approved' })
})

test('what is held is shown and handed over with a reason; contacts are mended everywhere, unless another person has them', async () => {
  const lead = await send({ email: 'wrong@mail.example', phone: '+393337650002', first_name: 'Anna' })
  await send({ email: 'other@mail.example', phone: '+393337650003' })
  const { uuid } = await one('+39 333 765 0002')
  expect((await one(lead.session_uuid)).uuid).toBe(uuid)
  const card = await get(uuid)
  expect(card.recipients).toMatchObject([{ advertiser: 'Zephyr Brokers', status: 'accepted' }])
  expect(JSON.stringify(card)).not.toMatch(/wrong@|7650002/)
  const exported = (body: object) =>
    admin.call(personApi.export, { params: { uuid }, body: { format: 'json' as const, ...REASON, ...body } })
  await fetch(`${api.url}${new URL(lead.redirect_url ?? expect.fail('no link')).pathname}`, { redirect: 'manual' })
  expect(JSON.parse((await exported({})).data.content)).toMatchObject({
    person: { email: 'wrong@mail.example' },
    visits: [{ other_address: true }],
    recipients: [{ advertiser: 'Zephyr Brokers' }],
  })
  expect((await exported({ format: 'csv' })).data.content).toContain('wrong@mail.example')
  expect((await exported({ reason: 'x' })).fields).toEqual({ reason: 'Say it in a few words' })

  const rectify = (body: object) => admin.call(personApi.rectify, { params: { uuid }, body: { ...REASON, ...body } })
  expect((await rectify({ email: 'other@mail.example', phone: '+393337650003' })).fields).toEqual({
    email: 'Another person has these contacts',
  })
  expect((await rectify({ email: 'nothing' })).fields).toEqual({ email: 'This is not an e-mail address' })
  expect((await rectify({ email: 'Right@mail.example', first_name: 'Anne' })).data.changed.toSorted()).toEqual(['email', 'first_name'])
  expect(await find('wrong@mail.example')).toEqual([])
  expect((await one('right@mail.example')).uuid).toBe(uuid)
  const seen = await admin.call(revealApi.show, { params: { uuid: lead.session_uuid }, body: { reason: 'check', note: 'Looked at it' } })
  expect(seen.data.contacts).toMatchObject({ email: 'right@mail.example', first_name: 'Anne' })
  const entries = JSON.stringify(await api.db.selectFrom('audit').selectAll().where('entity', '=', 'person').execute())
  expect(entries).not.toMatch(/@mail|765000/)
  expect(['rectify', 'export'].filter((action) => !entries.includes(action))).toEqual([])
})

test('what a file told of somebody is mended, handed over and forgotten with them, also what is kept of files', async () => {
  const person = ['Filippa', 'Filesdottir', 'filippa@mail.example', '+393337650088', '198.51.100.88', 'Filippa agreed on paper']
  const secrets = ['Filippa', 'Filesdottir', 'filippa@', '7650088', '198.51.100.88', 'agreed on paper']
  const head = 'first_name,last_name,email,phone,ip,consent_text,consent_at,country,gender'
  const row = (gender: string) => `${person.join(',')},2026-05-01,IT,${gender}`
  const bring = async (rows: string[]) => {
    const { uuid: list } = (await admin.call(leadListApi.create, { body: { title: `Files ${crypto.randomUUID()}`, description: '' } })).data
    const body = new TextEncoder().encode([head, ...rows].join('\n'))
    return (await admin.call(leadListImportApi.read, { params: { uuid: list }, query: { name: 'f.csv' }, body })).data
  }
  // others were erased just now: of files that were read meanwhile no row is kept
  api.clock.advance(60_000)
  const start = async ({ uuid, mapping }: Awaited<ReturnType<typeof bring>>) => {
    const body = { mapping, basis: 'consent', source: 'Paper forms', confirmed: true, language: 'en' } as const
    expect((await admin.call(leadListImportApi.start, { params: { uuid }, body })).status).toBe(200)
    while (await runLeadListImports({ db: api.db, secretKey }, api.clock.now()));
    return (await admin.call(leadListImportApi.get, { params: { uuid } })).data
  }
  expect(await start(await bring([row('f')]))).toMatchObject({ added: 1 })
  // in another file nobody can be read, whose rows are kept to be mended, and one nobody has confirmed
  expect(await start(await bring([row('?')]))).toMatchObject({ added: 0, refused: 1, has_rows: true })
  const draft = await bring([row('f'), 'Somebody,Else,else@mail.example,,,,,IT,'])
  const { uuid } = await one('filippa@mail.example')
  const before = await dump()
  expect(secrets.filter((secret) => !before.includes(secret))).toEqual([])
  const handed = (await admin.call(personApi.export, { params: { uuid }, body: { format: 'json', ...REASON } })).data.content
  expect(JSON.parse(handed)).toMatchObject({ lists: [{ source: 'Paper forms', consent: { text: person[5] }, told: { ip: person[4] } }] })
  await admin.call(personApi.rectify, { params: { uuid }, body: { last_name: 'Rightdottir', ...REASON } })
  const sealed = await api.db.selectFrom('lead_list_item').select('sealed').where('sealed', 'is not', null).executeTakeFirstOrThrow()
  expect(vault.openTold(sealed.sealed ?? Buffer.of())).toMatchObject({ first_name: 'Filippa', last_name: 'Rightdottir' })

  expect((await erase(uuid)).data.changed).toBe(1)
  const after = `${await dump()} ${await backup()}`
  expect([...secrets, 'Rightdottir'].filter((secret) => after.includes(secret))).toEqual([])
  expect((await admin.call(leadListImportApi.get, { params: { uuid: draft.uuid } })).data).toMatchObject({
    status: 'cancelled',
    problem: 'erased',
  })
  // brought again they are left out by name
  expect(await start(await bring([row('f')]))).toMatchObject({ added: 0, left_out: { erased: 1 } })
  const again = await dump()
  expect(secrets.filter((secret) => again.includes(secret))).toEqual([])
})

test('whoever is read out of a file in the moment they are erased does not come back by it', async () => {
  const { uuid: list } = (await admin.call(leadListApi.create, { body: { title: 'Files of the moment', description: '' } })).data
  const bring = async () => {
    const body = new TextEncoder().encode('email,country\nmoment@mail.example,IT')
    const { data } = await admin.call(leadListImportApi.read, { params: { uuid: list }, query: { name: 'f.csv' }, body })
    const said = { mapping: data.mapping, basis: 'consent', source: 'Paper forms', confirmed: true, language: 'en' } as const
    await admin.call(leadListImportApi.start, { params: { uuid: data.uuid }, body: said })
  }
  await bring()
  while (await runLeadListImports({ db: api.db, secretKey }, api.clock.now()));
  const { uuid } = await one('moment@mail.example')
  // a worker has looked at the row of another file and not yet written it
  const names = personNames({ phone_hash: null, email_hash: vault.hash('email', 'moment@mail.example') })
  const erased = await api.db.transaction().execute(async (trx) => {
    await lockNames(trx, names)
    const asked = erase(uuid)
    await vi.waitFor(async () => {
      const { rows } = await sql`select 1 from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(api.db)
      expect(rows).toHaveLength(1)
    })
    return { asked }
  })
  expect((await erased.asked).data.changed).toBe(1)
  expect(await find('moment@mail.example')).toEqual([])
})

test('who is restricted is offered to nobody until that ends', async () => {
  await send({ email: 'rest@mail.example', phone: '+393337650004' })
  const { uuid } = await one('rest@mail.example')
  const restrict = async (restricted: boolean) =>
    (await admin.call(personApi.restrict, { params: { uuid }, body: { restricted, ...REASON } })).data.changed
  expect([await restrict(true), await restrict(true)]).toEqual([1, 0])
  expect((await send({ email: 'rest@mail.example', phone: '+393337650004' })).reason).toBe('suppressed')
  expect(await restrict(false)).toBe(1)
  expect((await send({ email: 'rest@mail.example', phone: '+393337650004' })).reason).not.toBe('suppressed')
})

test('admin and head alone may ask, and the log cannot be changed by anybody else', async () => {
  const asked = (['head', 'manager', 'team lead', 'affiliate'] as const).map(async (role) => {
    const who = await api.as(role)
    return [
      (await who.call(personApi.find, { body: { search: 'x@mail.example' } })).status,
      (await erase(crypto.randomUUID(), REASON, who)).status,
    ]
  })
  expect(await Promise.all(asked)).toEqual([
    [200, 404],
    [403, 403],
    [403, 403],
    [403, 403],
  ])
  await expect(sql`update audit set action = 'x'`.execute(api.db)).rejects.toThrow('append-only')
  const other = api.db.transaction().execute(async (trx) => {
    await sql`select set_config('ohma.erasing', 'yes', true)`.execute(trx)
    await sql`update audit set action = 'x'`.execute(trx)
  })
  await expect(other).rejects.toThrow('append-only')
})
