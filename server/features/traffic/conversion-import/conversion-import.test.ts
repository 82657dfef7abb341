import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConversionMapping, ConversionRowState } from '#contract/traffic/conversion-import.ts'
import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { postbackApi } from '#contract/traffic/postback.ts'
import { listBalances } from '#server/features/money/ledger/balance.service.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { makeClick, makeClickKeys, makeOffer, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { setBilling } from '#test/support/make/billing.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { runConversionImports } from './conversion-import.jobs.ts'

const HOUR = 3_600_000
let api: TestApi
let keys: ClickIdKeys
let admin: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  keys = await makeClickKeys(api.db)
  admin = await api.as('admin')
})
afterAll(() => api.close())

type Row = Record<string, string>
const COLUMNS = ['Click ID', 'Order', 'Status', 'Sale amount', 'Conversion ID', 'Comment']
const line = (row: Row) => COLUMNS.map((name) => row[name] ?? '').join(';')

const read = (rows: readonly Row[], by = admin) => readText([COLUMNS.join(';'), ...rows.map(line)].join('\r\n'), by)
async function readText(text: string, by = admin) {
  const body = new TextEncoder().encode(text)
  const response = await fetch(`${api.url}${conversionImportApi.read.path}?name=report.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  const { data } = (await response.json()) as { data: { uuid: string; mapping: ConversionMapping; rows: number } } // asked for a good file
  return { status: response.status, ...data }
}
const work = async () => {
  while (await runConversionImports({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
}
/** Reads a file, applies it, and answers what became of its rows. */
async function bring(rows: readonly Row[], by = admin) {
  const { uuid, mapping } = await read(rows, by)
  expect((await by.call(conversionImportApi.start, { params: { uuid }, body: { mapping } })).status).toBe(200)
  await work()
  return { uuid, ...(await became(uuid, by)) }
}
async function bringText({ uuid, mapping }: { uuid: string; mapping: ConversionMapping }) {
  expect((await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping } })).status).toBe(200)
  await work()
  return became(uuid)
}
async function became(uuid: string, by = admin) {
  const { data } = await by.call(conversionImportApi.rows, { params: { uuid }, body: { count: 100 } })
  return { states: data.list.map(({ state }): ConversionRowState => state), reasons: data.list.map(({ reason }) => reason) }
}
async function undo(uuid: string) {
  expect((await admin.call(conversionImportApi.undo, { params: { uuid } })).status).toBe(200)
  await work()
  return became(uuid)
}

async function world(made: Parameters<typeof makeOffer>[1] = {}, clicks = 4) {
  const affiliate = await api.as('affiliate')
  const offer = await makeOffer(api.db, made)
  const stored = Array.from({ length: clicks }, () =>
    makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: api.clock.now() - HOUR }),
  )
  await storeClicks(api.clickhouse, stored)
  const id = affiliate.affiliateId ?? 0
  const balance = async () => (await listBalances(api.db, [id])).get(id) ?? []
  return { affiliate, offer, clicks: stored, balance }
}
const conversions = async (offerId: number) =>
  api.db
    .selectFrom('conversion')
    .select(['status', 'payout', 'amount', 'reason', 'transaction_id', 'reported_status'])
    .where('offer_id', '=', offerId)
    .orderBy('id')
    .execute()
const idOf = ({ id }: MadeClick) => id

test('columns are told by names as systems call them; what is needed is asked for', async () => {
  const { clicks } = await world()
  const { uuid, mapping, rows } = await read([{ 'Click ID': idOf(clicks[0]!), Status: 'approved' }])
  expect({ mapping, rows }).toEqual({ mapping: { click_id: 0, txn_id: 1, status: 2, amount: 3, conversion_id: 4, reason: 5 }, rows: 1 })
  const wrong = await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping: { status: 2 } } })
  expect([wrong.status, Object.keys(wrong.fields)]).toEqual([422, ['mapping.click_id']])
  const missing = await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping: { click_id: 0, status: 9 } } })
  expect([missing.status, missing.fields]).toEqual([422, { 'mapping.status': 'There is no such column' }])
})

test('a row that names nothing is told what is missing, by a column its file has', async () => {
  const reasonsOf = async (text: string) => (await bringText(await readText(text))).reasons
  expect(await reasonsOf('txn_id,status\n,approved')).toEqual(['The transaction_id is missing.'])
  expect(await reasonsOf('conversion_id,status\n,approved')).toEqual(['The conversion_id is missing.'])
  expect(await reasonsOf('click_id,txn_id,status\n,,approved')).toEqual(['click_id is missing.'])
})

test('a file may have as many rows as are taken, each with a comment', async () => {
  const row = `${'0'.repeat(26)},approved,T-1,${'x'.repeat(110)}`
  const { status, rows } = await readText(`click_id,status,txn_id,comment\n${Array.from({ length: 50_000 }, () => row).join('\n')}`)
  expect([status, rows]).toEqual([200, 50_000])
})

test('a yes or no below the name of an event is no number of a goal', async () => {
  const { clicks } = await world()
  const [a, b] = clicks.map(idOf)
  const { uuid, mapping } = await readText(`click_id,registration,ftd\n${a},1,0\n${b},1,1`)
  expect(mapping).toEqual({ click_id: 0 })
  const preview = await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping: { click_id: 0, goal: 2 } } })
  expect(preview.data).toMatchObject({ counts: { created: 0, refused: 2 } })
  expect(preview.data.refused.map(({ reason }) => reason)).toEqual([expect.stringContaining('ftd=0'), expect.stringContaining('ftd=1')])
  // a column of names of goals is one, whatever it is called
  expect((await readText(`click_id,ftd\n${a},lead`)).mapping).toEqual({ click_id: 0, goal: 1 })
})

test('a transaction alone is of the goal that is named beside it, and of no other', async () => {
  const { offer, clicks } = await world()
  const [a] = clicks.map(idOf)
  const [lead, other] = [{ code: 'sale' }, { code: 'ftd' }]
  await sql`insert into goal (offer_id, code, title) values (${offer.id}, ${other.code}, 'First deposit')`.execute(api.db)
  await sql`insert into payout_rule (offer_id, goal_id, payout_fixed, revenue_fixed)
    select offer_id, id, 3, 4 from goal where offer_id = ${offer.id} and code = ${other.code}`.execute(api.db)
  expect(await bringText(await readText(`click_id,txn_id,status,goal\n${a},G-1,approved,${lead.code}`))).toMatchObject({
    states: ['created'],
  })
  const wrong = await bringText(await readText(`txn_id,status,goal\nG-1,declined,${other.code}`))
  expect(wrong).toMatchObject({ states: ['refused'], reasons: [expect.stringContaining(`of the goal ${lead.code}, not ${other.code}`)] })
  // both have it: the goal says which
  expect(await bringText(await readText(`click_id,txn_id,status,goal\n${a},G-1,approved,${other.code}`))).toMatchObject({
    states: ['created'],
  })
  expect(await bringText(await readText('txn_id,status\nG-1,declined'))).toMatchObject({ states: ['refused'] })
  expect(await bringText(await readText(`txn_id,status,goal\nG-1,declined,${other.code.toUpperCase()}`))).toMatchObject({
    states: ['changed'],
  })
  expect((await conversions(offer.id)).map(({ status }) => status)).toEqual(['approved', 'declined'])
})

test.each([1, 600])('a row about what one of %i rows before would make is previewed and applied as it', async (apart) => {
  const { offer, clicks } = await world()
  const [a, b] = clicks.map(idOf)
  const between = Array.from({ length: apart - 1 }, (_none, n) => `,N-${a}-${n},declined`)
  const file = await readText(
    ['click_id,txn_id,status', `${a},A-${a},approved`, ...between, `,A-${a},declined`, `${b},,approved`, `${b},,declined`].join('\n'),
  )
  const { data } = await admin.call(conversionImportApi.preview, { params: { uuid: file.uuid }, body: { mapping: file.mapping } })
  expect(data.counts).toMatchObject({ created: 2, changed: 2, refused: apart - 1 })
  expect(data.money).toEqual([])
  await bringText(file)
  const states = await sql<{ state: string; rows: number }>`
    select r.state, count(*)::int as rows from conversion_import_row r join conversion_import i on i.id = r.import_id where i.uuid = ${file.uuid} group by 1 order by 1`.execute(
    api.db,
  )
  expect(Object.fromEntries(states.rows.map(({ state, rows }) => [state, rows]))).toMatchObject({ created: 2, changed: 2 })
  expect((await conversions(offer.id)).map(({ status }) => status)).toEqual(['declined', 'declined'])
})

test('new results, other statuses and amounts are previewed, booked once, and taken back to what they were', async () => {
  const { offer, clicks, balance } = await world({ payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '80' })
  const [a, b, c] = clicks.map(idOf)
  const first = await bring([
    { 'Click ID': a!, Order: 'o-1', Status: 'approved', 'Sale amount': '100' },
    { 'Click ID': b!, Order: 'o-2', Status: 'pending', 'Sale amount': '40' },
    { 'Click ID': c!, Status: 'approved' },
    { 'Click ID': 'nonsense', Status: 'approved' },
  ])
  expect(first.states).toEqual(['created', 'created', 'refused', 'refused'])
  expect(first.reasons[2]).toMatch(/amount/i)
  expect(await balance()).toMatchObject([{ available: '50.0000' }])

  // by the transaction alone: decline, approve with another amount, say the same
  const rows: Row[] = [
    { Order: 'o-1', Status: 'declined', Comment: 'Charged back' },
    { Order: 'o-2', Status: 'approved', 'Sale amount': '60' },
    { Order: 'o-3', Status: 'approved' },
  ]
  const { uuid, mapping } = await read(rows)
  const { data: preview } = await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping } })
  expect(preview).toMatchObject({
    counts: { changed: 2, refused: 1, created: 0, same: 0 },
    statuses: { declined: 1, approved: 1 },
    money: [{ currency: 'USD', payout: '-40.0000', revenue: '-64.0000' }],
    refused: [{ line: 4, reason: 'No conversion has the transaction o-3.' }],
  })
  expect(await conversions(offer.id)).toMatchObject([{ status: 'approved' }, { status: 'pending' }])
  const both = await Promise.all([1, 2].map(() => admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping } })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  await Promise.all([work(), work()])
  expect((await became(uuid)).states).toEqual(['changed', 'changed', 'refused'])
  expect(await conversions(offer.id)).toMatchObject([
    { status: 'declined', reason: 'Charged back', payout: '50.0000' },
    { status: 'approved', amount: '60.0000', payout: '30.0000' },
  ])
  expect(await balance()).toMatchObject([{ available: '30.0000' }])
  // the same file again says nothing new
  expect((await bring(rows)).states).toEqual(['same', 'same', 'refused'])

  expect((await undo(uuid)).states).toEqual(['undone', 'undone', 'refused'])
  expect(await conversions(offer.id)).toMatchObject([
    { status: 'approved', reason: '', payout: '50.0000', reported_status: 'approved' },
    { status: 'pending', amount: '40.0000', payout: '20.0000' },
  ])
  expect(await balance()).toMatchObject([{ available: '50.0000' }])
  expect((await admin.call(conversionImportApi.get, { params: { uuid } })).data).toMatchObject({ state: 'undone', undo_until: null })
  // of the first file: what it made is trash, and says so
  expect((await undo(first.uuid)).states).toEqual(['kept', 'kept', 'refused', 'refused'])
  await expectSound()
})

test('rows about one conversion are applied in their order and taken back in the other; what somebody changed since is kept', async () => {
  const { offer, clicks, balance } = await world()
  const [a, b] = clicks.map(idOf)
  const { uuid, states } = await bring([
    { 'Click ID': a!, Status: 'pending' },
    { 'Click ID': b!, Status: 'approved' },
    { 'Click ID': a!, Status: 'approved' },
    { 'Click ID': a!, Status: 'declined' },
  ])
  expect(states).toEqual(['created', 'created', 'changed', 'changed'])
  const [, other] = await api.db.selectFrom('conversion').select('uuid').where('offer_id', '=', offer.id).orderBy('id').execute()
  await admin.call(conversionApi.decide, { body: { uuids: [other?.uuid ?? ''], status: 'trash', reason: 'Test order' } })
  expect(await undo(uuid)).toEqual({
    states: ['undone', 'kept', 'undone', 'undone'],
    reasons: ['', 'Something else has changed it since.', '', ''],
  })
  expect(await conversions(offer.id)).toMatchObject([
    { status: 'trash', reason: 'import_undone' },
    { status: 'trash', reason: 'Test order' },
  ])
  expect(await balance()).toMatchObject([{ available: '0.0000' }])
  await expectSound()
})

test('a manager applies files to own advertisers alone, and an affiliate none', async () => {
  const { clicks } = await world()
  const manager = await api.as('manager')
  const { states, reasons, uuid } = await bring([{ 'Click ID': idOf(clicks[0]!), Status: 'approved' }], manager)
  const unknown = await bring([{ 'Click ID': 'nonsense', Status: 'approved' }], manager)
  expect([states, reasons]).toEqual([['refused'], unknown.reasons])
  const another = await api.as('manager')
  expect((await another.call(conversionImportApi.get, { params: { uuid } })).status).toBe(404)
  expect((await read([], await api.as('affiliate'))).status).toBe(403)
})

test('a transaction of several conversions is asked about, and one conversion is named by its number', async () => {
  const [one, two] = [await world(), await world()]
  const shared = `t-${one.offer.id}`
  await bring([one, two].map(({ clicks }) => ({ 'Click ID': idOf(clicks[0]!), Order: shared, Status: 'pending' })))
  const { reasons } = await bring([{ Order: shared, Status: 'approved' }])
  expect(reasons).toEqual([expect.stringMatching(/^2 conversions have the transaction .*: name the click or the conversion\.$/)])
  const [row] = await api.db.selectFrom('conversion').select('id').where('offer_id', '=', two.offer.id).execute()
  expect((await bring([{ 'Conversion ID': String(row?.id), Status: 'approved' }])).states).toEqual(['changed'])
  expect([await conversions(one.offer.id), await conversions(two.offer.id)]).toMatchObject([
    [{ status: 'pending' }],
    [{ status: 'approved' }],
  ])
})

test('a worker that dies leaves each row applied and marked, or neither', async () => {
  const { offer, clicks } = await world()
  const { uuid, mapping } = await read(clicks.map((click) => ({ 'Click ID': idOf(click), Status: 'approved' })))
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping } })
  const dying = api.db.withPlugin({
    transformQuery: ({ node }) => {
      if (node.kind === 'RawNode' && JSON.stringify(node).includes('update conversion_import_row')) throw new Error('died')
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await expect(runConversionImports({ db: dying, clickhouse: api.clickhouse }, api.clock.now())).rejects.toThrow('died')
  expect(await conversions(offer.id)).toEqual([])
  await work()
  expect(await conversions(offer.id)).toHaveLength(4)
})

async function expectSound(): Promise<void> {
  const { rows } = await sql`
    select a.id from ledger_account a left join ledger_entry e on e.account_id = a.id
     group by a.id having a.balance <> coalesce(sum(e.amount), 0)`.execute(api.db)
  expect(rows).toEqual([])
}

test('words of statuses nobody knows are asked about once per advertiser, and mean the same in its next file alone', async () => {
  const { offer, clicks } = await world()
  const other = await world()
  const [a, b] = clicks.map(idOf)
  const rows: Row[] = [
    { 'Click ID': a!, Status: 'Ok-ed' },
    { 'Click ID': b!, Status: 'ok-ed' },
    { 'Click ID': other.clicks[0]!.id, Status: 'approved' },
  ]
  const { uuid, mapping } = await read(rows)
  const preview = async (of: string, body: object) =>
    (await admin.call(conversionImportApi.preview, { params: { uuid: of }, body: { mapping, ...body } })).data
  expect(await preview(uuid, {})).toMatchObject({
    counts: { created: 1, refused: 2 },
    words: [
      { word: 'Ok-ed', rows: 2, means: null },
      { word: 'approved', rows: 1, means: 'approved' },
    ],
  })
  const said = { words: [{ word: 'OK-ed', means: 'pending' as const }] }
  expect(await preview(uuid, said)).toMatchObject({ counts: { created: 3, refused: 0 }, words: [{ rows: 2, means: 'pending' }, {}] })
  // trying it out is not saying it
  expect(await preview(uuid, {})).toMatchObject({ counts: { refused: 2 } })
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping, ...said } })
  await work()
  expect(await conversions(offer.id)).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  const next = await read([
    { 'Click ID': clicks[2]!.id, Status: 'OK-ED' },
    { 'Click ID': other.clicks[1]!.id, Status: 'ok-ed' },
  ])
  expect(await preview(next.uuid, {})).toMatchObject({
    counts: { created: 1, refused: 1 },
    words: [{ word: 'OK-ED', rows: 2, means: null }],
  })
  await admin.call(conversionImportApi.start, { params: { uuid: next.uuid }, body: { mapping } })
  await work()
  expect((await became(next.uuid)).states).toEqual(['created', 'refused'])
  expect(await conversions(offer.id)).toHaveLength(3)
})

test('what was taught is shown with who and when, read by, changed and forgotten; no word everybody knows is made its opposite', async () => {
  // so many previews a minute
  api.clock.advance(61_000)
  const { offer, clicks } = await world()
  const { uuid: advertiser } = await api.db
    .selectFrom('advertiser')
    .select('uuid')
    .where('id', '=', offer.advertiserId)
    .executeTakeFirstOrThrow()
  const teach = (word: string, means: 'approved' | 'declined' | null) =>
    admin.call(conversionImportApi.teach, { params: { uuid: advertiser }, body: { word, means } })
  const rows: Row[] = [
    { 'Click ID': clicks[0]!.id, Status: 'Geprüft' },
    { 'Click ID': clicks[1]!.id, Status: 'Declined' },
  ]
  const { uuid, mapping } = await read(rows)
  const opposite = { mapping, words: [{ word: 'DECLINED', means: 'approved' as const }] }
  for (const endpoint of [conversionImportApi.preview, conversionImportApi.start])
    expect(await admin.call(endpoint, { params: { uuid }, body: opposite })).toMatchObject({
      status: 422,
      fields: { 'words.0.means': expect.stringContaining('“DECLINED” means the same everywhere') },
    })
  const preview = async (of: string) =>
    (await admin.call(conversionImportApi.preview, { params: { uuid: of }, body: { mapping } })).data.words
  expect(await preview(uuid)).toEqual([
    { word: 'Geprüft', rows: 1, means: null, guess: null, taught: null, may: null },
    { word: 'Declined', rows: 1, means: 'declined', guess: null, taught: null, may: ['declined', 'trash'] },
  ])
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping, words: [{ word: 'Geprüft', means: 'approved' }] } })
  await work()
  const shown = async () => (await admin.call(conversionImportApi.words, { params: { uuid: advertiser } })).data.list
  expect(await shown()).toEqual([
    { word: 'geprüft', means: 'approved', by: expect.stringMatching(/./), at: expect.any(String), may: null, ignored: false },
  ])
  const next = await read([{ 'Click ID': clicks[2]!.id, Status: 'GEPRÜFT' }])
  expect(await preview(next.uuid)).toMatchObject([{ means: 'approved', taught: { by: expect.stringMatching(/./) } }])
  expect((await teach('Geprüft', 'declined')).data.list).toMatchObject([{ word: 'geprüft', means: 'declined' }])
  expect(await preview(next.uuid)).toMatchObject([{ means: 'declined' }])
  // from before it was refused: shown, and read as it means everywhere
  await api.db
    .insertInto('import_word')
    .values({ advertiser_id: offer.advertiserId, word: 'declined', means: 'approved', said_at: new Date(api.clock.now()) })
    .execute()
  expect((await shown()).find(({ word }) => word === 'declined')).toMatchObject({ ignored: true, by: '' })
  const late = await read([{ 'Click ID': clicks[2]!.id, Status: 'declined' }])
  expect(await preview(late.uuid)).toMatchObject([{ means: 'declined', taught: null }])
  expect((await teach('declined', 'approved')).status).toBe(422)
  expect((await teach('declined', null)).status).toBe(200)
  expect((await teach('declined', null)).status).toBe(404)
  expect((await teach('Geprüft', null)).data.list).toEqual([])
  const entries = await api.db
    .selectFrom('audit')
    .select(['before', 'after'])
    .where('entity', '=', 'advertiser')
    .where('entity_id', '=', String(offer.advertiserId))
    .where(sql<boolean>`after ? 'import_words'`)
    .orderBy('id')
    .execute()
  expect(entries.map(({ before, after }) => [before, after])).toEqual([
    [{ import_words: '' }, { import_words: 'geprüft = approved' }],
    [{ import_words: 'geprüft = approved' }, { import_words: 'geprüft = declined' }],
    [{ import_words: 'declined = approved' }, { import_words: '' }],
    [{ import_words: 'geprüft = declined' }, { import_words: '' }],
  ])
  api.clock.advance(61_000)
})

test('a column of payouts is the sale of a shared goal only once somebody says so', async () => {
  const { offer, clicks } = await world({ payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '80' })
  const priced = await world()
  const text = `Click ID|Status|Payout, $\r\n${clicks[0]!.id}|approved|12,5\r\n${priced.clicks[0]!.id}|approved|3`
  const response = await fetch(`${api.url}${conversionImportApi.read.path}?name=report.csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body: new TextEncoder().encode(text),
  })
  const { data } = (await response.json()) as { data: { uuid: string; mapping: ConversionMapping; delimiter: string } } // asked for a good file
  const { uuid, mapping } = data
  expect(data).toMatchObject({ delimiter: '|', mapping: { click_id: 0, status: 1, amount: 2 } })
  const doubted = (await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping } })).data
  expect(doubted).toMatchObject({ amount_earned: true, counts: { created: 1, refused: 1 }, refused: [{ line: 2 }] })
  expect(doubted.refused[0]?.reason).toContain('may be the sale or what it brought')
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping, amount_is_sale: true } })
  await work()
  expect(await conversions(offer.id)).toMatchObject([{ amount: '12.5000', payout: '6.2500' }])
})

