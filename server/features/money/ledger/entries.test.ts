import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAmounts } from '#contract/money/amount.ts'
import { adjustmentApi } from '#contract/money/adjustment.ts'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { receiptApi } from '#contract/money/receipt.ts'
import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { decideConversions } from '#server/features/traffic/conversion/decide.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'
import { issue, makeAdvertiserDraft, makeDebtor, receive } from '#test/support/make/receivables.ts'

let api: TestApi
let keys: ClickIdKeys
let admin: Caller
let manager: Caller
let affiliate: Caller
let advertiser: { id: number; uuid: string }
const DAY = 86_400_000
/** 1.00 as the books count it. */
const ONE = 100_000_000n
/** The last hour of October in the network's zone, and the first of November. */
const OCTOBER = Date.parse('2026-10-31T21:30:00Z')
const NOVEMBER = Date.parse('2026-10-31T22:30:00Z')

beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  keys = await makeClickKeys(api.db)
  ;[admin, manager] = await Promise.all([api.as('admin'), api.as('manager')])
  affiliate = await api.as('affiliate', { managerId: manager.managerId, name: 'Iryna' })
  advertiser = await makeAdvertiser(api.db, { name: 'Kites' })
  await api.db
    .insertInto('setting')
    .values({ key: 'general', value: JSON.stringify({ time_zone: 'Europe/Kyiv' }) })
    .execute()
  const offer = await makeOffer(api.db, { advertiserId: advertiser.id })
  const [terms] = (await loadTerms(api.db, [offer.id])).values()
  const goal = terms?.goals[0]
  if (!terms || !goal) throw new Error('the offer has no terms')
  for (const at of [OCTOBER, NOVEMBER, NOVEMBER + DAY]) {
    const click = makeClick(keys, { offerId: offer.id, affiliateId: affiliate.affiliateId ?? 0, at: at - 3_600_000 })
    const report = { status: 'approved' as const, amount: null, converted: null, currency: null, transactionId: null, reason: '' }
    const draft = draftConversion(terms, goal, click, report, at, at)
    if (draft) await api.db.transaction().execute((trx) => createConversions(trx, [draft], at))
  }
})
afterAll(() => api.close())

const entriesOf = (who: Caller, kind: 'affiliate_available' | 'payout_cost', more = {}) =>
  who.call(ledgerApi.entries, { body: { owner: 'affiliate', uuid: affiliate.uuid, currency: 'USD', kind: [kind], ...more } })

test('a balance opens as its entries, each with the balance after it, page by page and by month of the network', async () => {
  const { data } = await entriesOf(manager, 'affiliate_available')
  expect(data.list.map(({ amount, balance, event }) => [event, amount, balance])).toEqual([
    ['payout', '10.0000', '30.0000'],
    ['payout', '10.0000', '20.0000'],
    ['payout', '10.0000', '10.0000'],
  ])
  expect(data.summary.rows).toBe(3)
  const first = (await entriesOf(manager, 'affiliate_available', { count: 2 })).data
  expect(first.list).toEqual(data.list.slice(0, 2))
  const next = (await entriesOf(manager, 'affiliate_available', { count: 2, after: first.after, until: first.until })).data
  expect(next.list).toEqual(data.list.slice(2))
  expect(next.after).toBeNull()
  expect((await entriesOf(manager, 'affiliate_available', { count: 2, page: 2 })).data.list).toEqual(data.list.slice(2))
  expect((await entriesOf(manager, 'affiliate_available', { month: '2026-10' })).data.list).toEqual(data.list.slice(2))
  expect((await entriesOf(manager, 'affiliate_available', { after: 'x' })).status).toBe(400)
})

test('entries stand by when they happened, also those that were booked late, and each balance is that after all before it', async () => {
  const other = await api.as('affiliate', { managerId: manager.managerId, name: 'Late' })
  const owner = other.affiliateId ?? 0
  const entry = (key: string, day: number, amount: bigint, later = 0) => ({
    key,
    kind: 'payout' as const,
    at: new Date(Date.UTC(2026, 9, day)),
    bookedAt: new Date(api.clock.now() + later),
    actorId: null,
    entries: [
      { kind: 'payout_cost' as const, owner, currency: 'USD', amount: amount * ONE },
      { kind: 'affiliate_available' as const, owner, currency: 'USD', amount: -amount * ONE },
    ],
  })
  const told = [entry('l1', 5, 1n), entry('l2', 9, 10n), entry('l3', 7, 100n), entry('l4', 9, 1000n), entry('l5', 1, 10_000n)]
  for (const one of told) await api.db.transaction().execute((trx) => post(trx, [one]))
  const read = async (more = {}) => (await entriesOf(manager, 'affiliate_available', { uuid: other.uuid, ...more })).data
  const all = await read()
  expect(all.list.map(({ at, amount, balance }) => [at.slice(0, 10), amount, balance])).toEqual([
    ['2026-10-09', '1000.0000', '11111.0000'],
    ['2026-10-09', '10.0000', '10111.0000'],
    ['2026-10-07', '100.0000', '10101.0000'],
    ['2026-10-05', '1.0000', '10001.0000'],
    ['2026-10-01', '10000.0000', '10000.0000'],
  ])
  // page by page, by number and by cursor, nothing comes twice and nothing is left out, whatever is booked meanwhile
  const first = await read({ count: 2 })
  await api.db.transaction().execute((trx) => post(trx, [entry('l6', 8, 5n, 1000)]))
  const second = await read({ count: 2, after: first.after, until: first.until })
  const third = await read({ count: 2, after: second.after, until: first.until })
  expect([first, second, third].flatMap(({ list }) => list.map(({ id }) => id))).toEqual(all.list.map(({ id }) => id))
  expect((await read({ count: 2, page: 2, until: first.until })).list.map(({ id }) => id)).toEqual(second.list.map(({ id }) => id))
  // an entry of somebody else is no place to go on from
  const [stranger] = (await entriesOf(manager, 'affiliate_available')).data.list
  expect((await read({ after: stranger?.id })).list).toEqual([])
})

