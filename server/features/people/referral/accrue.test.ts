import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { invoiceApi } from '#contract/money/invoice.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { makePayable } from '#test/support/make/invoices.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'
import { accrueReferrals } from './accrue.jobs.ts'
import { accrueReferral } from './accrue.service.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())

const at = (day: string) => Date.parse(`${day}T12:00:00Z`)
const idOf = (of: Caller) => of.affiliateId ?? 0
const run = () => accrueReferrals(api.db, api.clock.now(), null)
const sound = async () => expect(await findDifferences(api.db)).toEqual([])
/** Somebody with whom they brought, at a level and on terms. */
async function pair({ percent = '5', months = 12, since = '2026-08-10', level = 1 } = {}) {
  const [referrer, friend] = [await api.as('affiliate'), await api.as('affiliate')]
  const { id } = await api.db
    .insertInto('referral')
    .values({
      affiliate_id: idOf(friend),
      referrer_id: idOf(referrer),
      code: 'code',
      percent,
      months,
      level,
      created_at: new Date(at(since)),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { referrer, friend, id }
}
const earns = (who: Caller, day: string, amounts: string[], currency = 'USD') =>
  makePayable(api.db, idOf(who), amounts, { at: at(day), currency })
/** What somebody has of commissions, by currency. */
const has = async (who: Caller) => {
  const { list } = (await who.call(ledgerApi.ownAccounts)).data
  return Object.fromEntries(list.flatMap(({ kind, currency, amount }) => (kind === 'affiliate_referral' ? [[currency, amount]] : [])))
}
async function become(row: Pick<ConversionRow, 'id'>, changes: Partial<ConversionRow>) {
  await api.db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('conversion').selectAll().where('id', '=', row.id).forUpdate().executeTakeFirstOrThrow()
    const after = { ...before, ...changes, updated_at: new Date(api.clock.now()) }
    await recordChanges(trx, [{ before, after, origin: 'postback', actorId: null }], api.clock.now())
  })
}
const setReferral = (id: number, state: 'held' | 'released' | 'refused') =>
  api.db.updateTable('referral').set({ state }).where('id', '=', id).execute()
const setStatus = (who: Caller, status: 'active' | 'inactive') =>
  api.db.updateTable('affiliate').set({ status }).where('id', '=', idOf(who)).execute()
const monthsOf = (id: number) =>
  api.db
    .selectFrom('referral_month')
    .select(['month', 'currency', 'n', 'amount'])
    .where('referral_id', '=', id)
    .orderBy('month')
    .orderBy('currency')
    .orderBy('n')
    .execute()
const invoiceOf = async (who: Caller, period_to = '2026-10-31') => {
  const { uuid } = await api.db.selectFrom('account').select('uuid').where('id', '=', who.accountId).executeTakeFirstOrThrow()
  const asked = { key: crypto.randomUUID(), period_to, minimum: '0', affiliate_uuids: [uuid] }
  const answer = await admin.call(invoiceApi.createFromAffiliates, { body: asked })
  if (answer.status !== 200) return { answer, made: [] }
  const { list } = (await admin.call(invoiceApi.list, { body: { affiliate_uuid: [uuid] } })).data
  return { answer, made: list }
}

test('the share of approved payouts is booked by month and currency, once, and follows what changes', async () => {
  const { referrer, friend, id } = await pair({ percent: '3.3333' })
  await earns(friend, '2026-08-09', ['1000']) // before the sign-up
  const [first] = await earns(friend, '2026-08-11', ['10.01', '20'])
  await earns(friend, '2026-09-30', ['7'])
  await earns(friend, '2026-09-30', ['1000'], 'JPY')
  const [waiting] = await earns(friend, '2026-09-30', ['500'])
  await become(waiting!, { status: 'hold', hold_until: new Date(at('2026-12-01')) })
  await run()
  expect(await monthsOf(id)).toEqual([
    { month: '2026-08-01', currency: 'USD', n: 1, amount: '1.0003' },
    { month: '2026-09-01', currency: 'JPY', n: 1, amount: '33.3330' },
    { month: '2026-09-01', currency: 'USD', n: 1, amount: '0.2333' },
  ])
  expect(await has(referrer)).toEqual({ USD: '1.2336', JPY: '33.3330' })
  await sound()
  expect(await run()).toBe(0)
  await become(first!, { status: 'declined' })
  expect(await run()).toBe(1)
  expect(await has(referrer)).toEqual({ USD: '0.9000', JPY: '33.3330' })
  await sound()
})

