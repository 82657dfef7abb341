import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadListImportApi, LAWFUL_STATEMENT } from '#contract/leads/lead-list-import.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { leadApi } from '#contract/leads/lead.ts'
import { personApi } from '#contract/leads/person.ts'
import { readConfig } from '#server/platform/config.ts'
import { standingStill, waiting } from '#test/support/fault/stand-still.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { leadOf, makeLeadOffer } from '#test/support/make/leads.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { openInHand } from './content.ts'
import { cleanUpLeadListImports, runLeadListImports } from './lead-list-import.jobs.ts'

const { secretKey } = readConfig({ DATABASE_URL: 'postgres://nobody' }, 'test')
let api: TestApi
let admin: Caller
let lead: Caller
let other: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi()
  ;[admin, lead, other] = await Promise.all([api.as('admin'), api.as('team lead'), api.as('team lead')])
  affiliate = await api.as('affiliate', { managerId: lead.managerId })
})
afterAll(() => api.close())

const parts = () => ({ db: api.db, secretKey })
const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const makeList = async (who = lead) =>
  (await who.call(leadListApi.create, { body: { title: `From files ${crypto.randomUUID()}`, description: '' } })).data.uuid
const read = (list: string, file: Uint8Array | string, query: object = {}, who = lead) =>
  who.call(leadListImportApi.read, {
    params: { uuid: list },
    query: { name: 'people.csv', ...query },
    body: typeof file === 'string' ? bytes(file) : file,
  } as never)
const LAWFUL = { basis: 'consent' as const, source: 'Our own shop, spring sale', confirmed: true as const, language: 'uk' as const }
const start = (uuid: string, mapping: object, more: object = {}, who = lead) =>
  who.call(leadListImportApi.start, { params: { uuid }, body: { mapping, ...LAWFUL, ...more } as never })
const get = async (uuid: string, who = lead) => (await who.call(leadListImportApi.get, { params: { uuid } })).data
const itemsOf = async (uuid: string, body: object = {}) =>
  (await lead.call(leadListApi.items, { params: { uuid }, body: { count: 100, ...body } })).data
const rowsOf = async (uuid: string, who = lead) => (await who.call(leadListImportApi.rows, { params: { uuid }, body: { count: 100 } })).data
async function runAll() {
  while (await runLeadListImports(parts(), api.clock.now()));
}
/** Brings a file as a person would: what was guessed is confirmed. */
async function bring(list: string, file: string, more: object = {}) {
  const { data } = await read(list, file)
  expect((await start(data.uuid, data.mapping, more)).status).toBe(200)
  await runAll()
  return get(data.uuid)
}
const people = () =>
  api.db
    .selectFrom('person')
    .select(sql<number>`count(*)::int`.as('rows'))
    .executeTakeFirstOrThrow()