test('of a goal with a price of its own another amount is said to be noted, and another revenue is refused', async () => {
  const { offer, clicks } = await world({ payout: '40', revenue: '80' })
  await bring([0, 1].map((index) => ({ 'Click ID': clicks[index]!.id, Order: `R${index + 5}`, Status: 'approved' })))
  const money = async () =>
    (
      await api.db.selectFrom('conversion').select(['payout', 'revenue', 'amount']).where('offer_id', '=', offer.id).orderBy('id').execute()
    ).map((one) => [one.payout, one.revenue, one.amount].map((sum) => (sum === null ? null : Number(sum))))
  const earned = await readText('transaction_id,revenue\nR5,75\nR6,0')
  const asked = { params: { uuid: earned.uuid }, body: { mapping: earned.mapping } }
  const { data } = await admin.call(conversionImportApi.preview, asked)
  expect(data).toMatchObject({ counts: { amount: 0, refused: 2 }, noted: 0, money: [], amount_earned: true })
  expect(data.refused[0]?.reason).toContain('75 is not what this conversion brings: its goal has a price of its own, 80 USD')
  await admin.call(conversionImportApi.start, asked)
  await work()
  expect((await became(earned.uuid)).states).toEqual(['refused', 'refused'])
  expect(await money()).toEqual([[40, 80, null], [40, 80, null]]) // prettier-ignore

  // as the amount of the sale it says what it is: noted
  const sale = await readText('transaction_id,revenue,status\nR5,75,approved\nR6,60,declined')
  const plan = { params: { uuid: sale.uuid }, body: { mapping: sale.mapping, amount_is_sale: true } }
  expect((await admin.call(conversionImportApi.preview, plan)).data).toMatchObject({ counts: { amount: 1, changed: 1 }, noted: 1 })
  await admin.call(conversionImportApi.start, plan)
  await work()
  const done = await became(sale.uuid)
  expect([done.states, done.reasons]).toEqual([
    ['amount', 'changed'],
    [expect.stringContaining('the amount is noted'), ''],
  ])
  // with another status there is news, whatever the column is called
  const back = await readText('transaction_id,revenue,status\nR6,75,approved')
  expect(
    (await admin.call(conversionImportApi.preview, { params: { uuid: back.uuid }, body: { mapping: back.mapping } })).data,
  ).toMatchObject({
    counts: { changed: 1, refused: 0 },
  })
  expect((await undo(sale.uuid)).states).toEqual(['undone', 'undone'])
  expect(await money()).toEqual([[40, 80, null], [40, 80, null]]) // prettier-ignore
})

