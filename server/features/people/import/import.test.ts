import { sql, type KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importApi, type ImportedKind } from '#contract/people/import.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { openMailQueue } from '#server/features/network/mail/queue.service.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeOffer } from '#test/support/make/money.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { readConfig } from '#server/platform/config.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { runImports } from './run.jobs.ts'
import { USES } from './undo.queries.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
})
afterAll(() => api.close())
// each with its own sixty files an hour
beforeEach(async () => {
  admin = await api.as('admin')
})

const parts = () => {
  const config = readConfig({ DATABASE_URL: api.databaseUrl }, 'test')
  const way = { mail: openMailQueue(config.secretKey), publicUrl: config.publicUrl, panel: openPanelAddress(config) }
  return { db: api.db, clickhouse: api.clickhouse, way }
}
const work = async (now = api.clock.now()) => {
  while (await runImports(parts(), now)) await Promise.resolve()
}

async function read(who: Caller, kind: ImportedKind, file: string | Uint8Array, query: Record<string, string> = {}) {
  const response = await fetch(`${api.url}${importApi.read.path}?${new URLSearchParams({ kind, name: 'partners.csv', ...query })}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(typeof file === 'string' ? Buffer.from(file) : file),
  })
  const { data, errors } = (await response.json()) as { data: never; errors?: object }
  return { status: response.status, errors, data } as {
    status: number
    data: ReturnType<typeof shape> & { fields?: Record<string, string> }
  }
}
const shape = () => importApi.read.response.parse({})
const start = async (who: Caller, { uuid, mapping }: ReturnType<typeof shape>, options: object = {}) =>
  who.call(importApi.start, { params: { uuid }, body: { mapping, options: { ...options } } })
const show = async (who: Caller, uuid: string) => (await who.call(importApi.get, { params: { uuid } })).data
const rowsOf = async (uuid: string) => (await admin.call(importApi.rows, { params: { uuid }, body: {} })).data.list

let counter = 0
const mail = () => `import-${++counter}-${process.pid}@example.com`

test('a file of another platform is read in its encoding, its columns are guessed, and its rows become affiliates', async () => {
  const [one, two] = [mail(), mail()]
  const manager = await api.as('manager')
  const text = `Партнер;Пошта;Статус;Країна;Телефон;Менеджер;Мітки\r\n"Медіа; Плюс";${one};Активний;Україна;067 123 45 67;${manager.email};vip, старий\r\nDrugi;${two};На модерації;PL;;;\r\n`
  const cp1251 = Uint8Array.from([...text], (letter) => {
    const code = letter.codePointAt(0) ?? 0
    if (code < 128) return code
    const special: Record<string, number> = { і: 0xb3, ї: 0xbf, є: 0xba, І: 0xb2, Ї: 0xaf }
    return special[letter] ?? code - 0x410 + 0xc0
  })
  for (const [bytes, encoding] of [
    [Buffer.from(text), 'utf-8'],
    [Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]), 'utf-16le'],
    [cp1251, 'windows-1251'],
  ] as const) {
    const { data } = await read(admin, 'affiliate', bytes)
    expect([data.encoding, data.delimiter, data.rows]).toEqual([encoding, ';', 2])
    expect(data.columns[0]).toBe('Партнер')
    expect(data.mapping).toEqual({ name: 0, email: 1, status: 2, country: 3, phone: 4, manager: 5, tags: 6 })
  }
  const { data } = await read(admin, 'affiliate', cp1251)
  const preview = await admin.call(importApi.preview, { params: { uuid: data.uuid }, body: { mapping: data.mapping, options: {} } })
  expect(preview.data).toMatchObject({ good: 2, bad: 0, skipped: 0 })
  expect(preview.data.list[0]?.values).toMatchObject({ name: 'Медіа; Плюс', email: one, country: 'UA', phone: '+380 67 123 4567' })
  await start(admin, data)
  await work()
  expect((await show(admin, data.uuid)).counts).toMatchObject({ made: 2, waiting: 0 })
  const found = (await admin.call(affiliateApi.list, { body: { search: one } })).data.list[0]
  expect(found).toMatchObject({
    name: 'Медіа; Плюс',
    status: 'active',
    country: 'UA',
    tags: ['vip', 'старий'],
    manager: { uuid: manager.uuid },
  })
})

test('columns of exports of other platforms are guessed, and the id they had there is kept and found', async () => {
  const headings: [ImportedKind, string, object][] = [
    // Affise, Everflow, TUNE, CAKE, Scaleo
    ['affiliate', 'ID,Login,Email,Status,Manager,Skype,Country', { external_id: 0, name: 1, email: 2, status: 3, manager: 4 }],
    [
      'affiliate',
      'Partner ID,Partner Name,Email,Account Status,Partner Manager',
      { external_id: 0, name: 1, email: 2, status: 3, manager: 4 },
    ],
    [
      'affiliate',
      'Affiliate ID,Affiliate,Affiliate User Email,Affiliate Status,Account Manager',
      { external_id: 0, name: 1, email: 2, status: 3, manager: 4 },
    ],
    [
      'affiliate',
      'Affiliate ID,Affiliate Name,Contact Email,Account Status,Account Manager',
      { external_id: 0, name: 1, email: 2, status: 3, manager: 4 },
    ],
    [
      'affiliate',
      'ID,Name,E-mail,Status,Affiliate Manager,Time Zone',
      { external_id: 0, name: 1, email: 2, status: 3, manager: 4, time_zone: 5 },
    ],
    ['advertiser', 'Advertiser ID,Advertiser,Account Executive', { external_id: 0, name: 1, manager: 2 }],
    // our own export goes before: its number is not the one of the platform before it
    ['affiliate', 'ID,Name,E-mail,External ID', { external_id: 3, name: 1, email: 2 }],
  ]
  for (const [kind, heading, mapping] of headings) {
    const { data } = await read(admin, kind, `${heading}\n${heading.replaceAll(/[^,]+/g, 'x')}\n`)
    expect(data.mapping, heading).toMatchObject(mapping)
  }
  const email = mail()
  const { data } = await read(
    admin,
    'affiliate',
    `pid,Name,Email,Manager,Time zone\nold-4711,From afar,${email},Nobody Known,Eastern Time\n`,
  )
  const preview = async (options: object) =>
    (await admin.call(importApi.preview, { params: { uuid: data.uuid }, body: { mapping: data.mapping, options } })).data
  expect(Object.keys((await preview({})).refused[0]?.problems ?? {}).toSorted()).toEqual(['manager', 'time_zone'])
  const taker = await api.as('manager')
  const { uuid: manager_uuid } = (await admin.call(managerApi.list, { body: { search: taker.email } })).data.list[0] ?? { uuid: '' }
  const options = { replaced: ['manager', 'time_zone'], manager_uuid }
  expect((await preview({ replaced: ['manager'], manager_uuid })).bad).toBe(1)
  expect(await preview(options)).toMatchObject({ good: 1, bad: 0 })
  await start(admin, data, options)
  await work()
  const [found, ...more] = (await admin.call(affiliateApi.list, { body: { search: 'old-4711' } })).data.list
  expect([found?.email, found?.external_id, found?.manager?.uuid, more]).toEqual([email, 'old-4711', manager_uuid, []])
  const detail = (await admin.call(affiliateApi.get, { params: { uuid: found?.uuid ?? '' } })).data
  expect(detail.time_zone).toBe('UTC')
})

test('broken bytes, binary files, too many rows and unclosed quotes are refused in words', async () => {
  const refusals = [
    await read(admin, 'affiliate', Uint8Array.from([110, 10, 0xff, 0xd8, 0xc3, 0x28, 0x98, 0x81])),
    await read(admin, 'affiliate', 'name,email\nx\u0000,y\n'),
    await read(admin, 'affiliate', `name\n${'x\n'.repeat(10_001)}`),
    await read(admin, 'affiliate', 'name,email\n"open,x@y.example\n'),
    await read(admin, 'affiliate', 'name,email\n'),
    await read(admin, 'affiliate', 'name;email\n1;2\n', { encoding: 'utf-16le' }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422, 422])
  for (const { data } of refusals) expect(data.fields?.['file']).toMatch(/\w{4}/)
})

test('what is wrong with a row is told by field, what is there already is passed over, and nothing of it is made', async () => {
  const there = await api.as('affiliate')
  const fresh = mail()
  const { data } = await read(
    admin,
    'affiliate',
    `name,email,country,phone,currency\nGood,${fresh},PL,,\nAgain,${fresh},PL,,\nThere,${there.email},,,\n,nobody,Narnia,12,XYZ\n`,
  )
  const plan = { mapping: data.mapping, options: {} }
  const preview = (await admin.call(importApi.preview, { params: { uuid: data.uuid }, body: plan })).data
  expect(preview).toMatchObject({ good: 1, skipped: 2, bad: 1 })
  const bad = preview.refused.find(({ skipped }) => !skipped)
  expect(bad?.line).toBe(5)
  expect(bad?.problems).toEqual({
    name: 'Required',
    email: 'This is not an e-mail address',
    country: 'No country is called "Narnia": write its English name or its two letters, as in UA',
    phone: 'This is no telephone number: begin it with + and the code of the country, as in +380 44 234 5678',
    currency: 'The network has no active currency of this code: write one such as USD, or do not import this column',
  })
  expect(preview.refused.filter(({ skipped }) => skipped).map(({ line, problems }) => [line, problems])).toEqual([
    [3, { '': 'The same stands in row 2 of this file' }],
    [4, { email: 'Somebody has this e-mail already' }],
  ])
  // without the column of what is needed nothing begins
  const without = await admin.call(importApi.start, { params: { uuid: data.uuid }, body: { mapping: { name: 0 }, options: {} } })
  expect(without).toMatchObject({ status: 422, fields: { 'mapping.email': 'Choose the column of this' } })
  await start(admin, data)
  await work()
  expect((await rowsOf(data.uuid)).map(({ state }) => state)).toEqual(['made', 'skipped', 'skipped', 'refused'])
})

test('what is wrong with one word of a list, or with a name several managers have, is told at its column', async () => {
  const [ann, other] = [await api.as('manager'), await api.as('manager')]
  await api.db.updateTable('account').set({ name: 'Ann Twin' }).where('uuid', 'in', [ann.uuid, other.uuid]).execute()
  const { data } = await read(
    admin,
    'affiliate',
    `name,email,manager,geos,tags,status\nOne,${mail()},ann twin,"PL, Narnia",${'x'.repeat(400)},odd\n`,
  )
  const plan = { mapping: data.mapping, options: {} }
  const { refused } = (await admin.call(importApi.preview, { params: { uuid: data.uuid }, body: plan })).data
  expect(refused[0]?.problems).toEqual({
    manager: 'Several managers are called so: write the e-mail of the one you mean',
    geos: 'No country is called "Narnia": write its English name or its two letters, as in UA',
    tags: expect.stringContaining('40'),
    status: 'No status is called so: write active, inactive, moderation, unverified, banned or rejected',
  })
})

test('previews of many rows are counted by account: the eleventh of a minute says how long to wait, and another account goes on', async () => {
  const ann = await api.as('manager')
  const many = `name,email\n${Array.from({ length: 1_001 }, (_, index) => `N${index},n${index}@rows.example`).join('\n')}\n`
  const [mine, few] = [(await read(ann, 'affiliate', many)).data, (await read(admin, 'affiliate', `name,email\nOne,${mail()}\n`)).data]
  const preview = ({ uuid, mapping }: ReturnType<typeof shape>, who: Caller) =>
    fetch(`${api.url}/api/import/v1/preview/${uuid}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ mapping, options: {} }),
    })
  for (let left = 10; left > 0; left -= 1) expect((await preview(mine, ann)).status).toBe(200)
  const refused = await preview(mine, ann)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await preview(few, admin)).status).toBe(200)
  api.clock.advance(61_000)
  expect((await preview(mine, ann)).status).toBe(200)
})

