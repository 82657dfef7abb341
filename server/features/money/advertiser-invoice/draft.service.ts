import type { z } from 'zod'
import type { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { amountText, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { listCurrencies } from '#server/features/money/currency/currency.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { givesTooMuch, letOffToday, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { insertProposal, lapseProposals } from '#server/features/money/second-person/proposed.queries.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import {
  advertiserNumber,
  insertAdjustment,
  insertAdjustmentLine,
  letOffEarlier,
  partyOf,
  updateInvoice,
  voidAdjustments,
  type LockedInvoice,
} from './advertiser-invoice.queries.ts'
import { refusePeriod } from '#server/features/money/invoice/asked-period.ts'
import { endOf } from '#server/rules/zone-day.ts'
import { dropForeignLines, dropLines, offerIdsOf, previewBillable, recomputeLines, sumLive, takeLines } from './billable.queries.ts'
import { heldUntil, makeDraft, minimumsOf, NothingLeft } from './make.service.ts'
import { logStep, takeStep, type Change } from './step.service.ts'
import { entry } from './sums.service.ts'
import { totalsOf } from './vat.ts'

type Body<Name extends 'preview' | 'create' | 'update' | 'adjust'> = z.output<(typeof advertiserInvoiceApi)[Name]['body']>
type Asked = { key: string; revision: number }

/** So many rows a preview shows. */
const SHOWN = 500

/** What invoices a period would make. Throws `invalid_input` for one that is not over or under way. */
export async function previewDrafts(db: Db, now: number, asked: Body<'preview'>): Promise<CallOutput<typeof advertiserInvoiceApi.preview>> {
  const { time_zone } = await getGeneralSettings(db)
  refusePeriod(now, asked, time_zone)
  const { include_hold, hold_days, minimums } = await getSetting(db, receivableSetting)
  const what = {
    until: endOf(asked.period_to, time_zone),
    offerIds: await askedOffers(db, asked.offer_uuids),
    includeHold: include_hold,
    holdDays: hold_days,
    now: new Date(now),
    minimums: minimumsOf(minimums),
    advertiserUuids: asked.advertiser_uuids,
    currencies: asked.currency,
  }
  const rows = await previewBillable(db, what, SHOWN + 1)
  const list = rows.slice(0, SHOWN).map(({ net, later, vat_category, vat_rate, decimals, minimum: agreed, ...row }) => {
    const minimum = amountText(asked.minimum ?? agreed)
    return {
      ...row,
      ...totalsOf({ vat_category, vat_rate }, toUnits(net), decimals),
      later: later === null ? null : amountText(later),
      minimum,
      left_out: toUnits(net) <= 0n ? ('negative' as const) : toUnits(net) < toUnits(minimum) ? ('below_minimum' as const) : null,
    }
  })
  return { list, more: rows.length > SHOWN }
}

/** Makes drafts, each in a transaction of its own. What one made with this key already is answered as it was: a call that broke off can be sent again. */
export async function makeDrafts(
  db: Db,
  now: number,
  actor: Actor,
  asked: Body<'create'>,
): Promise<CallOutput<typeof advertiserInvoiceApi.create>> {
  const offerIds = await askedOffers(db, asked.offer_uuids)
  const { key: _key, ...call } = asked
  const rows = call.rows.toSorted((one, other) =>
    `${one.advertiser_uuid} ${one.currency}` < `${other.advertiser_uuid} ${other.currency}` ? -1 : 1,
  )
  const digest = askedDigest(actor.accountId, { ...call, rows })
  const { time_zone } = await getGeneralSettings(db)
  refusePeriod(now, asked, time_zone)
  const codes = new Set((await listCurrencies(db)).map(({ code }) => code))
  if (asked.rows.some(({ currency }) => !codes.has(currency)))
    throw new AppError('unknown_reference', { fields: { rows: 'One of these currencies does not exist' } })
  const invoices: CallOutput<typeof advertiserInvoiceApi.create>['invoices'] = []
  let leftOut = 0
  for (const { advertiser_uuid, currency } of asked.rows) {
    const advertiserId = await advertiserNumber(db, advertiser_uuid)
    if (advertiserId === undefined) throw new AppError('unknown_reference', { fields: { rows: 'One of these advertisers does not exist' } })
    const { key, period_from, period_to, minimum } = asked
    const draft = {
      advertiser_id: advertiserId,
      currency,
      key,
      asked: digest,
      period_from,
      period_to,
      time_zone,
      minimum,
      offerIds,
      runRowId: null,
    }
    const made = await db
      .transaction()
      .execute((trx) => makeDraft(trx, now, actor.accountId, actor, draft))
      .catch((error: unknown) => {
        if (error instanceof NothingLeft) return undefined
        throw error
      })
    if (made === undefined) leftOut++
    else invoices.push(made)
  }
  if (invoices.length === 0) throw new AppError('nothing_to_invoice')
  return { invoices, left_out: leftOut }
}

/** Changes what a draft says; of an issued one the internal note alone. */
export function editDraft(db: Db, now: number, actor: Actor, asked: Asked & { input: Omit<Body<'update'>, 'revision'> }): Promise<void> {
  const from = ['draft', 'issued', 'partly_paid', 'paid', 'credited', 'written_off'] as const
  return takeStep(db, now, actor, { ...asked, event: 'edited', from, said: asked.input }, async ({ trx, invoice }) => {
    const { internal_note, ...input } = asked.input
    await updateInvoice(trx, invoice.id, { internal_note, edited_by: actor.accountId })
    const isSame =
      input.period_from === invoice.period_from &&
      input.due_day === invoice.due_day &&
      input.vat_category === invoice.vat_category &&
      toUnits(input.vat_rate) === toUnits(invoice.vat_rate) &&
      input.note === invoice.note
    if (isSame) return
    if (invoice.status !== 'draft') throw new AppError('issued_is_final')
    if (input.period_from !== null && input.period_from > invoice.period_to)
      throw new AppError('invalid_input', { fields: { period_from: 'After the end of the period' } })
    await updateInvoice(trx, invoice.id, input)
    await resum(trx, { ...invoice, ...input })
  })
}

/** Gives a draft the VAT of the advertiser's present terms; corrections of invoices with another rate leave it: they are for credit notes. */
export function takeVat(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'vat_taken', from: ['draft'] }, async ({ trx, invoice }) => {
    const terms = await partyOf(trx, invoice.advertiser_id)
    const vat = { vat_category: terms.vat_category ?? ('O' as const), vat_rate: terms.vat_rate ?? '0' }
    await dropForeignLines(trx, invoice.id, vat)
    await updateInvoice(trx, invoice.id, { ...vat, edited_by: actor.accountId })
    await resum(trx, { ...invoice, ...vat })
  })
}