test('a new conversion is of the day its row says, and of none in the future or before its click', async () => {
  const { offer, clicks } = await world()
  const at = api.clock.now()
  const day = (days: number) => new Date(at - days * 24 * HOUR).toISOString().slice(0, 10)
  const old = Array.from({ length: 6 }, () =>
    makeClick(keys, { offerId: offer.id, affiliateId: clicks[0]!.affiliateId, at: at - 40 * 24 * HOUR }),
  )
  await storeClicks(api.clickhouse, old)
  const dates = [day(32), `${day(31)} 23:30`, `${day(30)}T01:00:00+03:00`, day(60), day(-2), 'last week']
  const text = ['click_id,status,Date,Manager', ...old.map(({ id }, index) => `${id},approved,${dates[index]},Ann`)].join('\n')
  const { uuid, mapping } = await readText(text)
  expect(mapping).toEqual({ click_id: 0, status: 1, date: 2 })
  const { data } = await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping } })
  expect(data).toMatchObject({ counts: { created: 3, refused: 3 }, left_out: ['Manager'], dates: 'iso', invoiced: 0 })
  expect(data.refused.map(({ reason }) => reason)).toEqual([
    `“${day(60)}” is before the click.`,
    `“${day(-2)}” is in the future.`,
    '“last week” is no date that can be read.',
  ])
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping } })
  await work()
  const made = () =>
    api.db.selectFrom('conversion').select(['created_at', 'updated_at']).where('offer_id', '=', offer.id).orderBy('created_at').execute()
  expect((await made()).map(({ created_at }) => created_at.toISOString().slice(0, 16))).toEqual(
    [`${day(32)}T12:00`, `${day(31)}T23:30`, `${day(31)}T22:00`].toSorted(),
  )
  // what it comes to is booked now
  expect((await made()).every(({ updated_at }) => updated_at.getTime() >= at)).toBe(true)
  // one that is there stays of its day, whatever a later file says
  const again = await readText(`click_id,status,date\n${old[0]!.id},declined,${day(-2)}`)
  expect((await bringText(again)).states).toEqual(['changed'])
  expect((await made())[0]?.created_at.toISOString().slice(0, 10)).toBe(day(32))
})