test('confirmed twice at once, by two workers, and after one that died, each row is made once', async () => {
  const emails = Array.from({ length: 30 }, mail)
  const { data } = await read(admin, 'affiliate', `name,email\n${emails.map((email) => `Somebody,${email}`).join('\n')}\n`)
  const both = await Promise.all([start(admin, data), start(admin, data)])
  expect(both.map(({ data: answer }) => answer.state)).toEqual(['running', 'running'])
  // one dies amid a row: its transaction is gone, and the row waits
  const dying = { ...parts(), db: api.db.withPlugin(dyingAfter(40)) }
  await expect(runImports(dying, api.clock.now())).rejects.toThrow('died')
  expect((await show(admin, data.uuid)).counts).toMatchObject({ made: expect.toSatisfy((made: number) => made > 0 && made < 25) })
  await Promise.all([work(), work()])
  expect((await show(admin, data.uuid)).counts).toMatchObject({ made: 30, skipped: 0, refused: 0, waiting: 0 })
  const made = await api.db.selectFrom('account').select('id').where('email', 'in', emails).execute()
  expect(made).toHaveLength(30)
  const log = await api.db.selectFrom('audit').select('action').where('entity', '=', 'import').orderBy('id', 'desc').limit(2).execute()
  expect(log.map(({ action }) => action)).toEqual(['import', 'start'])
  // nobody's bell rings thirty times
  expect(await api.db.selectFrom('notification').select('id').where('kind', '=', 'affiliate_registered').execute()).toEqual([])
})