/** Gives the lines of a draft the present amounts, and adds what has come since. */
export function refreshDraft(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'refreshed', from: ['draft'] }, async ({ trx, invoice, at }) => {
    const { include_hold } = await getSetting(trx, receivableSetting)
    const terms = await partyOf(trx, invoice.advertiser_id)
    const until = endOf(invoice.period_to, invoice.time_zone)
    await recomputeLines(trx, invoice.id, until)
    const includeHold = terms.include_hold ?? include_hold
    await takeLines(trx, invoice.id, invoice, { until, heldUntil: heldUntil(invoice, at), offerIds: [], includeHold })
    await updateInvoice(trx, invoice.id, { edited_by: actor.accountId })
    await resum(trx, invoice)
  })
}

/** Takes lines off a draft; what stood beside conversions ends. */
export function takeOffDraft(db: Db, now: number, actor: Actor, asked: Asked & { lines: readonly number[] }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'lines_removed', from: ['draft'], said: { lines: asked.lines } }, async (change) => {
    const { trx, invoice, at } = change
    const ended = await dropLines(trx, invoice.id, asked.lines)
    await voidAdjustments(
      trx,
      ended.map(({ id }) => id),
      at,
    )
    await updateInvoice(trx, invoice.id, { edited_by: actor.accountId })
    await resum(trx, invoice)
    await post(
      trx,
      ended.map((one) => adjustmentTransfer(change, one, 'void')),
    )
  })
}

/**
 * Adds a discount, a minimum or a fee to a draft: the advertiser owes it, or is let off, at once. What lets it off more than the limit of
 * four eyes, with what the same person alone let it off within a day or on this draft, is only proposed.
 */
export function adjustDraft(db: Db, now: number, actor: Actor, asked: Asked & { input: Omit<Body<'adjust'>, 'revision'> }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'adjusted', from: ['draft'], said: asked.input }, async (change) => {
    const { trx, invoice, at } = change
    const { kind, amount, note } = asked.input
    const units = toUnits(amount)
    const refuse = (text: string) => {
      throw new AppError('invalid_input', { fields: { amount: text } })
    }
    if (units === 0n) refuse('Not zero')
    if (kind === 'discount' && units > 0n) refuse('A discount is below zero')
    if (kind === 'minimum' && units < 0n) refuse('More than zero')
    if (roundedTo(await decimalsOf(trx, invoice.currency), units) !== units) refuse('More decimals than this currency has')
    const adjusted = { kind, amount: fromUnits(units), note }
    if (kind !== 'minimum' && units < 0n) await lockAlone(trx, actor.accountId)
    if (kind !== 'minimum' && units < 0n && (await discountTakesTwo(change, actor, -units))) {
      const about = { advertiser_invoice_id: invoice.id, currency: invoice.currency, ...adjusted, kind }
      await insertProposal(trx, { ...about, made_by: actor.accountId, created_at: at })
      return { event: 'adjustment_proposed' }
    }
    await bookAdjustment(change, actor.accountId, adjusted)
    return undefined
  })
}