test('a file is understood, previewed, confirmed and added in the background, each person once; who is known, suppressed or wrong is told row by row', async () => {
  const offer = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [])
  await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { email: 'known@mail.example', phone: '+393331110001' }) as never })
  await admin.call(suppressionApi.add, { body: { kind: 'phone', value: '+39 333 111 0003', reason: 'dnc' } })
  const list = await makeList()
  const file = [
    'Name;E-mail;Mobile;Country;DOB;Consent date;Consent;IP;Created;Rubbish',
    'Anna Bianchi;Known@Mail.example;333 111 0001;Italy;03.05.1990;2026-05-01 10:00;Yes to partners;203.0.113.7;2026-05-01;x',
    'Bruno Verdi;bruno@mail.example;00393331110002;IT;1991-02-28;;;;;x',
    'Carla Neri;carla@mail.example;+39 333 111 0003;IT;;;;;;x',
    'Anna again;other@mail.example;(333) 111-0001;IT;;;;;;x',
    '=HYPERLINK("http://evil.example");dora@mail.example;;IT;;;;;;x',
    'Emil;emil@mail.example;12;IT;31.02.1990;03/05/2026;;999.1.1.1;;x',
    'Fred;fred@mail.example;+4915112345678;;;;No moment;;;x',
    'Gina;gina@mail.example;;;;;;;;x',
    'Hugo;hugo@mail.example;;IT;;;;;;x;too;many',
    'Ivo;;-;Atlantis;;;;;;x',
    '"Jana";jana@mail.example;"=""+393331110009""";IT;;;;;;x',
  ].join('\r\n')
  const { data: draft } = await read(list, Buffer.from(`\ufeff${file}`, 'utf8'))
  expect(draft).toMatchObject({ status: 'draft', rows: 11, delimiter: ';', encoding: 'utf-8', done: 0 })
  expect(draft.mapping).toEqual({
    full_name: 0,
    email: 1,
    phone: 2,
    country: 3,
    birth_date: 4,
    consent_at: 5,
    consent_text: 6,
    ip: 7,
    registered_at: 8,
  })
  expect(draft.columns[9]).toBe('Rubbish')

  const seen = (await lead.call(leadListImportApi.preview, { params: { uuid: draft.uuid }, body: { mapping: draft.mapping } })).data
  expect(seen).toMatchObject({ added: 3, known: 1, refused: 6, left_out: { suppressed: 1, duplicate: 1 } })
  expect(seen.list[0]).toEqual({
    row: 2,
    known: true,
    values: {
      first_name: 'Anna',
      last_name: 'Bianchi',
      email: 'known@mail.example',
      phone: '+393331110001',
      country: 'IT',
      birth_date: '1990-05-03',
      ip: '203.0.113.7',
      registered_at: '2026-05-01T00:00:00.000Z',
      consent_at: '2026-05-01T10:00:00.000Z',
      consent_text: 'Yes to partners',
    },
  })
  expect(seen.list.map(({ values }) => values.phone)).toEqual(['+393331110001', '+393331110002', '+393331110009'])
  const why = Object.fromEntries(
    seen.not_taken.map(({ row, problems }) => [row, problems.map(({ field, code }) => `${field} ${code}`.trim())]),
  )
  expect(why).toEqual({
    4: ['suppressed'],
    5: ['duplicate'],
    6: ['full_name formula'],
    7: ['phone phone', 'birth_date day', 'consent_at moment', 'ip ip'],
    8: ['consent_at no_moment'],
    9: ['country no_country'],
    10: ['columns'],
    11: ['country country', 'no_contact'],
  })
  // with a country for those who name none
  const { data: all } = await lead.call(leadListImportApi.preview, {
    params: { uuid: draft.uuid },
    body: { mapping: draft.mapping, country: 'IT' },
  })
  expect(all).toMatchObject({ added: 4, refused: 5 })

  expect((await start(draft.uuid, draft.mapping, { confirmed: false })).fields).toMatchObject({ confirmed: expect.any(String) })
  expect((await start(draft.uuid, draft.mapping, { source: '' })).fields).toMatchObject({ source: expect.any(String) })
  expect((await start(draft.uuid, { country: 3 })).fields).toEqual({
    'mapping.phone': 'Choose the column of telephones or of e-mail addresses',
  })
  expect((await itemsOf(list)).summary.rows).toBe(0)
  const [one, two] = await Promise.all([start(draft.uuid, draft.mapping), start(draft.uuid, draft.mapping)])
  expect([one.status, two.status]).toEqual([200, 200])
  const before = await people()
  await runAll()
  const done = await get(draft.uuid)
  expect(done).toMatchObject({
    status: 'done',
    done: 11,
    added: 3,
    known: 1,
    refused: 6,
    left_out: { suppressed: 1, duplicate: 1 },
    basis: 'consent',
    source: LAWFUL.source,
    statement: LAWFUL_STATEMENT.uk,
    by: expect.stringContaining('team lead'),
    confirmed_at: new Date(api.clock.now()).toISOString(),
    may_undo: true,
    has_rows: true,
  })
  expect((await people()).rows - before.rows).toBe(2)
  const { list: items } = await itemsOf(list)
  expect(items).toHaveLength(3)
  expect(items.find(({ email }) => email.startsWith('k'))).toMatchObject({
    name: 'A*** B***',
    phone: '***001',
    source: 'file',
    via: 'file',
    file: 'people.csv',
    session: null,
  })
  expect((await lead.call(leadListApi.get, { params: { uuid: list } })).data).toMatchObject({
    total: 3,
    sendable: 3,
    by_source: { file: 3 },
  })
  // found as anybody of a lead is, and nowhere in the clear
  expect((await itemsOf(list, { search: '+39 333 1110002' })).list).toHaveLength(1)
  const { rows } = await sql<{
    text: string
  }>`select i::text as text from lead_list_item i union all select p::text from person p union all select m::text from lead_list_import m`.execute(
    api.db,
  )
  expect(rows.map(({ text }) => text).join('\n')).not.toMatch(/bruno|Bianchi|1110002|evil/i)

  const left = await rowsOf(draft.uuid)
  expect(left.summary.rows).toBe(8)
  expect(left.columns).toHaveLength(10)
  expect(left.list[2]).toEqual({
    line: 6,
    cells: expect.arrayContaining(['dora@mail.example']),
    problems: [{ field: 'full_name', code: 'formula' }],
  })
  // who was left out for who they are is not kept, nor told to anybody else; what is kept goes after a day
  expect(left.list[0]).toEqual({ line: 4, cells: [], problems: [{ field: '', code: 'suppressed' }] })
  expect((await rowsOf(draft.uuid, admin)).list[2]).toMatchObject({ line: 6, cells: [] })
  await cleanUpLeadListImports(api.db, api.clock.now() + 25 * 3_600_000)
  expect((await rowsOf(draft.uuid)).list[2]).toMatchObject({ line: 6, cells: [] })

  // again, and in another spelling: nobody is there twice
  expect(await bring(list, 'phone,country\n3331110001,IT\n+393331110002,IT\n333 111 0077,IT')).toMatchObject({
    added: 1,
    left_out: { in_list: 2 },
  })
  await lead.call(leadListApi.removeItems, { params: { uuid: list }, body: { item_ids: items.map(({ id }) => id) } })
  expect(await bring(list, 'phone,country\n3331110001,IT')).toMatchObject({ added: 0, left_out: { removed: 1 }, may_undo: false })
})

