import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { payoutApi } from '#contract/money/payout.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { hashPassword } from '#server/platform/secret.ts'
import { makeInvoice, makeIssued, makePayable, paymentOf } from '#test/support/make/invoices.ts'
import { makeAffiliateId } from '#test/support/make/money.ts'
import { makeMethod } from '#test/support/make/payment-methods.ts'
import { become } from '#test/support/make/receivables.ts'
import { startApi, type Answer, type Caller, type TestApi } from '#test/support/run/api.ts'

/**
 * Somebody else decides about many conversions at once: they are locked in the order of their numbers, and what they are booked on in
 * the order of accounts. Whatever is done to invoices meanwhile waits for that, and never has what the other one waits for.
 */
let api: TestApi
let admin: Caller
let head: Caller
let other: Db
const password = 'correct horse battery'
beforeAll(async () => {
  api = await startApi()
  ;[admin, head] = await Promise.all([api.as('admin'), api.as('head')])
  await api.db
    .updateTable('account')
    .set({ password_hash: await hashPassword(password) })
    .execute()
  other = openDatabase(api.databaseUrl, { max: 1 })
})
afterAll(async () => {
  await other.destroy()
  await api.close()
})

const earn = async (affiliateId: number, amount: string): Promise<ConversionRow> => {
  const [row] = await makePayable(api.db, affiliateId, [amount], { at: api.clock.now() - 86_400_000 })
  if (row === undefined) throw new Error('no conversion')
  return row
}
const isWaitedFor = async () => {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(api.db)
  return rows.length > 0
}

/** Locks the first row, waits until what is asked for waits too, and locks the second one: both must come through. */
async function meet(
  table: 'conversion' | 'ledger_account',
  [first, second]: [string | number, string | number],
  ask: () => Promise<Answer<unknown>>,
) {
  const lock = (id: string | number) => sql`select from ${sql.table(table)} where id = ${id} for update`
  expect(Number(first)).toBeLessThan(Number(second))
  let asked: Promise<Answer<unknown>> | undefined
  await other.transaction().execute(async (trx) => {
    await lock(first).execute(trx)
    asked = ask()
    await expect.poll(isWaitedFor, { interval: 10 }).toBe(true)
    await lock(second).execute(trx)
  })
  expect((await asked)?.errors).toEqual({})
  expect(await findDifferences(api.db)).toEqual([])
}

const step = (by: Caller, name: 'addLines' | 'send', { uuid, revision }: InvoiceDetail) =>
  by.call(invoiceApi[name], { params: { uuid }, body: { revision } })

test('all that an affiliate may have is locked in one order, whether it was on an invoice before or not', async () => {
  const affiliateId = await makeAffiliateId(api.db)
  const [changed, drafted] = [await earn(affiliateId, '10'), await earn(affiliateId, '20')]
  await makeIssued(admin, [changed])
  await become(api.db, api.clock.now(), changed, { payout: '12.0000' })
  const draft = await makeInvoice(admin, [drafted])
  const fresh = await earn(affiliateId, '30')
  await meet('conversion', [changed.id, fresh.id], () => step(admin, 'addLines', draft))
})

test('the conversions of all invoices of one payment are', async () => {
  const affiliateId = await makeAffiliateId(api.db)
  await makeMethod(api, affiliateId)
  const [early, late] = [await earn(affiliateId, '10'), await earn(affiliateId, '20')]
  for (const row of [late, early]) await makeIssued(admin, [row])
  await api.db
    .updateTable('invoice')
    .set({ payment_system: 'paypal', due_day: '2026-11-20' })
    .where('affiliate_id', '=', affiliateId)
    .execute()
  const { uuid: affiliate } = await api.db
    .selectFrom('affiliate as f')
    .innerJoin('account as a', 'a.id', 'f.account_id')
    .select('a.uuid')
    .where('f.id', '=', affiliateId)
    .executeTakeFirstOrThrow()
  const body = {
    key: randomUUID(),
    format: 'own' as const,
    source_id: 1,
    currency: 'USD',
    due_to: '2026-11-21',
    execution_day: '2026-11-23',
    affiliate_uuids: [affiliate],
  }
  const { uuid } = (await admin.call(payoutApi.make, { body })).data
  expect((await head.call(payoutApi.release, { params: { uuid }, body: { password } })).data.sent).toBe(1)
  const [payment] = (await admin.call(payoutApi.payments, { body: { uuid } })).data.list
  await meet('conversion', [early.id, late.id], () =>
    admin.call(payoutApi.mark, { params: { uuid: payment?.uuid ?? '' }, body: { becomes: 'settled' } }),
  )
})

test('so are those of the invoices that used what did not arrive', async () => {
  const affiliateId = await makeAffiliateId(api.db)
  const [first, early, late] = [await earn(affiliateId, '10'), await earn(affiliateId, '20'), await earn(affiliateId, '30')]
  const issued = await makeIssued(admin, [first])
  const params = { uuid: issued.uuid }
  const ahead = paymentOf('60', issued.revision, { settled: false, in_advance: true })
  const { revision } = (await admin.call(invoiceApi.pay, { params, body: ahead })).data
  for (const row of [early, late]) expect(await makeIssued(admin, [row])).toMatchObject({ status: 'paid' })
  await meet('conversion', [early.id, late.id], () => admin.call(invoiceApi.fail, { params, body: { revision, reason: 'Wrong IBAN' } }))
})

test('drafts of several affiliates lock what they book on before the first one books', async () => {
  const [one, two] = [await makeAffiliateId(api.db), await makeAffiliateId(api.db)]
  // the accounts of the one are older, its conversion is younger
  await earn(one, '5')
  const chosen = [await earn(two, '10'), await earn(one, '20')]
  const accountOf = async (owner: number) =>
    (
      await api.db
        .selectFrom('ledger_account')
        .select('id')
        .where('kind', '=', 'affiliate_available')
        .where('owner_id', '=', owner)
        .executeTakeFirstOrThrow()
    ).id
  const accounts: [number, number] = [await accountOf(one), await accountOf(two)]
  await meet('ledger_account', accounts, () =>
    admin.call(invoiceApi.createFromConversions, { body: { uuids: chosen.map(({ uuid }) => uuid) } }),
  )
})
