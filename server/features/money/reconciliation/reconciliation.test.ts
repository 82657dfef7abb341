import { afterAll, beforeAll, expect, test } from 'vitest'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { invoiceApi } from '#contract/money/invoice.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { applyReports } from '#server/features/traffic/conversion/apply-report.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, storeClicks } from '#test/support/make/money.ts'
import { makeApiOffer, makeProduct } from '#test/support/make/products.ts'
import { COMPANY, makeAdvertiserIssued, makeCompany } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { holdLock, untilWaiting } from '#test/support/run/locks.ts'
import { namesOf } from './match.service.ts'
import { readLines } from './read-lines.ts'
import { workOffReconciliation } from './reconciliation.jobs.ts'

const HOUR = 3_600_000
const PERIOD = { from: '2026-10-01', to: '2026-10-31' }
const MID = Date.parse('2026-10-15T12:00:00Z')

let api: TestApi
let keys: ClickIdKeys
let admin: Caller
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-11-03T10:00:00Z' })
  keys = await makeClickKeys(api.db)
  admin = await api.as('admin')
})
afterAll(() => api.close())

type Said = { status?: 'approved' | 'pending' | 'declined'; transaction?: string; amount?: string; at?: number }
/** An offer with clicks, and conversions of the first of them. */
async function world(said: readonly Said[], made: Parameters<typeof makeOffer>[1] = {}, more = 0) {
  const offer = await makeOffer(api.db, made)
  const affiliateId = await makeAffiliateId(api.db)
  const clicks = Array.from({ length: said.length + more }, (_none, index) =>
    makeClick(keys, { offerId: offer.id, affiliateId, at: (said[index]?.at ?? MID) - HOUR }),
  )
  await storeClicks(api.clickhouse, clicks)
  const terms = (await loadTerms(api.db, [offer.id])).get(offer.id)!
  await api.db.transaction().execute((trx) =>
    applyReports(
      trx,
      said.map(({ status = 'approved', transaction, amount, at }, index) => ({
        of: { terms, goal: terms.goals[0]!, clickId: clicks[index]!.id, clickAt: MID - HOUR, transactionId: transaction ?? null },
        click: clicks[index]!,
        report: { status, amount: amount ?? null, currency: null, transactionId: transaction ?? null, reason: '' },
        at: at ?? MID,
      })),
      { at: MID, now: api.clock.now(), origin: 'postback', actorId: null },
    ),
  )
  const advertiser = await api.db
    .selectFrom('advertiser')
    .select(['uuid', 'id'])
    .where('id', '=', offer.advertiserId)
    .executeTakeFirstOrThrow()
  return { offer, clicks, advertiser, affiliateId }
}
type World = Awaited<ReturnType<typeof world>>