test('within a day what nobody used is taken back; what was used or changed stays, and it is told why', async () => {
  const emails = [mail(), mail(), mail(), mail(), mail()]
  const { data } = await read(admin, 'affiliate', `name,email\n${emails.map((email, index) => `N${index},${email}`).join('\n')}\n`)
  await start(admin, data)
  await work()
  const made = await Promise.all(emails.map(async (search) => (await admin.call(affiliateApi.list, { body: { search } })).data.list[0]))
  const advertiser = await makeAdvertiser(api.db)
  const offer = await makeOffer(api.db, { advertiserId: advertiser.id })
  await api.db
    .insertInto('offer_access')
    .values({ offer_id: offer.id, affiliate_id: made[1]?.id ?? 0, status: 'approved' })
    .execute()
  await admin.call(affiliateApi.setStatus, { body: { uuids: [made[2]?.uuid ?? ''], status: 'inactive' } })
  await api.db
    .updateTable('account')
    .set({ password_hash: 'x' })
    .where('email', '=', emails[3] ?? '')
    .execute()
  // what nobody thought of keeps a row, and not all imports
  const owner = await api.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', emails[4] ?? '')
    .executeTakeFirstOrThrow()
  const at = new Date(api.clock.now())
  const view = { account_id: owner.id, screen: 'report', name: 'Mine', address: 'a=1', created_at: at, updated_at: at }
  await api.db.insertInto('saved_view').values(view).execute()
  await admin.call(importApi.undo, { params: { uuid: data.uuid } })
  await work()
  const rows = await rowsOf(data.uuid)
  expect(rows.map(({ state }) => state)).toEqual(['removed', 'stays', 'stays', 'stays', 'stays'])
  expect(rows.map(({ problems }) => problems['']?.split(' ').slice(0, 3).join(' '))).toEqual([
    undefined,
    'They have access',
    'Somebody changed it',
    'They have set',
    'Something else refers',
  ])
  expect(await show(admin, data.uuid)).toMatchObject({ state: 'undone', undo_until: null })

  const later = (await read(admin, 'affiliate', `name,email\nLate,${mail()}\n`)).data
  await start(admin, later)
  await work()
  api.clock.advance(25 * 3_600_000)
  expect((await admin.call(importApi.undo, { params: { uuid: later.uuid } })).status).toBe(409)
})

