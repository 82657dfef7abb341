import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conversionApi } from '#contract/traffic/conversion.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { affiliateStatementApi, statementApi } from '#contract/money/statement.ts'
import { fillPath } from '#contract/endpoint.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { makeStatements } from './freeze.jobs.ts'

let api: TestApi
let admin: Caller
let affiliate: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-10-28T10:00:00Z' })
  ;[admin, affiliate] = await Promise.all([api.as('admin'), api.as('affiliate', { name: '=Iryna' })])
})
afterAll(() => api.close())

const list = async (of = affiliate) => (await of.call(statementApi.list)).data.list
const read = async (uuid: string, of = affiliate) => of.call(statementApi.get, { params: { uuid } })

test('a month is frozen on the second of the next one, adds up with the books, and names the hash of the one before', async () => {
  const rows = await makePayable(api.db, affiliate.affiliateId ?? 0, ['60', '50'], { at: Date.parse('2026-09-10T10:00:00Z') })
  const issued = await makeIssued(admin, rows)
  const payment = { ...paymentOf('100', issued.revision, { external_id: '-1+TR' }), day: '2026-10-28' }
  await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: payment })
  await makeStatements(api.db, api.clock.now())
  expect((await list()).map(({ month }) => month)).toEqual(['2026-09'])

  api.clock.advance(Date.parse('2026-11-01T23:00:00Z') - api.clock.now())
  await makeStatements(api.db, api.clock.now())
  expect(await list()).toHaveLength(1)
  api.clock.advance(2 * 3_600_000)
  await Promise.all([1, 2].map(() => makeStatements(api.db, api.clock.now())))
  const [october, september] = await list()
  expect([october?.month, september?.month]).toEqual(['2026-10', '2026-09'])

  // by hand: 110 earned in September, 100 of them paid in October
  expect(september?.sums).toEqual([{ currency: 'USD', opening: '0.0000', earned: '110.0000', paid: '0.0000', closing: '110.0000' }])
  expect(october?.sums).toEqual([{ currency: 'USD', opening: '110.0000', earned: '0.0000', paid: '100.0000', closing: '10.0000' }])

  const { json, csv, sha256 } = (await read(october?.uuid ?? '')).data
  expect(createHash('sha256').update(json).digest('hex')).toBe(sha256)
  const content = JSON.parse(json)
  expect(content.previous).toBe(september?.sha256)
  expect(content.accounts).toMatchObject([
    { account: 'affiliate_available', opening: '110.0000', closing: '0.0000', events: [{ event: 'invoice_lines', amount: '-110.0000' }] },
    { account: 'affiliate_invoiced', opening: '0.0000', closing: '10.0000' },
    { account: 'affiliate_transit', opening: '0.0000', closing: '0.0000' },
  ])
  expect(content.invoices).toMatchObject([{ number: issued.number, total: '110.0000' }])
  expect(content.payments).toMatchObject([{ amount: '100.0000', invoice: issued.number }])
  expect(content.chain).toMatchObject({ seq: 2, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(csv).toContain('2026-10,closing,USD,affiliate_invoiced,,,10.0000')
  // numbers below zero stay such, texts are no formulas
  expect(csv).toContain(',-110.0000')
  expect(csv).toContain(`,"'-1+TR",`)
  // the closing of the last month is what the books say while nothing moved
  const { list: accounts } = (await affiliate.call(ledgerApi.ownAccounts)).data
  expect(accounts.find(({ kind }) => kind === 'affiliate_invoiced')?.amount).toBe('10.0000')
  // nothing of the network’s side
  expect(json).not.toMatch(/revenue|payout_cost|advertiser/)
})

test('it stays as it was, and is nobody else’s', async () => {
  const [october] = await list()
  const before = (await read(october?.uuid ?? '')).data
  await makePayable(api.db, affiliate.affiliateId ?? 0, ['5'], { at: Date.parse('2026-10-20T00:00:00Z') })
  await makeStatements(api.db, api.clock.now())
  expect((await read(october?.uuid ?? '')).data).toEqual(before)
  await expect(api.db.updateTable('account_statement').set({ content: '{}' }).execute()).rejects.toThrow()
  const other = await api.as('affiliate')
  expect((await read(october?.uuid ?? '', other)).status).toBe(404)
  expect(await list(other)).toEqual([])
})

