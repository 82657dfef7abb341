import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { statementApi } from '#contract/money/statement.ts'
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
  await admin.call(invoiceApi.pay, { params: { uuid: issued.uuid }, body: paymentOf('100', issued.revision, { external_id: 'TR-1' }) })
  await makeStatements(api.db, api.clock.now())
  expect((await list()).map(({ month }) => month)).toEqual(['2026-09'])

  api.clock.advance(Date.parse('2026-11-01T23:00:00Z') - api.clock.now())
  await makeStatements(api.db, api.clock.now())
  expect(await list()).toHaveLength(1)
  api.clock.advance(2 * 3_600_000)
  await Promise.all([1, 2].map(() => makeStatements(api.db, api.clock.now())))
  const [october, september] = await list()
  expect([october?.month, september?.month]).toEqual(['2026-10', '2026-09'])

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