/** What goes with an affiliate or advertiser that is taken back, and why that is right. */
const GOES_ALONG: Readonly<Record<string, string>> = {
  'notification.affiliate_id': 'tells of an affiliate there no longer is',
  'application.affiliate_id': 'what was said at signing up, which nobody does who is imported',
  'invitation.affiliate_id': 'stays, and forgets who came by it, which nobody does who is imported',
  'legal_acceptance.affiliate_id': 'is given by signing up or in, which is asked first',
  'referral.affiliate_id': 'who brought it',
  'referral_visit.affiliate_id': 'how many opened its link',
  'import_word.advertiser_id': 'what words in its files mean',
  'report_reading.advertiser_id': 'how the columns of its reports are read',
  'report_reading.affiliate_id': 'how the columns of its reports are read',
  'webhook.affiliate_id': 'is set up by a program of its own, for which it signed in, which is asked first',
  'webhook_event.affiliate_id': 'what its webhooks are still to be told',
}

test('all that the database would remove with an affiliate or advertiser shows that it is in use, or may go along', async () => {
  const { rows } = await sql<{ to: 'affiliate' | 'advertiser'; from: string; column: string }>`
    select confrelid::regclass::text as to, conrelid::regclass::text as from, attname as column
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
     where contype = 'f' and confdeltype in ('c', 'n', 'd') and confrelid in ('affiliate'::regclass, 'advertiser'::regclass)`.execute(
    api.db,
  )
  const asked = Object.values(USES).flatMap((uses) => uses.map((use) => use.join('.')))
  const lost = rows.map(({ from, column }) => `${from}.${column}`).filter((one) => !asked.includes(one))
  expect(lost.toSorted()).toEqual(Object.keys(GOES_ALONG).toSorted())
  expect(rows.length).toBeGreaterThan(10)
})

