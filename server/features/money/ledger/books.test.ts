import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerApi } from '#contract/money/ledger.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { booksClosedSince, lookAtBooks } from './books.service.ts'
import { post } from './posting.service.ts'
import { storeTrials } from './trial.jobs.ts'

let api: TestApi
let admin: Caller
let head: Caller
let affiliate: Caller
const HOUR = 3_600_000
beforeAll(async () => {
  api = await startApi({ at: '2026-10-28T10:00:00Z' })
  ;[admin, head, affiliate] = await Promise.all([api.as('admin'), api.as('head'), api.as('affiliate', { name: 'Iryna' })])
})
afterAll(() => api.close())

const look = () => lookAtBooks(api.db, api.clock.now())
const books = async (by = admin) => (await by.call(ledgerApi.books)).data
const note = (by: Caller, seen: string, reason = 'A known mistake of the import') =>
  by.call(ledgerApi.noteBooks, { body: { seen, reason } })
const shift = (by: number) =>
  api.db
    .updateTable('ledger_account')
    .set({ balance: sql`balance + ${by}` })
    .where('kind', '=', 'affiliate_available')
    .where('owner_id', '=', affiliate.affiliateId ?? 0)
    .execute()
const earn = (amount: string) => makePayable(api.db, affiliate.affiliateId ?? 0, [amount], { at: api.clock.now() })

test('books that differ keep payout files closed until an admin notes a reason, for these very differences', async () => {
  await earn('10')
  expect(await books()).toMatchObject({ checked_at: null, since: null, closed: false })
  await look()
  expect(await books()).toMatchObject({ since: null, closed: false, differences: [] })

  api.clock.advance(HOUR)
  const since = api.clock.now()
  await earn('20')
  await shift(7)
  await look()
  const found = await books(head)
  expect(found).toMatchObject({ since: new Date(since).toISOString(), closed: true, notes: [] })
  const [account] = found.differences
  expect(account).toMatchObject({ rule: 'balance', account: 'affiliate_available', owner: { name: 'Iryna' }, expected: '-30.0000' })
  // the first booking since they agreed
  expect(account?.transfer).toMatchObject({ event: 'payout', at: new Date(since).toISOString() })
  expect(await booksClosedSince(api.db)).toEqual(new Date(since))
  expect((await note(head, found.seen)).status).toBe(403)
  expect((await note(admin, 'other')).errors).toHaveProperty('1012')
  expect((await note(admin, found.seen)).data).toMatchObject({ closed: false, notes: [{ reason: 'A known mistake of the import' }] })
  expect(await booksClosedSince(api.db)).toBeUndefined()

  // balances go on, the difference stays what it was
  api.clock.advance(HOUR)
  await earn('5')
  await look()
  expect(await books()).toMatchObject({ since: new Date(since).toISOString(), closed: false, notes: [{}] })
  // another one closes them again
  await shift(1)
  await look()
  expect(await books()).toMatchObject({ closed: true, notes: [] })
  await shift(-8)
  await look()
  expect(await books()).toMatchObject({ since: null, closed: false })
})

test('a month’s trial balance is stored on the second of the next one, once, with its hash and that of the month before', async () => {
  await storeTrials(api.db, api.clock.now())
  expect((await admin.call(ledgerApi.storedTrials)).data.list).toEqual([])
  api.clock.set('2026-12-02T01:00:00Z')
  admin = await api.as('admin')
  const read = async () => {
    const body = { month: '2026-10' }
    const [{ data: rows }, { data: sums }] = await Promise.all([
      admin.call(ledgerApi.trial, { body }),
      admin.call(ledgerApi.trialSums, { body }),
    ])
    return { rows, sums }
  }
  const before = await read()
  const made = await Promise.all([1, 2, 3].map(() => storeTrials(api.db, api.clock.now())))
  expect(made.filter(Boolean)).toHaveLength(2)
  // the same is told of a month that is over, from what is stored of it alone
  expect(before.rows.list.length).toBeGreaterThan(0)
  expect(await read()).toEqual(before)
  const { list } = (await admin.call(ledgerApi.storedTrials)).data
  expect(list.map(({ month }) => month)).toEqual(['2026-11', '2026-10'])
  expect(list[0]?.previous).toBe(list[1]?.sha256)
  const october = (await admin.call(ledgerApi.storedTrial, { params: { uuid: list[1]?.uuid ?? '' } })).data
  expect(createHash('sha256').update(october.json).digest('hex')).toBe(october.sha256)
  const { accounts } = JSON.parse(october.json)
  expect(accounts).toContainEqual({
    kind: 'affiliate_available',
    owner: affiliate.affiliateId,
    currency: 'USD',
    opening: '0',
    debits: '0',
    credits: '35.0000',
    closing: '-35.0000',
  })
  expect((await admin.call(ledgerApi.storedTrial, { params: { uuid: randomUUID() } })).status).toBe(404)
  // of the running month what came to accounts since then: booked and taken back it stands on both sides
  const owner = affiliate.affiliateId ?? 0
  for (const [key, amount] of [
    ['there', 500_000_000n],
    ['back', -500_000_000n],
  ] as const)
    await api.db.transaction().execute((trx) => {
      const at = new Date(api.clock.now())
      const entries = [
        { kind: 'bonus_cost' as const, owner, currency: 'USD', amount },
        { kind: 'affiliate_bonus' as const, owner, currency: 'USD', amount: -amount },
      ]
      return post(trx, [{ key, kind: 'bonus', at, bookedAt: at, actorId: null, entries }])
    })
  const running = (await admin.call(ledgerApi.trial, { body: {} })).data.list
  const moved = { debits: '5.0000', credits: '5.0000' }
  for (const kind of ['bonus_cost', 'affiliate_bonus'])
    expect(running.find((row) => row.kind === kind)).toMatchObject({ opening: '0.0000', ...moved, closing: '0.0000' })
  expect(running.find((row) => row.kind === 'affiliate_available')).toMatchObject({ debits: '0.0000', credits: '0.0000' })
  const sums = (await admin.call(ledgerApi.trialSums, { body: {} })).data.list
  expect(sums.find(({ kind }) => kind === 'bonus_cost')).toMatchObject({ ...moved, base: moved })
  await look()
  expect((await books()).differences).toEqual([])
  // whoever changes one after all is found
  await sql`alter table trial_balance disable trigger all`.execute(api.db)
  await api.db
    .updateTable('trial_balance')
    .set({ content: october.json.replace('35.0000', '36.0000') })
    .where('month', '=', '2026-10')
    .execute()
  await look()
  expect((await books()).differences).toMatchObject([
    { rule: 'stored', about: 'trial balance 2026-10' },
    { rule: 'stored', about: expect.stringContaining('month 2026-10, account') },
  ])
  // and whoever changes what lists are told by
  await sql`update advertiser_cost set payout = payout + 1`.execute(api.db)
  await look()
  expect((await books()).differences).toContainEqual(expect.objectContaining({ about: expect.stringContaining('payouts of advertiser') }))
})