test('a month belongs to the zone of the network, and the terms end so many months after the sign-up, to the second', async () => {
  await api.db
    .insertInto('setting')
    .values({ key: 'general', value: JSON.stringify({ time_zone: 'Europe/Kyiv' }) })
    .execute()
  const { friend, id } = await pair({ months: 2, since: '2026-08-10' })
  const late = Date.parse('2026-08-31T21:30:00Z')
  await makePayable(api.db, idOf(friend), ['100'], { at: late })
  await makePayable(api.db, idOf(friend), ['200'], { at: at('2026-10-10') - 1000 })
  await makePayable(api.db, idOf(friend), ['400'], { at: at('2026-10-10') })
  await run()
  expect((await monthsOf(id)).map(({ month, amount }) => [month, amount])).toEqual([
    ['2026-09-01', '5.0000'],
    ['2026-10-01', '10.0000'],
  ])
  await api.db.deleteFrom('setting').where('key', '=', 'general').execute()
})

test('two jobs at once book it once, and one that dies half-way leaves nothing', async () => {
  const { referrer, friend, id } = await pair()
  await earns(friend, '2026-08-11', ['100'])
  const died = api.db.transaction().execute(async (trx) => {
    await accrueReferral(trx, id, { now: api.clock.now(), zone: 'UTC', actorId: null })
    throw new Error('killed')
  })
  await expect(died).rejects.toThrow('killed')
  expect(await has(referrer)).toEqual({})
  await Promise.all([run(), run(), run()])
  const rows = await api.db.selectFrom('referral_month').select('bookings').where('referral_id', '=', id).execute()
  expect(rows).toEqual([{ bookings: 1 }])
  expect(await has(referrer)).toEqual({ USD: '5.0000' })
  await sound()
})

test('an invoice has the months that ended, what changes later is on the next one, and what is deleted is open again', async () => {
  const { referrer, friend, id } = await pair()
  await makeMethod(api, idOf(referrer))
  const [first] = await earns(friend, '2026-09-11', ['100'])
  await earns(friend, '2026-10-11', ['60'])
  await earns(friend, '2026-11-11', ['1000'])
  await run()
  const { made } = await invoiceOf(referrer)
  expect(made).toMatchObject([{ net: '8.0000', status: 'draft' }])
  const lines = (await admin.call(invoiceApi.lines, { body: { uuid: made[0]!.uuid } })).data.list
  expect(lines.map(({ kind, amount, referral }) => ({ kind, amount, referral }))).toEqual([
    { kind: 'referral', amount: '5.0000', referral: { month: '2026-09', level: 1 } },
    { kind: 'referral', amount: '3.0000', referral: { month: '2026-10', level: 1 } },
  ])
  expect(await has(referrer)).toEqual({ USD: '50.0000' })
  await sound()
  // declined afterwards: the next row is below zero, and carried
  await become(first!, { status: 'declined' })
  await run()
  expect((await monthsOf(id)).map(({ month, n, amount }) => [month, n, amount])).toEqual([
    ['2026-09-01', 1, '5.0000'],
    ['2026-09-01', 2, '-5.0000'],
    ['2026-10-01', 1, '3.0000'],
    ['2026-11-01', 1, '50.0000'],
  ])
  await sound()
  const gone = await admin.call(invoiceApi.remove, { params: { uuid: made[0]!.uuid }, body: { revision: made[0]!.revision } })
  expect(gone.status).toBe(200)
  expect(await has(referrer)).toEqual({ USD: '53.0000' })
  await sound()
  const again = await invoiceOf(referrer)
  expect(again.made.filter(({ deleted_at }) => deleted_at === null)).toMatchObject([{ net: '3.0000' }])
  await sound()
})

test('below zero nothing is invoiced: it is carried', async () => {
  const { referrer, friend } = await pair()
  await makeMethod(api, idOf(referrer))
  await earns(friend, '2026-09-11', ['-40'])
  await run()
  expect(await has(referrer)).toEqual({ USD: '-2.0000' })
  const { answer } = await invoiceOf(referrer)
  expect(answer.status).toBe(422)
})