test('it is taken back whole while nobody of it was sent, wherever they were moved, and whom nobody else knows is forgotten', async () => {
  const [list, elsewhere] = [await makeList(), await makeList()]
  await bring(elsewhere, 'email,country\nshared@mail.example,DE')
  const known = await people()
  const file = await bring(list, 'email,country\nshared@mail.example,DE\nonly1@mail.example,DE\nonly2@mail.example,DE')
  expect(file).toMatchObject({ added: 3, known: 1 })
  const [first] = (await itemsOf(list)).list
  await lead.call(leadListApi.moveItems, { params: { uuid: list }, body: { item_ids: [first?.id ?? ''], to_uuid: await makeList() } })
  const undo = () => lead.call(leadListImportApi.undo, { params: { uuid: file.uuid } })
  const [one, two] = await Promise.all([undo(), undo()])
  expect([one.data.status, two.data.status]).toEqual(['undone', 'undone'])
  expect((await lead.call(leadListApi.get, { params: { uuid: list } })).data).toMatchObject({
    total: 0,
    removed: 0,
    by_source: { file: 0 },
  })
  expect(await people()).toEqual(known)
  expect((await itemsOf(elsewhere)).list).toHaveLength(1)
  // then it may be brought again
  expect(await bring(list, 'email,country\nonly1@mail.example,DE')).toMatchObject({ added: 1, known: 0 })
  const log = await api.db
    .selectFrom('audit')
    .select(['action', 'after'])
    .where('entity', '=', 'lead_list')
    .where('action', 'like', '%import')
    .execute()
  expect(log.map(({ action }) => action)).toEqual(expect.arrayContaining(['start_import', 'import', 'undo_import']))
  expect(JSON.stringify(log)).not.toMatch(/only1|shared@/)
})

