import { randomUUID } from 'node:crypto'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { companySetting } from '#contract/money/document.ts'
import { receiptApi, type Receipt } from '#contract/money/receipt.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Caller } from '../run/api.ts'
import { makeAdvertiser } from './factories.ts'
import { makePayable } from './invoices.ts'
import { makeAffiliateId } from './money.ts'

export const COMPANY = {
  name: 'Acme GmbH',
  vat_id: 'DE123456789',
  registration_number: '',
  address: 'Hauptstr. 1',
  city: 'Berlin',
  postal_code: '10115',
  country: 'DE',
}

/** Our own company, where none is set: without it nothing is issued. */
export async function makeCompany(db: Db): Promise<void> {
  const value = JSON.stringify({
    ...companySetting.defaults,
    name: 'Ohma Ltd',
    address: 'Main Road 1',
    town: 'Dublin',
    country: 'IE',
    vat_id: 'IE6388047V',
  })
  await db
    .insertInto('setting')
    .values({ key: companySetting.key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** An advertiser whose company can be invoiced, and conversions of its own that earn one and a half times these amounts. */
export async function makeDebtor(
  db: Db,
  amounts: readonly string[],
  { at, currency, holdDays }: { at: number; currency?: string; holdDays?: number },
) {
  await makeCompany(db)
  const advertiser = await makeAdvertiser(db)
  await db
    .updateTable('advertiser')
    .set({ company: JSON.stringify(COMPANY), email: `money-${advertiser.id}@advertiser.example` })
    .where('id', '=', advertiser.id)
    .execute()
  const conversions = await makePayable(db, await makeAffiliateId(db), amounts, {
    at,
    advertiserId: advertiser.id,
    ...(currency && { currency }),
    ...(holdDays && { holdDays }),
  })
  return { ...advertiser, conversions }
}

/** A draft of what an advertiser owes. */
export async function makeAdvertiserDraft(by: Caller, advertiser: { uuid: string }, { currency = 'USD', period_to = '2026-11-21' } = {}) {
  const made = await by.call(advertiserInvoiceApi.create, {
    body: { key: randomUUID(), period_to, minimum: '0', rows: [{ advertiser_uuid: advertiser.uuid, currency }] },
  })
  if (made.status !== 200) throw new Error(JSON.stringify(made))
  const uuid = made.data.invoices[0]?.uuid ?? ''
  return (await by.call(advertiserInvoiceApi.get, { params: { uuid } })).data
}

/** The same with its number. */
export async function makeAdvertiserIssued(by: Caller, advertiser: { uuid: string }, more?: { currency?: string; period_to?: string }) {
  return issue(by, await makeAdvertiserDraft(by, advertiser, more))
}

/** Issues a draft as it was seen. */
export async function issue(by: Caller, { uuid, revision, now }: AdvertiserInvoiceDetail): Promise<AdvertiserInvoiceDetail> {
  return (await by.call(advertiserInvoiceApi.issue, { params: { uuid }, body: { revision, net: now.net } })).data
}

/** A receipt as the form sends it. */
export function receiptOf(
  advertiser: { uuid: string },
  amount: string,
  more: { key?: string; parts?: { invoice_uuid: string; amount: string }[]; external_id?: string; currency?: string } = {},
) {
  return { key: randomUUID(), advertiser_uuid: advertiser.uuid, currency: 'USD', amount, day: '2026-11-21', source_id: 1, ...more }
}

/** Asks to book a receipt of which one person alone decides: the answer is that receipt. */
export async function bookReceipt(by: Caller, body: ReturnType<typeof receiptOf> & object) {
  const { data, ...answer } = await by.call(receiptApi.book, { body })
  return { ...answer, data: (data?.receipt ?? data) as Receipt } // a refused call has no data, as any
}

/** Books what an advertiser paid. */
export async function receive(by: Caller, advertiser: { uuid: string }, amount: string, more?: Parameters<typeof receiptOf>[2]) {
  const { receipt } = (await by.call(receiptApi.book, { body: receiptOf(advertiser, amount, more) })).data
  if (receipt === null) throw new Error('It was only proposed')
  return receipt
}

/** What becomes of a conversion after it was invoiced. */
export async function become(db: Db, now: number, row: Pick<ConversionRow, 'id'>, changes: Partial<ConversionRow>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('conversion').selectAll().where('id', '=', row.id).forUpdate().executeTakeFirstOrThrow()
    const after = { ...before, ...changes, updated_at: new Date(now) }
    await recordChanges(trx, [{ before, after, origin: 'postback', actorId: null }], now)
  })
}