test('accounts add up to what the entries say, an advertiser’s as an affiliate’s', async () => {
  const { list } = (await manager.call(ledgerApi.accounts, { body: { owner: 'affiliate', uuid: affiliate.uuid } })).data
  expect(list).toEqual([
    { kind: 'affiliate_available', currency: 'USD', amount: '30.0000' },
    { kind: 'payout_cost', currency: 'USD', amount: '30.0000' },
  ])
  for (const { kind, amount } of list) {
    const entries = (await entriesOf(manager, kind as 'payout_cost')).data.list
    expect(addAmounts(...entries.map((one) => one.amount))).toBe(amount)
  }
  const receivable = { owner: 'advertiser' as const, uuid: advertiser.uuid, currency: 'USD', kind: ['receivable' as const] }
  expect((await admin.call(ledgerApi.entries, { body: receivable })).data.list.map(({ balance }) => balance)).toEqual([
    '45.0000',
    '30.0000',
    '15.0000',
  ])
  // an advertiser that is somebody else's does not exist
  expect((await manager.call(ledgerApi.entries, { body: receivable })).status).toBe(404)
})

test('an affiliate reads its own, never costs, revenue or who decided', async () => {
  const uuids = (await api.db.selectFrom('conversion').select('uuid').orderBy('id').execute()).map(({ uuid }) => uuid)
  const actor = { accountId: admin.accountId, scope: { kind: 'all' as const } }
  await decideConversions(api.db, api.clock.now(), actor as never, { uuids: uuids.slice(2), status: 'declined', reason: 'Twice' })
  const body = { currency: 'USD', kind: ['affiliate_available' as const] }
  const [declined] = (await affiliate.call(ledgerApi.ownEntries, { body })).data.list
  expect(declined).toMatchObject({ event: 'payout_reversal', amount: '-10.0000', balance: '20.0000', actor: null, receipt: null, note: '' })
  expect((await entriesOf(admin, 'affiliate_available')).data.list[0]?.actor).toContain('admin')
  const own = (await affiliate.call(ledgerApi.ownAccounts)).data.list
  expect(own).toEqual([{ kind: 'affiliate_available', currency: 'USD', amount: '20.0000' }])
  for (const kind of ['payout_cost', 'receivable', 'network_revenue'] as const)
    expect((await affiliate.call(ledgerApi.ownEntries, { body: { currency: 'USD', kind: [kind] } })).status).toBe(400)
})

test('entries of an advertiser lead to its invoice and to what it paid, and say what was noted of a discount', async () => {
  const debtor = await makeDebtor(api.db, ['100', '50'], { at: api.clock.now() - 86_400_000 })
  const { uuid, revision } = await makeAdvertiserDraft(admin, debtor)
  const off = { revision, kind: 'discount' as const, amount: '-10', note: 'For good volumes' }
  const bill = await issue(admin, (await admin.call(advertiserInvoiceApi.adjust, { params: { uuid }, body: off })).data)
  const paid = await receive(admin, debtor, '140', { external_id: 'BANK-140' })
  const about = async (who: Caller, kind: 'receivable' | 'advertiser_invoiced') => {
    const body = { owner: 'advertiser' as const, uuid: debtor.uuid, currency: 'USD', kind: [kind] }
    return (await who.call(ledgerApi.entries, { body })).data.list
  }
  const list = await about(admin, 'advertiser_invoiced')
  expect(list.map(({ invoice, receipt }) => invoice?.number ?? receipt?.external_id)).toEqual(['BANK-140', bill.number])
  expect((await about(admin, 'receivable')).map(({ note }) => note)).toContain('For good volumes')
  const number = list[0]?.receipt?.id
  // a manager reads the amounts of advertisers of their own, not their documents
  await api.db.updateTable('advertiser').set({ manager_id: manager.managerId }).where('id', '=', debtor.id).execute()
  const theirs = [...(await about(manager, 'advertiser_invoiced')), ...(await about(manager, 'receivable'))]
  expect(theirs.length).toBeGreaterThan(list.length)
  for (const one of theirs) expect(one).toMatchObject({ invoice: null, receipt: null, note: '' })
  // a bank reference that holds the number is another's
  await receive(admin, debtor, '1', { external_id: `#${number}/2026` })
  const found = (await admin.call(receiptApi.list, { body: { search: `#${number}` } })).data.list
  expect(found.map(({ uuid }) => uuid)).toEqual([paid.uuid])
})