test('days and months that cannot be told apart are asked about, and a day that is invoiced is said to be', async () => {
  const { offer, affiliate } = await world({}, 1)
  const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: Date.parse('2026-10-25T10:00:00Z') })
  await storeClicks(api.clickhouse, [click])
  const { uuid, mapping } = await readText(`click_id,status,date\n${click.id},approved,01/11/2026`)
  const plan = (dates: 'auto' | 'dmy') => ({ params: { uuid }, body: { mapping, dates } })
  expect((await admin.call(conversionImportApi.preview, plan('auto'))).data).toMatchObject({ dates: null, counts: { refused: 1 } })
  const refused = await admin.call(conversionImportApi.start, plan('auto'))
  expect([refused.status, Object.keys(refused.fields)]).toEqual([422, ['dates']])
  expect((await admin.call(conversionImportApi.preview, plan('dmy'))).data).toMatchObject({ invoiced: 0, counts: { created: 1 } })
  await api.db
    .insertInto('advertiser_invoice')
    .values({
      advertiser_id: offer.advertiserId,
      currency: 'USD',
      status: 'issued',
      number: 'A-1',
      series: 'A-',
      series_number: 1,
      billed_to: '{}',
      net: '8',
      total: '8',
      open: '8',
      due_day: '2026-12-01',
      updated_at: new Date(api.clock.now()),
      period_to: '2026-11-01',
      time_zone: 'UTC',
      made_by: admin.accountId,
      created_at: new Date(api.clock.now()),
    })
    .execute()
  expect((await admin.call(conversionImportApi.preview, plan('dmy'))).data).toMatchObject({ invoiced: 1, counts: { created: 1 } })
  await admin.call(conversionImportApi.start, plan('dmy'))
  await work()
  expect(await became(uuid)).toEqual({ states: ['created'], reasons: ['Its day is invoiced already: it comes on the next invoice.'] })
})