test('what is no such file says what it is, and nothing changes', async () => {
  const list = await makeList()
  const refusals: [Uint8Array | string, RegExp, object?][] = [
    ['', /empty/],
    ['email,country', /no row below/],
    ['email,country\na@mail.example\u0000,DE', /not a text file/],
    [new Uint8Array([110, 10, 0xff, 0xd8, 0xc3, 0x28, 0x98, 0x81]), /neither UTF-8/],
    [new Uint8Array([0x65, 0x0a, 0xe4, 0x0a]), /not of this encoding/, { encoding: 'utf-8' }],
    ['email,country\n"a@mail.example,DE', /quotation mark/],
    [`email\n${'a@mail.example\n'.repeat(20_001)}`, /At most 20,000 rows/],
    [`email\n${'a'.repeat(5001)}`, /longer than 5,000/],
  ]
  for (const [file, said, query] of refusals) {
    const { status, fields } = await read(list, file, query)
    expect([status, fields['file']]).toEqual([422, expect.stringMatching(said)])
  }
  const large = await read(list, new Uint8Array(5 * 1024 * 1024 + 1))
  expect([large.status, Object.values(large.errors)[0]]).toEqual([413, expect.stringMatching(/large/i)])
  // between the columns stands something else: one column, which nobody could be reached by
  const { data: odd } = await read(list, 'email;phone;country\na@mail.example;;DE', { delimiter: ',' })
  expect(odd).toMatchObject({ columns: ['email;phone;country'], mapping: {} })
  expect((await lead.call(leadListImportApi.preview, { params: { uuid: odd.uuid }, body: { mapping: {} } })).status).toBe(422)
  expect((await start(odd.uuid, { email: 9 })).fields).toEqual({ 'mapping.email': 'There is no such column' })
  expect((await lead.call(leadListApi.get, { params: { uuid: list } })).data.total).toBe(0)

  // a draft is its maker's alone, another file takes its place, and it goes by itself
  expect((await other.call(leadListImportApi.get, { params: { uuid: odd.uuid } })).status).toBe(404)
  expect((await admin.call(leadListImportApi.get, { params: { uuid: odd.uuid } })).status).toBe(404)
  const { data: next } = await read(list, 'email,country\nb@mail.example,DE')
  expect((await lead.call(leadListImportApi.get, { params: { uuid: odd.uuid } })).status).toBe(404)
  await cleanUpLeadListImports(api.db, api.clock.now() + 25 * 3_600_000)
  expect((await lead.call(leadListImportApi.get, { params: { uuid: next.uuid } })).status).toBe(404)

  // the list is archived, or its maker gone, before a worker comes to it
  for (const [change, problem] of [
    [() => lead.call(leadListApi.archive, { params: { uuid: list }, body: { archived: true } }), 'archived'],
    [() => lead.call(leadListApi.archive, { params: { uuid: list }, body: { archived: false } }), ''],
    [() => api.db.updateTable('manager').set({ status: 'blocked' }).where('account_id', '=', lead.accountId).execute(), 'no_longer'],
  ] as const) {
    await lead.call(leadListApi.archive, { params: { uuid: list }, body: { archived: false } })
    const { data } = await read(list, `email,country\n${crypto.randomUUID()}@mail.example,DE`)
    await start(data.uuid, data.mapping)
    await change()
    await runAll()
    expect(await get(data.uuid, admin)).toMatchObject({
      status: problem === '' ? 'done' : 'failed',
      problem,
      added: problem === '' ? 1 : 0,
    })
  }
  await api.db.updateTable('manager').set({ status: 'active' }).where('account_id', '=', lead.accountId).execute()
})