test('it comes as PDF too, kept as it was frozen, and staff who see money read it of an affiliate', async () => {
  const [october] = await list()
  const uuid = october?.uuid ?? ''
  const load = async (of: Caller) => {
    const answer = await fetch(`${api.url}${fillPath(statementApi.pdf.path, { uuid })}`, {
      headers: { authorization: `Bearer ${of.token}` },
    })
    return { status: answer.status, bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const first = await load(affiliate)
  const text = (await textOfPdf(first.bytes)).join(' ')
  const { closing, sha256 } = { ...JSON.parse((await read(uuid)).data.json).accounts[0], sha256: october?.sha256 ?? '' }
  for (const part of [
    'Account statement',
    'October 2026',
    '=Iryna',
    'Put on an invoice',
    'Payments of the month',
    '-1+TR',
    Number(closing).toFixed(2),
  ])
    expect(text).toContain(part)
  expect(text.replaceAll(' ', '')).toContain(sha256.slice(0, 20))
  await api.db.updateTable('account').set({ name: 'Olena' }).where('id', '=', affiliate.accountId).execute()
  expect(Buffer.from((await load(affiliate)).bytes).equals(Buffer.from(first.bytes))).toBe(true)
  expect((await load(await api.as('affiliate'))).status).toBe(404)
  const body = { affiliate_uuid: affiliate.uuid, uuid }
  const theirs = (await admin.call(affiliateStatementApi.list, { body: { affiliate_uuid: affiliate.uuid } })).data.list
  expect(theirs.map(({ month }) => month)).toEqual(['2026-10', '2026-09'])
  expect((await admin.call(affiliateStatementApi.get, { body })).data.json).toBe((await read(uuid)).data.json)
  expect((await (await api.as('manager')).call(affiliateStatementApi.get, { body })).status).toBe(403)
  const stranger = await api.as('affiliate')
  expect((await admin.call(affiliateStatementApi.get, { body: { affiliate_uuid: stranger.uuid, uuid } })).status).toBe(404)
})

test('the heads that a statement and an invoice name are of the chain one can verify, whatever is kept from the affiliate', async () => {
  const whose = await api.as('affiliate')
  const id = whose.affiliateId ?? 0
  const at = Date.parse('2026-10-05T10:00:00Z')
  await makePayable(api.db, id, ['0', '0'], { at, hidden: true })
  const told = await makePayable(api.db, id, ['3', '4'], { at })
  await makePayable(api.db, id, ['0'], { at, hidden: true })
  await makeStatements(api.db, api.clock.now())
  const october = (await list(whose)).find(({ month }) => month === '2026-10')
  const { chain } = JSON.parse((await read(october?.uuid ?? '', whose)).data.json)
  const own = (await whose.call(conversionApi.chain, { body: {} })).data
  expect(own.list.length, 'what pays nothing and is hidden is not told').toBe(told.length)
  expect(chain).toEqual(own.head)
  expect(own.list.find(({ seq }) => seq === chain.seq)?.hash).toBe(chain.hash)
  const { uuid } = await makeIssued(admin, told)
  const { hash } = await documentOf(uuid)
  expect(hash).toBe(`${own.head.seq} · ${own.head.hash}`)
})

/** The head an invoice was printed with. */
async function documentOf(uuid: string): Promise<{ hash: string }> {
  const { bytes } = await api.db
    .selectFrom('document')
    .innerJoin('invoice', 'invoice.id', 'document.subject_id')
    .select('document.bytes')
    .where('document.kind', '=', 'invoice')
    .where('invoice.uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  const text = (await textOfPdf(new Uint8Array(bytes))).join(' ').replace(/\s+/g, ' ')
  const found = /(\d+) · ([0-9a-f ]{64,80})/.exec(text)
  return { hash: `${found?.[1]} · ${found?.[2]?.replaceAll(' ', '').slice(0, 64)}` }
}

test('it lists credit notes, and payments of its month whatever became of them later; what comes back stands in the month it does', async () => {
  const whose = await api.as('affiliate')
  const at = api.clock.now() - 3 * 86_400_000
  const [kept, gone] = [
    await makeIssued(admin, await makePayable(api.db, whose.affiliateId ?? 0, ['110'], { at })),
    await makeIssued(admin, await makePayable(api.db, whose.affiliateId ?? 0, ['7'], { at })),
  ]
  const day = new Date(api.clock.now()).toISOString().slice(0, 10)
  const paid = await admin.call(invoiceApi.pay, { params: { uuid: kept.uuid }, body: { ...paymentOf('110', kept.revision), day } })
  expect(paid.status).toBe(200)
  const cancelled = await admin.call(invoiceApi.cancel, { params: { uuid: gone.uuid }, body: { revision: gone.revision, reason: 'Wrong' } })
  expect(cancelled.status).toBe(200)
  const note = cancelled.data.credit_notes[0]?.number
  const next = (month: string) => api.clock.advance(Date.parse(`${month}-02T12:00:00Z`) - api.clock.now())
  next('2026-12')
  // sessions have ended by then
  const later = await api.as('admin')
  const { revision, payments } = (await later.call(invoiceApi.get, { params: { uuid: kept.uuid } })).data
  const back = { revision, payment_uuid: payments[0]?.uuid ?? '', day: '2026-12-02', reason: 'Closed' }
  expect((await later.call(invoiceApi.giveBack, { params: { uuid: kept.uuid }, body: back })).status).toBe(200)
  next('2027-01')
  for (let month = 10; month <= 12; month++) await makeStatements(api.db, api.clock.now())
  const reader = await api.as('admin')
  const asked = { affiliate_uuid: whose.uuid }
  const months = (await reader.call(affiliateStatementApi.list, { body: asked })).data.list
  const of = async (month: string) => {
    const uuid = months.find((one) => one.month === month)?.uuid ?? ''
    return JSON.parse((await reader.call(affiliateStatementApi.get, { body: { ...asked, uuid } })).data.json)
  }
  const november = await of('2026-11')
  expect(november.payments).toMatchObject([{ day, amount: '110.0000', invoice: kept.number }])
  expect(november.invoices).toMatchObject([
    { number: kept.number, total: '110.0000' },
    { number: gone.number, total: '7.0000' },
    { number: note, total: '-7.0000', day, due_day: null },
  ])
  expect((await of('2026-12')).payments).toMatchObject([{ day: '2026-12-02', amount: '-110.0000', invoice: kept.number }])
  expect(months.map(({ month, sums }) => [month, sums[0]?.paid])).toEqual([
    ['2026-12', '-110.0000'],
    ['2026-11', '110.0000'],
    ['2026-10', '0.0000'],
  ])
})