const clock = (at: number, ahead = 0) => new Date(at + ahead * 60_000).toISOString().slice(0, 19).replace('T', ' ')
async function upload(of: { uuid: string }, body: string | Uint8Array<ArrayBuffer>, side = 'advertiser') {
  const response = await fetch(`${api.url}${reconciliationApi.read.path}?name=october.csv&${side}_uuid=${of.uuid}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    body,
  })
  const answer = (await response.json()) as { data: Reconciliation & { fields?: object }; errors?: object } // as the contract says
  return { status: response.status, ...answer.data, fields: answer.errors, said: answer.data.fields }
}
const work = async () => {
  while (await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())) await Promise.resolve()
}
const get = async ({ uuid }: { uuid: string }) => (await admin.call(reconciliationApi.get, { params: { uuid } })).data
const rowsOf = async ({ uuid }: { uuid: string }, agreeing = false) =>
  (await admin.call(reconciliationApi.rows, { body: { batch_uuid: uuid, agreeing, count: 100 } })).data.list
async function match(batch: Reconciliation, changes: Partial<Reconciliation['reading']> = {}) {
  const body = { revision: batch.revision, reading: { ...batch.reading, ...changes }, period: PERIOD }
  const { status } = await admin.call(reconciliationApi.match, { params: { uuid: batch.uuid }, body })
  expect(status).toBe(200)
  await work()
  return get(batch)
}
const begin = async (batch: Reconciliation, postbacks = true) => {
  const confirmed = batch.zone_confirmed
    ? batch
    : (await admin.call(reconciliationApi.zone, { params: batch, body: { revision: batch.revision, offset: batch.offset } })).data
  const answer = await admin.call(reconciliationApi.apply, {
    params: { uuid: batch.uuid },
    body: { revision: confirmed.revision, postbacks },
  })
  expect(answer.status).toBe(200)
}
const apply = async (batch: Reconciliation, postbacks = true) => {
  await begin(batch, postbacks)
  await work()
  return get(batch)
}
const conversions = ({ offer }: World) =>
  api.db
    .selectFrom('conversion')
    .select(['id', 'uuid', 'status', 'payout', 'revenue', 'amount', 'reason', 'transaction_id', 'created_at', 'payment_state'])
    .where('offer_id', '=', offer.id)
    .orderBy('id')
    .execute()
const sound = async () => expect(await findDifferences(api.db)).toEqual([])

const HEAD = 'Order ID;Click;Conversion date;Status;Payout;Reject reason'
const csv = (...lines: string[]) => [HEAD, ...lines].join('\r\n')

test('a report is read, matched, applied with its totals, and taken back to what was', async () => {
  const made = await world(
    [{ transaction: 'A1', status: 'pending' }, { transaction: 'A2' }, { transaction: 'A3' }, { transaction: 'A4' }, { transaction: 'A5' }],
    {},
    1,
  )
  const [, , , , , fresh] = made.clicks
  const report = csv(
    `A1;;${clock(MID)};approved;15,00;`,
    `A2;;${clock(MID)};Відхилено;15,00;Fake, phone`,
    `a3;;${clock(MID)};approved;12,50;`,
    `A4;;${clock(MID)};approved;15,00;`,
    `A9;${fresh!.id};${clock(MID)};approved;15,00;`,
    `A10;nonsense;${clock(MID)};approved;15,00;`,
  )
  const read = await upload(made.advertiser, report)
  expect(read).toMatchObject({
    state: 'uploaded',
    delimiter: ';',
    lines: 6,
    reading: { mapping: { transaction_id: 0, click_id: 1, time: 2, status: 3, amount: 4, reason: 5 }, numbers: 'comma', dates: 'iso' },
  })
  const before = await conversions(made)
  const batch = await match(read)
  expect({ state: batch.state, agreeing: batch.agreeing }).toEqual({ state: 'matched', agreeing: 1 })
  const rows = await rowsOf(batch)
  expect(rows.map(({ line, key, cause, proposal, action }) => [line, key, cause, proposal, action])).toEqual([
    [2, 'transaction', 'status', 'approve', 'approve'],
    [3, 'transaction', 'status', 'decline', 'decline'],
    [4, 'transaction_case', 'amount', 'correct', 'correct'],
    [6, null, 'never_reported', 'create', 'create'],
    [7, null, 'unmatched', 'ask', 'none'],
    [null, null, 'not_in_report', 'ask', 'none'],
  ])
  const totals = (await admin.call(reconciliationApi.totals, { params: batch })).data
  // +10/15 approved, −10/15 declined, −2.50 corrected, +10/15 made
  expect(totals.sums).toMatchObject([{ currency: 'USD', rows: 4, payout: '10.0000', revenue: '12.5000', done: 0 }])

  const applied = await apply(batch)
  expect(applied.states).toEqual({ applied: 4 })
  expect((await conversions(made)).map(({ status, payout, revenue, reason }) => [status, payout, revenue, reason])).toEqual([
    ['approved', '10.0000', '15.0000', ''],
    ['declined', '10.0000', '15.0000', 'by_postback: Fake, phone'],
    ['approved', '10.0000', '12.5000', ''],
    ['approved', '10.0000', '15.0000', ''],
    ['approved', '10.0000', '15.0000', ''],
    ['approved', '10.0000', '15.0000', ''],
  ])
  const created = (await conversions(made)).at(-1)!
  expect(created.created_at.toISOString()).toBe('2026-10-15T12:00:00.000Z')
  const done = (await admin.call(reconciliationApi.totals, { params: batch })).data
  expect(done.list).toMatchObject([
    { offer: { id: made.offer.id }, done: 4, payout: '10.0000', done_payout: '10.0000', done_revenue: '12.5000' },
  ])
  const entries = await api.db
    .selectFrom('conversion_history')
    .select(['origin', 'batch_id'])
    .where('batch_id', 'is not', null)
    .where(
      'conversion_id',
      'in',
      (await conversions(made)).map(({ id }) => id),
    )
    .execute()
  expect(entries.map(({ origin }) => origin)).toEqual(['import', 'import', 'import', 'import'])
  await sound()

  // applied again it does nothing more
  expect((await admin.call(reconciliationApi.apply, { params: batch, body: { revision: 1 } })).data.state).toBe('applied')
  const undo = await admin.call(reconciliationApi.undo, { params: batch, body: { revision: applied.revision } })
  expect(undo.status).toBe(200)
  await work()
  expect(await get(batch)).toMatchObject({ state: 'undone', states: { undone: 4 } })
  const after = await conversions(made)
  const money = ({ status, payout, revenue, reason }: (typeof after)[number]) => ({ status, payout, revenue, reason })
  expect(after.slice(0, 5).map(money)).toEqual(before.map(money))
  expect(after.at(-1)).toMatchObject({ status: 'trash' })
  await sound()
})

test('what is on an issued invoice is a correction: undoing comes too late, and a counter-batch takes it back once', async () => {
  const made = await world([{ transaction: 'B1' }, { transaction: 'B2' }])
  await api.db
    .updateTable('advertiser')
    .set({ company: JSON.stringify(COMPANY), email: 'b@advertiser.example' })
    .where('id', '=', made.advertiser.id)
    .execute()
  await makeCompany(api.db)
  const issued = await makeAdvertiserIssued(admin, made.advertiser, { period_to: '2026-10-31' })
  expect(issued.number).toEqual(expect.any(String))
  const batch = await match(
    await upload(made.advertiser, csv(`B1;;${clock(MID)};declined;15.00;Fraud`, `B2;;${clock(MID)};approved;14.00;`)),
  )
  expect((await rowsOf(batch)).map((row) => row.becomes_correction)).toEqual([true, true])
  const applied = await apply(batch)
  expect(applied.states).toEqual({ applied: 2 })
  await sound()
  const late = await admin.call(reconciliationApi.undo, { params: batch, body: { revision: applied.revision } })
  expect([late.status, late.errors]).toEqual([409, { 1097: '2 conversions are on issued invoices. Make a counter-batch instead.' }])
  const [one, other] = await Promise.all([0, 1].map(() => admin.call(reconciliationApi.counter, { params: batch })))
  expect(one!.data.uuid).toBe(other!.data.uuid)
  expect(one!.data).toMatchObject({ state: 'matched', format: 'counter', counter_of: batch.uuid })
  // one of many rows is made by the worker, and comes to the same
  const rows = await rowsOf(one!.data)
  const counter = await api.db
    .updateTable('reconciliation')
    .set({ state: 'uploaded', matched_at: null, matching_at: new Date(api.clock.now()) })
    .where('uuid', '=', one!.data.uuid)
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db.deleteFrom('reconciliation_row').where('batch_id', '=', counter.id).execute()
  const listed = async ({ uuid }: { uuid: string }) =>
    (await admin.call(reconciliationApi.list, { body: {} })).data.list.find((row) => row.uuid === uuid)?.differing
  expect([await listed(batch), await listed(one!.data)]).toEqual([2, 2])
  await work()
  expect(await rowsOf(one!.data)).toEqual(rows)
  expect(await listed(one!.data)).toBe(2)
  one!.data = await get(one!.data)
  expect((await apply(one!.data)).states).toEqual({ applied: 2 })
  expect((await conversions(made)).map(({ status, revenue }) => [status, revenue])).toEqual([
    ['approved', '15.0000'],
    ['approved', '15.0000'],
  ])
  await sound()
})

test('a counter-batch over what is on no invoice makes no corrections', async () => {
  const made = await world([{ transaction: 'N1' }])
  const batch = await match(await upload(made.advertiser, csv(`N1;;${clock(MID)};declined;15.00;Fraud`)))
  await apply(batch)
  const counter = (await admin.call(reconciliationApi.counter, { params: batch })).data
  expect((await rowsOf(counter)).map((row) => row.becomes_correction)).toEqual([false])
})

test('rows changed since are passed over, and rows are chosen one or many', async () => {
  const made = await world([
    { transaction: 'C1', status: 'pending' },
    { transaction: 'C2', status: 'pending' },
    { transaction: 'C3', status: 'pending' },
    { transaction: 'C4' },
  ])
  const line = (id: string) => `${id};;${clock(MID)};approved;15.00;`
  const batch = await match(await upload(made.advertiser, csv(line('C1'), line('C2'), line('C3'))))
  const [first, , , silent] = await rowsOf(batch)
  const choose = (revision: number, body: object) =>
    admin.call(reconciliationApi.choose, { params: batch, body: { revision, action: 'none', ...body } })
  const skipped = (await choose(batch.revision, { rows: [first!.row] })).data
  expect(skipped).toMatchObject({ changed: 1, left: 0 })
  expect((await choose(batch.revision, { rows: [first!.row] })).status).toBe(409)
  const declined = (await choose(skipped.revision, { filters: { cause: ['not_in_report'] }, action: 'decline' })).data
  expect(declined).toMatchObject({ changed: 1 })
  // nothing is made of what has a conversion
  expect((await choose(declined.revision, { rows: [silent!.row], action: 'create' })).data).toMatchObject({ changed: 0, left: 1 })
  await api.db.updateTable('conversion').set({ revenue: '16' }).where('transaction_id', '=', 'C2').execute()
  const applied = await apply(await get(batch))
  expect(applied.states).toEqual({ applied: 2, skipped: 1 })
  expect((await rowsOf(batch)).find(({ state }) => state === 'skipped')?.reason).toMatch(/changed it since/)
  expect((await conversions(made)).map(({ status }) => status)).toEqual(['pending', 'pending', 'approved', 'declined'])
  await api.db.updateTable('conversion').set({ revenue: '15' }).where('transaction_id', '=', 'C2').execute()
  await sound()
})

test('the clock of a report is found, confirmed, remembered with its columns and words, and two workers apply each row once', async () => {
  const many = Array.from({ length: 24 }, (_none, index) => ({
    transaction: `D${index}`,
    status: 'pending' as const,
    at: MID + index * HOUR,
  }))
  const made = await world(many)
  const head = 'Ref;When;Verdict;Sum'
  const text = (from: number) =>
    [head, ...many.slice(from).map((one, index) => `D${index + from};${clock(one.at, 180)};paid out;15.00`)].join('\n')
  const read = await upload(made.advertiser, text(0))
  const mapping = { transaction_id: 0, time: 1, status: 2, amount: 3 }
  const reading = { ...read.reading, mapping }
  const look = (await admin.call(reconciliationApi.look, { params: read, body: { reading } })).data
  expect(look).toMatchObject({
    words: [{ word: 'paid out', lines: 24, means: null }],
    first: '2026-10-15',
    numbers: 'point',
    dates: 'iso',
    without_id: 0,
  })
  const unknown = await admin.call(reconciliationApi.match, { params: read, body: { revision: read.revision, reading, period: PERIOD } })
  expect([unknown.status, Object.keys(unknown.fields)]).toEqual([422, ['reading.words']])
  const batch = await match(read, { mapping, words: [{ word: 'paid out', means: 'approved' }] })
  expect(batch).toMatchObject({ zone: { offset: 180, pairs: 24, agreeing: 24 }, zone_confirmed: false })
  const early = await admin.call(reconciliationApi.apply, { params: batch, body: { revision: batch.revision } })
  expect([early.status, early.fields]).toEqual([422, { zone: 'Confirm the clock of the report first' }])
  const confirmed = (await admin.call(reconciliationApi.zone, { params: batch, body: { revision: batch.revision, offset: 180 } })).data
  await work()
  expect(await get(confirmed)).toMatchObject({ state: 'matched', offset: 180, zone_confirmed: true })
  const started = await admin.call(reconciliationApi.apply, {
    params: batch,
    body: { revision: (await get(batch)).revision, postbacks: false },
  })
  expect(started.status).toBe(200)
  await Promise.all([work(), work(), work()])
  expect((await get(batch)).states).toEqual({ applied: 24 })
  expect(
    await api.db
      .selectFrom('conversion_history')
      .select('seq')
      .where('batch_id', 'is not', null)
      .where(
        'conversion_id',
        'in',
        (await conversions(made)).map(({ id }) => id),
      )
      .execute(),
  ).toHaveLength(24)
  const next = await upload(made.advertiser, text(12))
  expect(next).toMatchObject({
    remembered: true,
    offset: 180,
    zone_confirmed: true,
    reading: { mapping, words: [{ word: 'paid out', means: 'approved' }] },
  })
})

test('a goal nobody knows is named once for all its lines, kept for the next report, and taken back', async () => {
  const made = await world([{ transaction: 'G1' }, { transaction: 'G2' }, { transaction: 'G3' }], {}, 2)
  const head = 'Order ID;Click;Conversion date;Status;Payout;Event'
  const at = clock(MID, 180)
  const lines = ['G1', 'G2', 'G3'].map((id) => `${id};;${at};approved;15.00;ftd`)
  const missing = made.clicks.slice(3).map(({ id }, index) => `H${index};${id};${at};approved;15.00;${index === 0 ? 'FTD' : 'other'}`)
  const read = await upload(made.advertiser, [head, ...lines, ...missing].join('\n'))
  const mapping = { transaction_id: 0, click_id: 1, time: 2, status: 3, amount: 4, goal: 5 }
  const look = async (goals: { word: string; goal: string }[]) =>
    (await admin.call(reconciliationApi.look, { params: read, body: { reading: { ...read.reading, mapping, goals } } })).data
  const unsaid = await look([])
  expect(unsaid.goals).toEqual([
    { word: 'ftd', lines: 4, means: null, known: false },
    { word: 'other', lines: 1, means: null, known: false },
  ])
  const code = unsaid.our_goals[0]?.code ?? ''
  const goals = [{ word: 'ftd', goal: code }]
  expect((await look(goals)).goals).toEqual([
    { word: 'other', lines: 1, means: null, known: false },
    { word: 'ftd', lines: 4, means: code, known: true },
  ])

  const proposals = async (batch: Reconciliation) =>
    (await rowsOf(batch)).filter(({ theirs }) => theirs?.transaction_id.startsWith('H')).map(({ proposal }) => proposal)
  // what is a goal of ours may be made; what nobody knows never is
  const before = await match(read, { mapping })
  expect(await proposals(before)).toEqual(['ask', 'ask'])
  const said = await match(before, { mapping, goals })
  expect(await proposals(said)).toEqual(['create', 'ask'])
  expect(said.reading.goals).toEqual(goals)
  expect((await upload(made.advertiser, [head, ...lines].join('\n'))).reading.goals).toEqual(goals)
  expect(await proposals(await match(said, { mapping, goals: [] }))).toEqual(['ask', 'ask'])
})

test('a line makes a conversion of the goal and offer it names, or a person is asked; totals are no conversions, and a full cap is asked about', async () => {
  const made = await world([{ transaction: 'C1' }, { transaction: 'C2' }], { dailyCap: 1 }, 3)
  const other = await makeOffer(api.db, { advertiserId: made.offer.advertiserId })
  await api.db.updateTable('goal').set({ code: 'install', title: 'Install' }).where('offer_id', '=', other.id).execute()
  const at = clock(MID)
  const [install, sale, named] = made.clicks.slice(2).map(({ id }) => id)
  const lines = [
    `C2;;${at};approved;15.00;;`,
    `N1;${install};${at};approved;15.00;Install;`,
    `N2;${sale};${at};approved;15.00;Sale;`,
    `N3;${named};${at};approved;15.00;;${other.id}`,
    'Summe;;;;45,00;;',
  ]
  const read = await upload(made.advertiser, ['Order ID;Click;Conversion date;Status;Payout;Event;Offer', ...lines].join('\n'))
  const mapping = { transaction_id: 0, click_id: 1, time: 2, status: 3, amount: 4, goal: 5, offer: 6 }
  const rows = await rowsOf(await match(read, { mapping }), true)
  const of = (id: string) => rows.find(({ theirs }) => theirs?.transaction_id === id)
  expect(of('C2')).toMatchObject({ cause: 'cap', proposal: 'ask' })
  expect(['N1', 'N2', 'N3'].map((id) => of(id)?.proposal)).toEqual(['ask', 'create', 'ask'])
})

test('the goals of an offer of leads are those of whoever takes them, and an offer nobody knows has none', async () => {
  const { id: advertiser_id } = await makeAdvertiser(api.db)
  const product = await makeProduct(api.db, advertiser_id, api.clock.now())
  const direct = await makeOffer(api.db, { advertiserId: advertiser_id })
  const leads = await makeApiOffer(api.db, product.id)
  const of = await api.db
    .selectFrom('goal as g')
    .innerJoin('offer as o', 'o.id', 'g.offer_id')
    .select(['g.id', 'g.code', 'o.title'])
    .where('o.id', 'in', [direct.id, leads.id])
    .orderBy('o.id')
    .execute()
  const [own, taken] = of
  const names = await namesOf(api.db, { advertiserId: advertiser_id }, { goals: [] })
  const reading = { mapping: { offer: 0, goal: 1 }, dates: 'iso', numbers: 'point', currency: null } as const
  const read = readLines(
    [
      [taken?.title ?? '', taken?.code ?? ''],
      [own?.title ?? '', own?.code ?? ''],
      ['Some other offer', own?.code ?? ''],
    ].map((cells, line) => ({ line, cells })),
    { ...reading, words: [], goals: [] } as never, // what says nothing of time and amount
    names,
    () => null,
    false,
  )
  expect(read.map(({ theirs }) => [theirs.goalId, theirs.goalUnknown])).toEqual([
    [taken?.id, false],
    [own?.id, false],
    [null, true],
  ])
})

test('a workbook is read by its first sheet, an old one and a broken one are refused in words', async () => {
  const made = await world([{ transaction: 'E1' }])
  const read = await upload(
    made.advertiser,
    workbook([
      ['Order ID', 'Date', 'Status', 'Payout'],
      ['E1', 45945.5, 'approved', 12.300000000000001],
    ]),
  )
  expect(read).toMatchObject({
    format: 'xlsx',
    columns: ['Order ID', 'Date', 'Status', 'Payout'],
    samples: [['E1', '2025-10-15 12:00:00', 'approved', '12.3']],
  })
  // below a title stand the names
  const titled = await upload(made.advertiser, workbook([['Report for October'], [], ['Order ID', 'Status'], ['E1', 'approved']]))
  expect(titled).toMatchObject({ columns: ['Order ID', 'Status'], samples: [['E1', 'approved']] })
  // refused by what it says it holds, all parts together, before anything is unpacked
  expect(await upload(made.advertiser, claiming(300 * 1024 * 1024))).toMatchObject({
    status: 422,
    said: { file: 'This workbook holds more than 300 MB unpacked. Save its sheet as CSV UTF-8 and try again' },
  })
  expect((await upload(made.advertiser, claiming(299 * 1024 * 1024))).status).toBe(200)
  // no more of it is unpacked than it says
  expect((await upload(made.advertiser, claiming(9))).status).toBe(422)
  expect((await upload(made.advertiser, new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 1]))).status).toBe(422)
  expect((await upload(made.advertiser, new Uint8Array([0x50, 0x4b, 3, 4, 1, 2]))).status).toBe(422)
  expect((await upload(made.advertiser, '')).status).toBe(422)
})

test('a small workbook that stands for a huge sheet is refused before it reaches who answers everybody', async () => {
  const made = await world([{ transaction: 'L1' }])
  // one text, in fifty thousand cells
  const many = workbook(
    [['Order ID'], ...Array.from({ length: 500 }, () => Array.from({ length: 100 }, (): Cell => SHARED))],
    'x'.repeat(4900),
  )
  expect(many.length).toBeLessThan(200_000)
  expect(await upload(made.advertiser, many)).toMatchObject({
    status: 422,
    said: { file: 'This sheet holds more than 50 million characters: divide the file' },
  })
  const long = workbook([['Order ID'], [SHARED]], 'x'.repeat(5001))
  expect(await upload(made.advertiser, long)).toMatchObject({ status: 422, said: { file: 'A value is longer than 5,000 characters' } })
  const wide = workbook([['Order ID'], Array.from({ length: 101 }, (): Cell => SHARED)], 'x')
  expect(await upload(made.advertiser, wide)).toMatchObject({ status: 422, said: { file: 'At most 100 columns' } })
})

test("an affiliate's tracker export is looked at only", async () => {
  const made = await world([{ transaction: 'F1' }])
  const affiliate = await api.db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('a.uuid')
    .where('f.id', '=', made.affiliateId)
    .executeTakeFirstOrThrow()
  const read = await upload(affiliate, csv(`F1;;${clock(MID)};approved;9.00;`), 'affiliate')
  const batch = await match(read)
  expect((await rowsOf(batch)).map(({ cause, proposal, action }) => [cause, proposal, action])).toEqual([['amount', 'none', 'none']])
  const refused = await admin.call(reconciliationApi.apply, { params: batch, body: { revision: batch.revision } })
  expect(refused.status).toBe(409)
})

/** Every balance there is, and what stands for some conversions. */
async function standing(ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ row: string }>`
    select kind || ' ' || owner_id || ' ' || currency || ' ' || trim_scale(balance) as row from ledger_account where balance <> 0
    union all select id || ' ' || status || ' ' || payment_state || ' ' || trim_scale(payout) || ' ' || trim_scale(revenue) || ' ' || trim_scale(invoiced) || ' ' || trim_scale(billed)
      from conversion where id = any(${ids}) order by 1`.execute(api.db)
  return rows.map(({ row }) => row)
}

test(
  'whatever a report says, taking it back leaves what stood before, in conversions and in the books',
  { timeout: 1_200_000 },
  async () => {
    const said = ['approved', 'pending', 'declined'] as const
    const row = fc.record({
      ours: fc.constantFrom(...said),
      // some the report does not have
      theirs: fc.constantFrom(...said, null),
      ourUnits: fc.integer({ min: 1, max: 99_999_999 }),
      theirUnits: fc.integer({ min: 1, max: 99_999_999 }),
      // on a draft already: what it becomes is a correction
      drafted: fc.boolean(),
    })
    const currencies = fc.constantFrom({ code: 'USD', decimals: 2 }, { code: 'JPY', decimals: 0 }, { code: 'KWD', decimals: 3 })
    let moved = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 6, maxLength: 12 }),
        currencies,
        fc.constantFrom(0, 60),
        async (rows, { code, decimals }, holdDays) => {
          const amount = (units: number) =>
            `${String(units).padStart(decimals + 1, '0')}`.replace(new RegExp(`(.*)(.{${decimals}})$`), decimals === 0 ? '$1' : '$1.$2')
          const made = await world(
            rows.map(({ ours, ourUnits }, at) => ({ status: ours, transaction: `P${at}`, amount: amount(ourUnits) })),
            { currency: code, holdDays, payout: '0', payoutPercent: '33.3333', revenue: '0', revenuePercent: '66.6667' },
            1,
          )
          const drafted = (await conversions(made)).filter(({ status }, at) => status === 'approved' && rows[at]!.drafted)
          if (drafted.length > 0) await admin.call(invoiceApi.createFromConversions, { body: { uuids: drafted.map(({ uuid }) => uuid) } })
          const ids = (await conversions(made)).map(({ id }) => id)
          const before = await standing(ids)
          const lines = rows.flatMap(({ theirs, theirUnits }, at) =>
            theirs === null ? [] : `P${at};;${clock(MID)};${theirs};${amount(theirUnits)};`,
          )
          const fresh = `P99;${made.clicks.at(-1)!.id};${clock(MID)};approved;${amount(12_345)};`
          const batch = await match(await upload(made.advertiser, csv(...lines, fresh)), { numbers: 'point', amounts: 'revenue' })
          const applied = await apply(batch)
          moved += applied.states.applied ?? 0
          await sound()
          const undo = await admin.call(reconciliationApi.undo, { params: batch, body: { revision: applied.revision } })
          expect(undo.status).toBe(200)
          await work()
          expect((await get(batch)).states).toEqual({ ...applied.states, applied: undefined, undone: applied.states.applied })
          expect(await standing(ids)).toEqual(before)
          await sound()
        },
      ),
      { numRuns: process.env['TORTURE'] === undefined ? 3 : 100, endOnFailure: true },
    )
    expect(moved).toBeGreaterThan(9)
  },
)

/** Stands for the text all such cells of a workbook share. */
const SHARED: unique symbol = Symbol('shared')
type Cell = string | number | typeof SHARED

/** A workbook of one sheet; numbers of the second column are moments. */
function workbook(rows: Cell[][], shared = ''): Uint8Array<ArrayBuffer> {
  const letter = (place: number) => String.fromCharCode(65 + place)
  const cell = (value: Cell, row: number, place: number) => {
    const at = `${place < 26 ? '' : letter(Math.floor(place / 26) - 1)}${letter(place % 26)}${row + 1}`
    if (value === SHARED) return `<c r="${at}" t="s"><v>0</v></c>`
    if (typeof value === 'string') return `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`
    return `<c r="${at}"${place === 1 ? ' s="1"' : ''}><v>${value}</v></c>`
  }
  const data = rows
    .map((row, index) => `<row r="${index + 1}">${row.map((value, place) => cell(value, index, place)).join('')}</row>`)
    .join('')
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const parts = 'http://schemas.openxmlformats.org/package/2006'
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
  const files = {
    '[Content_Types].xml': `<Types xmlns="${parts}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${parts}/relationships">${relation('a', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="a"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${parts}/relationships">${relation('a', 'worksheet', 'worksheets/sheet1.xml')}${relation('b', 'styles', 'styles.xml')}${relation('c', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst xmlns="${main}"><si><t>${shared}</t></si></sst>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(`<?xml version="1.0"?>${text}`)])))
}

/** A small workbook whose directory says that its sheet holds so many bytes unpacked. */
function claiming(bytes: number): Uint8Array<ArrayBuffer> {
  const packed = workbook([['Order ID'], ['E1']])
  // the sheet is the last of its parts; where an entry of the directory begins, its size unpacked stands 24 bytes on
  const entry = Buffer.from(packed.buffer).lastIndexOf('PK\x01\x02')
  new DataView(packed.buffer).setUint32(entry + 24, bytes, true)
  return packed
}

/** Lets the database fail for conversions of a transaction, as for no mistake of a row. */
async function failFor(transaction: string): Promise<() => Promise<void>> {
  await sql`create function fail_once() returns trigger language plpgsql as $$ begin raise exception 'broken for a test'; end $$`.execute(
    api.db,
  )
  await sql`create trigger fail_once before update on conversion for each row when (new.transaction_id = ${sql.lit(transaction)}) execute function fail_once()`.execute(
    api.db,
  )
  return async () => void (await sql`drop function if exists fail_once cascade`.execute(api.db))
}
/** A report that says of transactions, which wait, that they are approved. */
async function ready(...transactions: string[]) {
  const made = await world(transactions.map((transaction) => ({ transaction, status: 'pending' })))
  const lines = transactions.map((transaction) => `${transaction};;${clock(MID)};approved;15.00;`)
  const batch = await match(await upload(made.advertiser, csv(...lines)))
  return { made, batch }
}
/** One that begins to be applied. */
async function begun(...transactions: string[]) {
  const { made, batch } = await ready(...transactions)
  await begin(batch)
  return { made, batch }
}

test('a report that fails while it is applied says so, holds up no other, and is tried again by itself', async () => {
  const [first, second] = [await ready('F1', 'F2'), await ready('F3')]
  for (const { batch } of [first, second]) await begin(batch)
  const mend = await failFor('F1')
  try {
    await work()
    expect(await get(second.batch)).toMatchObject({ state: 'applied', problem: '' })
    expect(await get(first.batch)).toMatchObject({
      state: 'applying',
      problem: 'This could not be done now, and is tried again by itself. The log of the server tells why.',
    })
  } finally {
    await mend()
  }
  await work()
  expect((await get(first.batch)).state).toBe('applying')
  api.clock.advance(60_000)
  // its rows are done, and its end is not written yet
  await workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())
  expect(await get(first.batch)).toMatchObject({ state: 'applying', problem: '' })
  await work()
  expect(await get(first.batch)).toMatchObject({ state: 'applied', problem: '', states: { applied: 2 } })
  await sound()
})

test('a row that fails for hours is passed over, and the others of its report are applied', async () => {
  const { made, batch } = await begun('G1', 'G2')
  const mend = await failFor('G1')
  try {
    for (let hours = 0; hours < 10; hours++) {
      await work()
      api.clock.advance(HOUR)
    }
  } finally {
    await mend()
  }
  expect(await get(batch)).toMatchObject({ state: 'applied', problem: '', states: { applied: 1, skipped: 1 } })
  expect((await rowsOf(batch)).find(({ state }) => state === 'skipped')?.reason).toMatch(/fails each time/)
  expect((await conversions(made)).map(({ status }) => status)).toEqual(['pending', 'approved'])
  await sound()
})

test('a report another worker has in hand is left to it, without asking again and again', async () => {
  const [{ batch }, other] = [await ready('H1'), await ready('H2')]
  for (const one of [batch, other.batch]) await begin(one)
  const letGo = await holdLock(api.db, (trx) =>
    trx.selectFrom('reconciliation').select('id').where('uuid', '=', batch.uuid).forUpdate().execute(),
  )
  await work()
  expect([(await get(batch)).state, (await get(other.batch)).state]).toEqual(['applying', 'applied'])
  await letGo()
  await work()
  expect((await get(batch)).state).toBe('applied')
})

test('what something else has changed since stays as it is when a report is taken back', async () => {
  const { made, batch } = await begun('I1', 'I2')
  await work()
  const terms = (await loadTerms(api.db, [made.offer.id])).get(made.offer.id)!
  const said = { status: 'declined' as const, amount: null, currency: null, transactionId: 'I1', reason: 'later' }
  const of = { terms, goal: terms.goals[0]!, clickId: made.clicks[0]!.id, clickAt: MID - HOUR, transactionId: 'I1' }
  await api.db.transaction().execute((trx) =>
    applyReports(trx, [{ of, click: made.clicks[0]!, report: said, at: api.clock.now() }], {
      at: api.clock.now(),
      now: api.clock.now(),
      origin: 'postback',
      actorId: null,
    }),
  )
  expect((await conversions(made)).map(({ status }) => status)).toEqual(['declined', 'approved'])
  const applied = await get(batch)
  expect((await admin.call(reconciliationApi.undo, { params: batch, body: { revision: applied.revision } })).status).toBe(200)
  await work()
  expect(await get(batch)).toMatchObject({ state: 'undone', states: { kept: 1, undone: 1 } })
  expect((await rowsOf(batch)).find(({ state }) => state === 'kept')?.reason).toBe('Something else has changed it since.')
  expect((await conversions(made)).map(({ status }) => status)).toEqual(['declined', 'pending'])
  await sound()
})

test('what is put on an issued invoice after somebody began to take a report back stays', async () => {
  const { made, batch } = await begun('J1')
  await work()
  await api.db
    .updateTable('advertiser')
    .set({ company: JSON.stringify(COMPANY), email: 'j@advertiser.example' })
    .where('id', '=', made.advertiser.id)
    .execute()
  await makeCompany(api.db)
  const applied = await get(batch)
  expect((await admin.call(reconciliationApi.undo, { params: batch, body: { revision: applied.revision } })).status).toBe(200)
  expect((await makeAdvertiserIssued(admin, made.advertiser, { period_to: '2026-10-31' })).number).toEqual(expect.any(String))
  await work()
  expect(await get(batch)).toMatchObject({ state: 'undone', states: { kept: 1 } })
  expect((await rowsOf(batch)).map(({ reason }) => reason)).toEqual(['It is on an issued invoice by now.'])
  expect((await conversions(made)).map(({ status }) => status)).toEqual(['approved'])
  await sound()
})

test('a report that is to be matched anew while it is matched is matched as it was asked last', async () => {
  const made = await world([{ transaction: 'K1', status: 'pending' }])
  const read = await upload(made.advertiser, csv(`K1;;${clock(MID)};approved;15.00;`))
  const body = { revision: read.revision, reading: read.reading, period: { from: '2026-09-01', to: '2026-09-30' } }
  expect((await admin.call(reconciliationApi.match, { params: read, body })).status).toBe(200)
  const letGo = await holdLock(api.db, (trx) => sql`lock table reconciliation_row in access exclusive mode`.execute(trx))
  const matching = workOffReconciliation({ db: api.db, clickhouse: api.clickhouse }, api.clock.now())
  await untilWaiting(api.db, 1)
  const anew = new Date(api.clock.now() + 1_000)
  await api.db
    .updateTable('reconciliation')
    .set({ matching_at: anew, period_from: PERIOD.from, period_to: PERIOD.to })
    .where('uuid', '=', read.uuid)
    .execute()
  await letGo()
  await matching
  expect(await get(read)).toMatchObject({ state: 'uploaded', matching: true })
  await work()
  expect(await get(read)).toMatchObject({ state: 'matched', matching: false })
  expect((await rowsOf(read)).map(({ key }) => key)).toEqual(['transaction'])
})