type Adjusted = { kind: 'discount' | 'minimum' | 'fee'; amount: string; note: string }

/** Books a proposed discount on its locked draft, as the edit of who proposed it. Throws `status_not_allowed`. Answers the adjustment. */
export async function confirmDiscount(change: Change, proposed: Adjusted & { made_by: number }): Promise<number> {
  const { invoice } = change
  if (invoice.deleted_at !== null || invoice.status !== 'draft') throw new AppError('status_not_allowed')
  const id = await bookAdjustment(change, proposed.made_by, proposed)
  await logStep(change, { status: invoice.status, event: 'adjusted', reason: proposed.note })
  return id
}

async function bookAdjustment(change: Change, madeBy: number, { kind, amount, note }: Adjusted): Promise<number> {
  const { trx, invoice, at } = change
  const { advertiser_id, currency } = invoice
  const { id } = await insertAdjustment(trx, { advertiser_id, currency, kind, amount, note, made_by: madeBy, created_at: at })
  await insertAdjustmentLine(trx, invoice.id, id, amount)
  await updateInvoice(trx, invoice.id, { edited_by: madeBy })
  await resum(trx, invoice)
  await post(trx, [adjustmentTransfer(change, { id, amount }, 'made')])
  return id
}

const DAY = 86_400_000

/** Whether so much off is only proposed: small ones one after the other are not below the limit either, nor are they for many advertisers (`givesTooMuch`). */
export async function discountTakesTwo(
  { trx, invoice, at }: Pick<Change, 'trx' | 'at'> & { invoice: Pick<LockedInvoice, 'id' | 'advertiser_id' | 'currency'> },
  { accountId: actorId }: Pick<Actor, 'accountId'>,
  off: bigint,
): Promise<boolean> {
  const { advertiser_id: advertiserId, currency, id: invoiceId } = invoice
  const besides = [
    ...(await letOffToday(trx, at, actorId, advertiserId)),
    { amount: await letOffEarlier(trx, { actorId, invoiceId, since: new Date(at.getTime() - DAY) }), currency },
  ]
  return givesTooMuch(trx, at, actorId, { amount: fromUnits(off), currency, besides })
}

/** Deletes a draft: what stood on it can be invoiced again. */
export function removeDraft(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'deleted', from: ['draft'] }, async ({ trx, invoice, at }) => {
    await dropLines(trx, invoice.id, 'all')
    await lapseProposals(trx, { advertiser_invoice_id: invoice.id }, at)
    await updateInvoice(trx, invoice.id, { deleted_at: at })
  })
}

/** Writes what the lines of a draft come to. Throws `invalid_input` below zero. */
async function resum(trx: Trx, invoice: LockedInvoice): Promise<void> {
  const { amount } = await sumLive(trx, invoice.id, endOf(invoice.period_to, invoice.time_zone))
  const totals = totalsOf(invoice, toUnits(amount), await decimalsOf(trx, invoice.currency))
  if (toUnits(totals.net) < 0n) throw new AppError('invalid_input', { fields: { amount: 'The lines come to less than zero' } })
  await updateInvoice(trx, invoice.id, totals)
}

/** What an adjustment books when it is made (money.md 2, no. 32), or taken back. */
function adjustmentTransfer(
  { invoice, at, actor }: Change,
  { id, amount }: { id: number; amount: string },
  event: 'made' | 'void',
): Transfer {
  const units = event === 'void' ? -toUnits(amount) : toUnits(amount)
  return {
    key: `advertiser-adjustment:${id}${event === 'void' ? ':void' : ''}`,
    kind: event === 'void' ? 'advertiser_adjustment_void' : 'advertiser_adjustment',
    at,
    bookedAt: at,
    actorId: actor?.accountId ?? null,
    document: { advertiser_adjustment_id: id },
    entries: [entry(invoice, 'receivable', units), entry(invoice, 'network_revenue', -units)],
  }
}

async function askedOffers(db: Db, uuids: readonly string[]): Promise<number[]> {
  const asked = [...new Set(uuids)]
  const ids = await offerIdsOf(db, asked)
  if (ids.length < asked.length) throw new AppError('unknown_reference', { fields: { offer_uuids: 'One of these offers does not exist' } })
  return ids
}