test('what a file says of a paid conversion waits for staff where the network asks first, in words the file alone knows', async () => {
  const { offer, clicks } = await world()
  const [click] = clicks.map(idOf)
  await bring([{ 'Click ID': click ?? '', Status: 'approved' }])
  await api.db.updateTable('conversion').set({ payment_state: 'paid' }).where('offer_id', '=', offer.id).execute()
  await setBilling(api.db, { ask_first: true })
  const { uuid, mapping } = await read([{ 'Click ID': click ?? '', Status: 'Zurückgegeben' }])
  const words = [{ word: 'Zurückgegeben', means: 'declined' as const }]
  const preview = await admin.call(conversionImportApi.preview, { params: { uuid }, body: { mapping, words } })
  expect(preview.data.counts).toMatchObject({ changed: 0, same: 1, refused: 0 })
  await admin.call(conversionImportApi.start, { params: { uuid }, body: { mapping, words } })
  await work()
  expect(await became(uuid)).toEqual({
    states: ['same'],
    reasons: ['The conversion is paid: the change is kept for review in the inbox.'],
  })
  expect((await conversions(offer.id)).map(({ status }) => status)).toEqual(['approved'])
  const [held, ...others] = await api.db.selectFrom('postback_in').select('id').where('outcome', '=', 'held_for_review').execute()
  expect(others).toEqual([])
  expect((await admin.call(postbackApi.replay, { body: { direction: 'in', ids: [held?.id ?? ''] } })).data.replayed).toBe(1)
  expect((await conversions(offer.id)).map(({ status }) => status)).toEqual(['declined'])
  await setBilling(api.db, { ask_first: false })
})

