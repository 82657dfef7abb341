import { randomUUID } from 'node:crypto'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import type { ConversionRow } from '#server/features/traffic/conversion/change.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Caller } from '../run/api.ts'
import { makeClick, makeClickKeys, makeOffer } from './money.ts'
import { makeRates } from './rates.ts'

const HOUR = 3_600_000

/** Approved conversions of an affiliate, of an offer that pays the amounts in its currency; `broughtBy`: an account brought them in by a file. */
export async function makePayable(
  db: Db,
  affiliateId: number,
  amounts: readonly string[],
  {
    at,
    currency = 'USD',
    holdDays = 0,
    advertiserId,
    hidden = false,
    broughtBy,
  }: { at: number; currency?: string; holdDays?: number; advertiserId?: number; hidden?: boolean; broughtBy?: number },
): Promise<ConversionRow[]> {
  const keys = await makeClickKeys(db)
  const offer = await makeOffer(db, {
    payout: '0',
    revenue: '0',
    payoutPercent: '100',
    revenuePercent: '150',
    currency,
    holdDays,
    ...(advertiserId !== undefined && { advertiserId }),
  })
  if (hidden) await db.updateTable('goal').set({ hidden }).where('offer_id', '=', offer.id).execute()
  const [terms] = (await loadTerms(db, [offer.id])).values()
  const goal = terms?.goals[0]
  if (terms === undefined || goal === undefined) throw new Error('the offer has no terms')
  const drafts = amounts.map((amount) => {
    const click = makeClick(keys, { offerId: offer.id, affiliateId, at: at - HOUR })
    const report = { status: 'approved' as const, amount, currency, transactionId: null, reason: '' }
    return draftConversion(terms, goal, click, { ...report, converted: amount }, at, at)
  })
  const kept = drafts.filter((draft) => draft !== null)
  const made = await db.transaction().execute((trx) =>
    broughtBy === undefined
      ? createConversions(trx, kept, at)
      : recordChanges(
          trx,
          kept.map((after) => ({ before: null, after, origin: 'import', actorId: broughtBy, bookedAt: after.updated_at })),
          at,
        ),
  )
  return made.map(({ after }) => after)
}

/** A draft of conversions, ready to be sent; `leave_debt`: although their affiliate owes. */
export async function makeInvoice(
  by: Caller,
  conversions: readonly { uuid: string }[],
  more: { leave_debt?: boolean } = {},
): Promise<InvoiceDetail> {
  const made = await by.call(invoiceApi.createFromConversions, { body: { uuids: conversions.map(({ uuid }) => uuid), ...more } })
  const uuid = made.data.invoices[0]?.uuid ?? ''
  const draft = (await by.call(invoiceApi.get, { params: { uuid } })).data
  return (
    await by.call(invoiceApi.update, { params: { uuid }, body: { ...editable(draft), payment_system: 'paypal', revision: draft.revision } })
  ).data
}

/** What the editing form of an invoice holds. */
export function editable(one: InvoiceDetail) {
  const { period_from, period_to, payment_system, due_day, vat_category, vat_rate, note, internal_note } = one
  return { period_from, period_to, payment_system, due_day, vat_category, vat_rate, note, internal_note }
}

/** An approved invoice of conversions; `leave_debt`: although their affiliate owes. */
export async function makeIssued(
  by: Caller,
  conversions: readonly { uuid: string }[],
  more: { leave_debt?: boolean } = {},
): Promise<InvoiceDetail> {
  const { uuid, revision } = await makeInvoice(by, conversions, more)
  await by.call(invoiceApi.send, { params: { uuid }, body: { revision } })
  return (await by.call(invoiceApi.approve, { params: { uuid }, body: { revision: revision + 1, ...more } })).data
}

/** An invoice that its affiliate was shown, without lines. */
export function makeWaiting(db: Db, affiliateId: number, at: Date) {
  const made = { created_at: at, updated_at: at, sent_at: at, period_to: '2026-10-31', time_zone: 'UTC' }
  const values = { affiliate_id: affiliateId, currency: 'USD', status: 'waiting' as const, ...made }
  return db.insertInto('invoice').values(values).returning('uuid').executeTakeFirstOrThrow()
}

/** A company that bills for its affiliates, and one of them who agreed and whose VAT was decided. */
export async function makeSelfBilled(
  db: Db,
  { affiliateId, accountId }: { affiliateId: number; accountId: number },
  vat: { vat_category: 'S' | 'AE' | 'E' | 'O'; vat_rate?: string; exemption?: string; country?: string },
): Promise<void> {
  const company = { name: 'Ohma Ltd', address: 'Main Road 1', postcode: 'D01', town: 'Dublin', country: 'IE', vat_id: 'IE6388047V' }
  const value = JSON.stringify({ ...company, self_billing: true, agreement: 'You let us bill.' })
  await db
    .insertInto('setting')
    .values({ key: 'company', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  if (vat.vat_category === 'S') await makeRates(db)
  const at = new Date('2026-11-01T00:00:00Z')
  const who = { name: 'Żółw Media', address: 'ul. Długa 5', postcode: '00-238', town: 'Warszawa', country: 'PL', vat_id: 'PL5260250274' }
  const agreed = { agreed_text: 'You let us bill.', agreed_at: at, agreed_from: '192.0.2.1', agreed_by: accountId }
  await db
    .insertInto('tax_profile')
    .values({ affiliate_id: affiliateId, ...who, ...agreed, ...vat, updated_at: at })
    .execute()
}

/** A payment as the form sends it. */
export function paymentOf(
  amount: string,
  revision: number,
  more: { settled?: boolean; in_advance?: boolean; key?: string; external_id?: string; leave_debt?: boolean } = {},
) {
  return { key: randomUUID(), amount, day: '2026-11-21', source_id: 1, settled: true, revision, ...more }
}