test('an affiliate reads what was noted of a correction', async () => {
  const said = { kind: 'correction' as const, amount: '-3', day: '2026-11-20', note: 'Twice', internal_note: 'Watch him' }
  await admin.call(adjustmentApi.create, { body: { key: crypto.randomUUID(), affiliate_uuid: affiliate.uuid, currency: 'USD', ...said } })
  const { list } = (await affiliate.call(ledgerApi.ownEntries, { body: { currency: 'USD' } })).data
  expect(list.map(({ note }) => note)).toContain('Twice')
  expect(JSON.stringify(list)).not.toContain('Watch him')
})

test('the trial balance of a month opens with the one before, and its sides agree', async () => {
  const trial = async (month: string, more = {}) => (await admin.call(ledgerApi.trial, { body: { month, ...more } })).data
  const october = await trial('2026-10')
  expect(october.list.map(({ kind, opening, debits, credits, closing }) => [kind, opening, debits, credits, closing].join(' '))).toEqual([
    'receivable 0.0000 15.0000 0.0000 15.0000',
    'affiliate_available 0.0000 0.0000 10.0000 -10.0000',
    'network_revenue 0.0000 0.0000 15.0000 -15.0000',
    'payout_cost 0.0000 10.0000 0.0000 10.0000',
  ])
  const november = await trial('2026-11')
  for (const row of november.list) expect(row.opening).toBe(october.list.find(({ id }) => id === row.id)?.closing ?? '0.0000')
  for (const { amounts } of [october.summary.totals ?? {}, november.summary.totals ?? {}])
    for (const sums of amounts ?? []) {
      expect(sums.debits).toBe(sums.credits)
      expect(Number(sums.closing)).toBe(0)
    }
  expect((await trial('2026-11', { kind: ['receivable'], search: 'kite' })).list).toMatchObject([
    { owner: { name: 'Kites' }, opening: '15.0000', debits: '30.0000', credits: '15.0000', closing: '30.0000' },
  ])
  expect((await trial('2026-09')).list).toEqual([])
  expect((await manager.call(ledgerApi.trial)).status).toBe(403)
})

test('accounts of the network and of a source it pays from open as their entries too, for those who see billing', async () => {
  const ask = (who: Caller, body: object) => who.call(ledgerApi.networkEntries, { body: { currency: 'USD', ...body } as never })
  const source = { name: 'Bank', currency: 'USD' as const, kind: 'bank' as const }
  const { id, uuid } = await api.db.insertInto('payment_source').values(source).returning(['id', 'uuid']).executeTakeFirstOrThrow()
  await api.db.transaction().execute((trx) =>
    post(trx, [
      {
        kind: 'receipt',
        key: 'test:cash',
        at: new Date(api.clock.now()),
        bookedAt: new Date(api.clock.now()),
        actorId: null,
        entries: [
          { kind: 'cash', owner: id, currency: 'USD', amount: ONE },
          { kind: 'opening', owner: 0, currency: 'USD', amount: -ONE },
        ],
      },
      {
        kind: 'receipt',
        key: 'test:receipt',
        at: new Date(api.clock.now() + 1000),
        bookedAt: new Date(api.clock.now()),
        actorId: null,
        entries: [
          { kind: 'cash', owner: id, currency: 'USD', amount: ONE },
          { kind: 'advertiser_prepaid', owner: advertiser.id, currency: 'USD', amount: -ONE },
        ],
      },
    ]),
  )
  expect((await ask(admin, { kind: ['cash'], source_uuid: uuid })).data.list).toMatchObject([
    { amount: '1.0000', balance: '2.0000', party: 'Kites' },
    { amount: '1.0000', balance: '1.0000', party: null },
  ])
  expect((await entriesOf(manager, 'affiliate_available')).data.list.every(({ party }) => party === null)).toBe(true)
  expect((await ask(admin, { kind: ['opening'] })).data.list[0]).toMatchObject({ kind: 'opening', event: 'receipt', amount: '-1.0000' })
  expect((await ask(admin, { kind: ['cash'] })).status).toBe(400)
  expect((await ask(admin, { kind: ['affiliate_available'] })).status).toBe(400)
  expect((await ask(admin, { kind: ['cash'], source_uuid: affiliate.uuid })).status).toBe(404)
  expect((await ask(manager, { kind: ['opening'] })).status).toBe(403)
  expect((await ask(affiliate, { kind: ['opening'] })).status).toBe(403)
})