test('a file of one advertiser changes nothing of another, whatever names the conversion; the preview says whose conversions rows are about', async () => {
  const [one, other] = [await world(), await world()]
  const [a, b] = [idOf(one.clicks[0]!), idOf(other.clicks[0]!)]
  await bring([
    { 'Click ID': a, Status: 'pending', Order: 'own-1' },
    { 'Click ID': b, Status: 'pending', Order: 'foreign-1' },
  ])
  const nameOf = async ({ offer }: typeof one) =>
    api.db
      .selectFrom('offer as o')
      .innerJoin('advertiser as v', 'v.id', 'o.advertiser_id')
      .select(['v.id', 'v.uuid', 'v.name'])
      .where('o.id', '=', offer.id)
      .executeTakeFirstOrThrow()
  const [mine, theirs] = [await nameOf(one), await nameOf(other)]
  const made = await api.db.selectFrom('conversion').select('id').where('offer_id', '=', other.offer.id).executeTakeFirstOrThrow()
  const text = `txn,click_id,conversion_id,status\nown-1,,,approved\nforeign-1,,,declined\n,${b},,declined\n,,${made.id},declined\n`
  const { uuid, mapping } = await readText(text)
  // so many previews a minute are of one account
  const asker = await api.as('admin')
  const open = await asker.call(conversionImportApi.preview, { params: { uuid }, body: { mapping } })
  expect(open.data.advertisers).toEqual([
    { advertiser: theirs, rows: 3 },
    { advertiser: mine, rows: 1 },
  ])
  const body = { mapping, advertiser_uuid: mine.uuid }
  const bound = await asker.call(conversionImportApi.preview, { params: { uuid }, body })
  expect(bound.data).toMatchObject({
    counts: { changed: 1, refused: 3 },
    advertisers: [{ advertiser: mine, rows: 1 }],
    others: [{ advertiser: theirs, rows: 1 }],
  })
  expect(open.data.others).toEqual([])
  expect(bound.data.refused.map(({ reason }) => reason)).toEqual([
    'No conversion has the transaction foreign-1.',
    'It is about a conversion of another advertiser.',
    'There is no such conversion.',
  ])
  const nobody = await admin.call(conversionImportApi.start, {
    params: { uuid },
    body: { mapping, advertiser_uuid: '3f0c8f6e-3a55-4d1b-9f57-2a1d7b1c9e11' },
  })
  expect([nobody.status, Object.keys(nobody.fields)]).toEqual([422, ['advertiser_uuid']])
  expect((await admin.call(conversionImportApi.start, { params: { uuid }, body })).status).toBe(200)
  await work()
  expect((await became(uuid)).states).toEqual(['changed', 'refused', 'refused', 'refused'])
  expect([(await conversions(one.offer.id))[0]?.status, (await conversions(other.offer.id))[0]?.status]).toEqual(['approved', 'pending'])

  // what was booked stays with who had the offer then
  await api.db.updateTable('offer').set({ advertiser_id: mine.id }).where('id', '=', other.offer.id).execute()
  const moved = await readText(`click_id,status\n${b},declined\n`)
  const asked = async (advertiser_uuid: string | null) =>
    (await asker.call(conversionImportApi.preview, { params: { uuid: moved.uuid }, body: { mapping: moved.mapping, advertiser_uuid } }))
      .data
  expect(await asked(mine.uuid)).toMatchObject({ counts: { changed: 0, refused: 1 }, others: [{ advertiser: theirs, rows: 1 }] })
  expect(await asked(theirs.uuid)).toMatchObject({ counts: { changed: 1, refused: 0 }, advertisers: [{ advertiser: theirs }] })
})