test('who is not active earns nothing of what comes in meanwhile, later neither', async () => {
  const { referrer, friend } = await pair()
  await earns(friend, '2026-09-11', ['100'])
  await run()
  await setStatus(referrer, 'inactive')
  const [lost] = await earns(friend, '2026-09-12', ['200'])
  await run()
  await setStatus(referrer, 'active')
  await earns(friend, '2026-09-13', ['40'])
  await run()
  expect(await has(referrer)).toEqual({ USD: '7.0000' })
  await become(lost!, { status: 'declined' })
  await run()
  expect(await has(referrer)).toEqual({ USD: '7.0000' })
  await sound()
})

test('what is kept is taken off the balance and no invoice has it, until it is released; what is invoiced already stays', async () => {
  const { referrer, friend, id } = await pair()
  await makeMethod(api, idOf(referrer))
  await earns(friend, '2026-09-11', ['100'])
  await run()
  await invoiceOf(referrer)
  await earns(friend, '2026-10-11', ['60'])
  await run()
  expect(await has(referrer)).toEqual({ USD: '3.0000' })
  await setReferral(id, 'held')
  expect((await invoiceOf(referrer)).answer.status).toBe(422)
  await run()
  await sound()
  expect(await has(referrer)).toEqual({ USD: '0.0000' })
  await setReferral(id, 'released')
  await run()
  expect(await has(referrer)).toEqual({ USD: '3.0000' })
  await sound()
})

test('a naive recount of random months comes to what is booked', async () => {
  const seed = fc.readConfigureGlobal().seed ?? 1
  let state = seed
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
  const top = await pair({ percent: '7.7', months: 3, since: '2026-08-01' })
  const others = await pair({ percent: '0.3333', months: 1, since: '2026-08-15' })
  await makeMethod(api, idOf(top.referrer))
  const rows: { row: ConversionRow; of: typeof top; currency: string }[] = []
  for (let step = 0; step < 40; step++) {
    const of = random(2) === 0 ? top : others
    const what = random(6)
    if (what <= 2) {
      const currency = ['USD', 'EUR', 'JPY'][random(3)] ?? 'USD'
      const day = `2026-${String(8 + random(4)).padStart(2, '0')}-${String(1 + random(20)).padStart(2, '0')}`
      const [row] = await earns(of.friend, day, [`${random(500)}.${random(10_000)}`], currency)
      if (row !== undefined) rows.push({ row, of, currency })
    } else if (what === 3) {
      const one = rows[random(rows.length)]
      if (one !== undefined) await become(one.row, random(2) === 0 ? { status: 'declined' } : { payout: `${random(300)}.${random(99)}` })
    } else if (what === 4) await invoiceOf(top.referrer)
    else await run()
  }
  await run()
  const all = await api.db.selectFrom('conversion').selectAll().execute()
  for (const { of, percent, from, months } of [
    { of: top, percent: 77_000n, from: '2026-08-01', months: 3 },
    { of: others, percent: 3_333n, from: '2026-08-15', months: 1 },
  ]) {
    const sums = new Map<string, bigint>()
    const until = Temporal.Instant.fromEpochMilliseconds(at(from)).toZonedDateTimeISO('UTC').add({ months }).epochMilliseconds
    for (const one of all)
      if (
        one.affiliate_id === idOf(of.friend) &&
        one.status === 'approved' &&
        one.created_at.getTime() >= at(from) &&
        one.created_at.getTime() < until
      ) {
        const key = `${one.created_at.toISOString().slice(0, 7)} ${one.currency}`
        sums.set(key, (sums.get(key) ?? 0n) + toUnits(one.payout))
      }
    const expected = new Map<string, string>()
    for (const [key, sum] of sums) {
      // hundredths of a percent of hundred-millionths, to four decimals, half up: nothing here is below zero
      const share = ((sum * percent + 5_000n * 1_000_000n) / 10_000_000_000n) * 10_000n
      if (share !== 0n) expected.set(key, fromUnits(share))
    }
    const found = new Map<string, bigint>()
    for (const { month, currency, amount } of await monthsOf(of.id)) {
      const key = `${month.slice(0, 7)} ${currency}`
      found.set(key, (found.get(key) ?? 0n) + toUnits(amount))
    }
    const booked = Object.fromEntries([...found].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, fromUnits(sum)]))
    expect(booked, `seed ${seed}`).toEqual(Object.fromEntries(expected))
  }
  await sound()
})