test('an affiliate with a domain of its own, and one who brought another, stay', async () => {
  const emails = [mail(), mail(), mail()]
  const { data } = await read(admin, 'affiliate', `name,email\n${emails.map((email, index) => `N${index},${email}`).join('\n')}\n`)
  await start(admin, data)
  await work()
  const [own, referrer] = await Promise.all(
    emails.map(async (search) => (await admin.call(affiliateApi.list, { body: { search } })).data.list[0]?.id ?? 0),
  )
  const at = new Date(api.clock.now())
  const host = { host: 'own.links.org', kind: 'tracking', certificate: 'proxy', token: 'x', created_at: at, updated_at: at } as const
  const domain = await api.db.insertInto('domain').values(host).returning('id').executeTakeFirstOrThrow()
  await api.db
    .insertInto('domain_assignment')
    .values({ domain_id: domain.id, affiliate_id: own ?? 0 })
    .execute()
  const brought = await api.as('affiliate')
  await api.db
    .insertInto('referral')
    .values({ affiliate_id: brought.affiliateId ?? 0, referrer_id: referrer ?? 0, code: 'x', percent: '5', months: 1, created_at: at })
    .execute()
  await admin.call(importApi.undo, { params: { uuid: data.uuid } })
  await work()
  expect((await rowsOf(data.uuid)).map(({ state }) => state)).toEqual(['stays', 'stays', 'removed'])
})

test('what is taken back waits for the statistics, and keeps nothing else waiting', async () => {
  const first = (await read(admin, 'affiliate', `name,email\nFirst,${mail()}\n`)).data
  await start(admin, first)
  await work()
  await admin.call(importApi.undo, { params: { uuid: first.uuid } })
  const second = (await read(admin, 'affiliate', `name,email\nSecond,${mail()}\n`)).data
  await start(admin, second)
  const away = openClickhouse('http://127.0.0.1:1')
  while (await runImports({ ...parts(), clickhouse: away }, api.clock.now())) await Promise.resolve()
  await away.close()
  expect([await show(admin, first.uuid), await show(admin, second.uuid)].map(({ state }) => state)).toEqual(['undoing', 'done'])
  await work()
  expect((await show(admin, first.uuid)).state).toBe('undone')
})

test('advertisers are brought along with company and VAT data; one of the same name is passed over', async () => {
  const { data } = await read(
    admin,
    'advertiser',
    'Advertiser Name,Email,VAT ID,Company Name,Country,Account Status\nImported One,a@b.example,PL1234567883,One sp. z o.o.,Poland,Active\nImported one,,,,,\n',
  )
  await start(admin, data, { currency: 'EUR' })
  await work()
  expect((await rowsOf(data.uuid)).map(({ state }) => state)).toEqual(['made', 'skipped'])
  const [found] = (await admin.call(advertiserApi.list, { body: { search: 'Imported' } })).data.list
  const detail = await admin.call(advertiserApi.get, { params: { uuid: found?.uuid ?? '' } })
  expect(detail.data).toMatchObject({ currency: 'EUR', company: { name: 'One sp. z o.o.', vat_id: 'PL1234567883', country: 'PL' } })
})

test('a manager brings along only for themself, and nobody sees a stranger’s file', async () => {
  const [ann, bob] = [await api.as('manager'), await api.as('manager')]
  const email = mail()
  const { data } = await read(ann, 'affiliate', `name,email\nMine,${email}\n`)
  expect((await bob.call(importApi.get, { params: { uuid: data.uuid } })).status).toBe(404)
  expect((await start(bob, data)).status).toBe(404)
  expect((await start(ann, data, { manager_uuid: bob.uuid })).fields).toEqual({ 'options.manager_uuid': 'Choose a manager of yours' })
  await start(ann, data)
  await work()
  expect((await ann.call(affiliateApi.list, { body: { search: email } })).data.list[0]?.manager?.uuid).toBe(ann.uuid)
  const affiliate = await api.as('affiliate')
  expect((await read(affiliate, 'affiliate', 'name,email\n1,2\n')).status).toBe(403)
})

/** Lets the so-and-so-manyth statement fail as if the process had died there. */
function dyingAfter(statements: number): KyselyPlugin {
  let left = statements
  return {
    transformQuery: ({ node }) => {
      if (left-- <= 0) throw new Error('died')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}