test('of an offer that moved a file bound to either advertiser changes its own conversions alone, and teaches its own words', async () => {
  const [{ offer, clicks }, before] = [await world(), await makeOffer(api.db)]
  await api.db.updateTable('goal').set({ repeatable: true }).where('offer_id', '=', offer.id).execute()
  const seller = async (id: number) => {
    const move = api.db.updateTable('offer').set({ advertiser_id: id }).where('id', '=', offer.id)
    await move.execute()
    return api.db.selectFrom('advertiser').select(['id', 'uuid']).where('id', '=', id).executeTakeFirstOrThrow()
  }
  const click = idOf(clicks[0]!)
  const asker = await api.as('admin')
  const first = await seller(before.advertiserId)
  await bring([{ 'Click ID': click, Status: 'pending', Order: 'T-1' }])
  const second = await seller(offer.advertiserId)
  await bring([{ 'Click ID': click, Status: 'pending', Order: 'T-2' }])
  const text = `txn,click_id,status\nT-1,${click},zorbled\nT-2,${click},zorbled\n`
  const words = [{ word: 'zorbled', means: 'declined' as const }]
  for (const [whose, states, both] of [
    [first, ['changed', 'refused'], ['declined', 'pending']],
    [second, ['refused', 'changed'], ['declined', 'declined']],
  ] as const) {
    const { uuid, mapping } = await readText(text)
    const body = { mapping, words, advertiser_uuid: whose.uuid }
    const { data } = await asker.call(conversionImportApi.preview, { params: { uuid }, body })
    expect(data).toMatchObject({ counts: { changed: 1, refused: 1 }, advertisers: [{ advertiser: whose, rows: 1 }] })
    expect(data.words).toMatchObject([{ word: 'zorbled', rows: 1 }])
    expect((await admin.call(conversionImportApi.start, { params: { uuid }, body })).status).toBe(200)
    await work()
    expect((await became(uuid)).states).toEqual(states)
    expect((await conversions(offer.id)).map(({ status }) => status)).toEqual(both)
    const taught = await api.db.selectFrom('import_word').select('advertiser_id').where('word', '=', 'zorbled').orderBy('said_at').execute()
    expect(taught.map(({ advertiser_id }) => advertiser_id)).toContain(whose.id)
    expect(taught).toHaveLength(whose === first ? 1 : 2)
  }

  // whoever has the offer by now does not reach what was booked of the one before
  const manager = await api.as('manager')
  await api.db.updateTable('advertiser').set({ manager_id: manager.managerId }).where('id', '=', second.id).execute()
  const reached = await bring(
    [
      { 'Click ID': click, Status: 'approved', Order: 'T-1' },
      { 'Click ID': click, Status: 'approved', Order: 'T-2' },
    ],
    manager,
  )
  expect(reached.states).toEqual(['refused', 'changed'])
})