test('of a row in which everything is wrong five mistakes are kept', async () => {
  const fields = ['first_name', 'last_name', 'email', 'phone', 'country', 'language', 'birth_date', 'ip']
  const file = await bring(await makeList(), [fields.join(','), fields.map(() => '=1').join(',')].join('\n'))
  expect(file).toMatchObject({ refused: 1, added: 0 })
  expect((await rowsOf(file.uuid)).list.map(({ problems }) => problems.length)).toEqual([5])
})

test('workers that are killed in the middle, and several at once, add everybody once', async () => {
  const list = await makeList()
  const rows = Array.from({ length: 1_200 }, (_, at) => `person${at}@kill.example,+39333${String(2_000_000 + at)},IT`)
  const { data } = await read(list, ['email,phone,country', ...rows].join('\n'))
  await start(data.uuid, data.mapping)
  expect(await runLeadListImports(parts(), api.clock.now())).toBe(true)
  expect(await get(data.uuid)).toMatchObject({ status: 'running', done: 250, added: 250 })
  // somebody holds a person of the next part: the worker waits for them, and its connection is cut
  const blocker = api.db.transaction().execute(async (trx) => {
    await sql`lock table lead_list_item in share mode`.execute(trx)
    const killed = runLeadListImports(parts(), api.clock.now()).catch((error: unknown) => error)
    for (let cut = 0; cut === 0;) {
      const found = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike 'insert into "lead_list_item"%'`.execute(api.db)
      cut = found.rows.length
    }
    expect(await killed).toBeInstanceOf(Error)
  })
  await blocker
  expect(await get(data.uuid)).toMatchObject({ status: 'running', done: 250, added: 250 })
  for (let more = true; more;) more = (await Promise.all([1, 2, 3].map(() => runLeadListImports(parts(), api.clock.now())))).some(Boolean)
  expect(await get(data.uuid)).toMatchObject({ status: 'done', done: 1_200, added: 1_200, known: 0, refused: 0 })
  expect((await lead.call(leadListApi.get, { params: { uuid: list } })).data).toMatchObject({ total: 1_200 })
  // stopped halfway, who was added stays
  const { data: second } = await read(await makeList(), ['email,country', ...rows.map((_, at) => `late${at}@kill.example,IT`)].join('\n'))
  await start(second.uuid, second.mapping)
  await runLeadListImports(parts(), api.clock.now())
  await lead.call(leadListImportApi.cancel, { params: { uuid: second.uuid } })
  expect(await runLeadListImports(parts(), api.clock.now())).toBe(false)
  expect(await get(second.uuid)).toMatchObject({ status: 'cancelled', added: 250, may_undo: true })
})

test('a worker opens a file once, and has it in hand no longer than it lasts', async () => {
  const inHand = openInHand()
  const rows = Array.from({ length: 251 }, (_, at) => `inhand${at}@mail.example,IT`)
  const { data } = await read(await makeList(), ['email,country', ...rows, 'nobody,IT'].join('\n'))
  await start(data.uuid, data.mapping)
  const { id } = await api.db.selectFrom('lead_list_import').select('id').where('uuid', '=', data.uuid).executeTakeFirstOrThrow()
  const part = () => runLeadListImports({ ...parts(), inHand }, api.clock.now())
  expect([await part(), inHand.get(id)?.rows.length]).toEqual([true, 252])
  // what it has in hand is not read again
  await api.db
    .updateTable('lead_list_import')
    .set({ content: Buffer.from('torn') })
    .where('id', '=', id)
    .execute()
  expect([await part(), inHand.get(id)]).toEqual([true, undefined])
  expect(await get(data.uuid)).toMatchObject({ status: 'done', added: 251, refused: 1, has_rows: true })
  // nor kept where somebody stops it
  const { data: second } = await read(await makeList(), ['email,country', ...rows].join('\n'))
  await start(second.uuid, second.mapping)
  await part()
  expect(inHand.get(String(Number(id) + 1))).toBeDefined()
  await lead.call(leadListImportApi.cancel, { params: { uuid: second.uuid } })
  expect([await part(), inHand.get(String(Number(id) + 1))]).toEqual([false, undefined])
})

test('nobody reaches the files of another team', async () => {
  const list = await makeList()
  const file = await bring(list, 'email,country\nmine@mail.example,DE')
  expect((await read(list, 'email\nx@mail.example', {}, other)).status).toBe(404)
  for (const one of ['get', 'undo', 'cancel'] as const)
    expect((await other.call(leadListImportApi[one], { params: { uuid: file.uuid } })).status).toBe(404)
  expect((await other.call(leadListImportApi.rows, { params: { uuid: file.uuid }, body: {} })).status).toBe(404)
  expect((await other.call(leadListImportApi.list, { params: { uuid: list }, body: {} })).status).toBe(404)
  expect((await lead.call(leadListImportApi.list, { params: { uuid: list }, body: {} })).data.list).toMatchObject([
    { uuid: file.uuid, added: 1 },
  ])
  // nor whom others know: by leads, and by files
  const offer = await makeLeadOffer(api.db, admin, (await makeAdvertiser(api.db)).uuid, [])
  await affiliate.call(leadApi.send, { body: leadOf(offer.uuid, { email: 'theirs@mail.example', phone: '+393331110091' }) as never })
  const asked = 'email,phone,country\nmine@mail.example,,DE\ntheirs@mail.example,+393331110091,IT'
  for (const [who, known] of [
    [lead, 2],
    [other, 0],
    [admin, 2],
  ] as const) {
    const { data } = await read(await makeList(who), asked, {}, who)
    const seen = await who.call(leadListImportApi.preview, { params: { uuid: data.uuid }, body: { mapping: data.mapping } })
    expect(seen.data).toMatchObject({ added: 2, known })
    expect((await start(data.uuid, data.mapping, {}, who)).status).toBe(200)
    await runAll()
    expect(await get(data.uuid, who)).toMatchObject({ added: 2, known })
  }
})

describe('a row nobody could read, of somebody who is erased while its file is read, is not kept', () => {
  /** A file of two such rows that a worker has begun, and who stands in the second. */
  async function begin(name: string) {
    // who was erased before a file was brought is no matter of it
    api.clock.advance(60_000)
    // known by another list: this one is locked as long as the worker adds to it
    await bring(await makeList(), `email,country\n${name}@mail.example,IT`)
    const { data } = await read(await makeList(), `email,country,gender\nother-${name}@mail.example,IT,f\n${name}@mail.example,IT,?`)
    await start(data.uuid, data.mapping)
    const { uuid } = await api.db.selectFrom('person').select('uuid').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
    return { file: data.uuid, erase: () => admin.call(personApi.erase, { params: { uuid }, body: { reason: 'Asked by letter' } }) }
  }
  const isKept = async (file: string) => (await get(file)).has_rows

  test('before it is over', async () => {
    const { file, erase } = await begin('before')
    expect((await erase()).data.changed).toBe(1)
    await runAll()
    expect([await get(file), await isKept(file)]).toMatchObject([{ status: 'done', added: 1, refused: 1 }, false])
  })

  test('in the moment it is over, before or after', async () => {
    const { file, erase } = await begin('moment')
    // the worker has looked for whom was erased, and not yet kept what stood in the file
    const slow = standingStill(api.db, 'person_erasure')
    const running = runLeadListImports({ ...parts(), db: slow.db }, api.clock.now())
    await Promise.race([slow.there, running])
    const erasing = erase()
    await waiting(api.db, 1, erasing)
    slow.go()
    expect([await running, (await erasing).data.changed]).toEqual([true, 1])
    expect([await get(file), await isKept(file)]).toMatchObject([{ status: 'done', added: 1, refused: 1 }, false])
  })
})
