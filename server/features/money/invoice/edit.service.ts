import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { ISSUED, type invoiceInput } from '#contract/money/invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { enterOfficial } from '#server/features/money/document/official.service.ts'
import { givenSince, insertProposal } from '#server/features/money/second-person/proposed.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { givesTooMuch, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { refuseReversed } from './asked-period.ts'
import { updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { addLines, adjustmentTransfer, isNothing, lockAvailable, refreshLines, removeLines, totalsOf } from './lines.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { billingModeOf } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { foreignLines } from './note.queries.ts'
import { insertAdjustment } from './line.queries.ts'
import { roundedTo } from './posting.ts'
import { endOf } from '#server/rules/zone-day.ts'
import { stepWithin, takeStep, type Change } from './step.service.ts'

type Asked = { key: string; revision: number }
const UNISSUED = ['draft', 'waiting'] as const

/** Changes what an invoice says; of an issued one only the internal note. */
export function editInvoice(db: Db, now: number, actor: Actor, asked: Asked & { input: z.output<typeof invoiceInput> }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'edited', said: asked.input }, async ({ trx, invoice }) => {
    const { input } = asked
    if (ISSUED.includes(invoice.status) || invoice.status === 'declined') {
      const { internal_note } = input
      if (!saysTheSame(invoice, input)) throw new AppError('issued_is_final')
      await updateInvoice(trx, invoice.id, { internal_note })
      return
    }
    refuseReversed(input)
    const net = toUnits(invoice.net)
    const sums = totalsOf({ vat_category: input.vat_category, vat_rate: input.vat_rate }, net, await decimalsOf(trx, invoice.currency))
    // words move no money: of two people the second may thank in a note and approve
    const isWords = saysTheSame(invoice, { ...input, note: invoice.note })
    await updateInvoice(trx, invoice.id, { ...input, ...sums, ...(!isWords && { edited_by: actor.accountId }) })
  })
}

type Official = Parameters<typeof enterOfficial>[2]

/** Enters the number an e-invoicing system gave an issued invoice or a note of it, or takes it off. Its document stays: the copy says it. */
export function enterNumber(db: Db, now: number, actor: Actor, asked: Asked & Official): Promise<void> {
  const { official_number, note } = asked
  const step = { ...asked, event: 'official_number', from: ISSUED, said: { official_number, note } }
  return takeStep(db, now, actor, step, async ({ trx, invoice }) => {
    // a statement is no invoice: what the affiliate wrote itself has its own number
    if (invoice.mode !== 'self_billing') throw new AppError('status_not_allowed')
    return { event: 'official_number', reason: await enterOfficial(trx, { kind: 'invoice', subjectId: invoice.id }, asked) }
  })
}

/** Gives an invoice the VAT that was decided since; corrections of invoices with another rate leave it: they are for credit notes. */
export function takeVat(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return edited(db, now, actor, { ...asked, event: 'vat_taken' }, async ({ trx, invoice, at }) => {
    const { vat } = await billingModeOf(trx, invoice.affiliate_id)
    const sums = totalsOf(vat, toUnits(invoice.net), await decimalsOf(trx, invoice.currency))
    await updateInvoice(trx, invoice.id, { ...vat, ...sums })
    const foreign = await foreignLines(trx, invoice.id, vat)
    if (foreign.length > 0) await removeLines(trx, { ...invoice, ...vat }, foreign, { at, actorId: actor.accountId })
  })
}

/** Puts all on it that the affiliate may have by now, until the end of its period. */
export function addToInvoice(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return edited(db, now, actor, { ...asked, event: 'lines_added' }, async ({ trx, invoice, at }) => {
    const until = endOf(invoice.period_to, invoice.time_zone)
    const months = { endedBy: new Date(Math.min(until.getTime(), now)), zone: invoice.time_zone }
    const of = { affiliateId: invoice.affiliate_id, currency: invoice.currency }
    const available = await lockAvailable(trx, { ...of, until, adjusted: until, months })
    if (isNothing(available)) throw new AppError('nothing_to_invoice')
    await addLines(trx, invoice, available, { at, actorId: actor.accountId })
  })
}

/** Takes lines off: conversions are open again, bonuses and corrections end. */
export function takeOffInvoice(db: Db, now: number, actor: Actor, asked: Asked & { lines: readonly number[] }): Promise<void> {
  return edited(db, now, actor, { ...asked, event: 'lines_removed', said: { lines: asked.lines } }, ({ trx, invoice, at }) =>
    removeLines(trx, invoice, asked.lines, { at, actorId: actor.accountId }),
  )
}

/** Gives all lines the present amounts of their conversions. */
export function refreshInvoice(db: Db, now: number, actor: Actor, asked: Asked): Promise<void> {
  return edited(db, now, actor, { ...asked, event: 'refreshed' }, ({ trx, invoice, at }) =>
    refreshLines(trx, invoice, { at, actorId: actor.accountId }),
  )
}

type Adjusted = { kind: 'bonus' | 'correction'; amount: string; note: string }

/**
 * Adds a bonus, or a correction up or down: it is booked and stands on the invoice at once. Above the limit of four eyes, with what the
 * same person alone gave this affiliate within a day, it is only proposed: a second person confirms it.
 */
export function adjustInvoice(db: Db, now: number, actor: Actor, asked: Asked & Adjusted): Promise<void> {
  const { kind, amount: typed, note } = asked
  const step = { ...asked, event: 'adjusted', reason: note, from: UNISSUED, said: { kind, amount: typed, note } }
  return takeStep(db, now, actor, step, async (change) => {
    const { trx, invoice, at } = change
    const units = toUnits(typed)
    const refuse = (text: string) => {
      throw new AppError('invalid_input', { fields: { amount: text } })
    }
    if (units === 0n || (kind === 'bonus' && units < 0n)) refuse('More than zero')
    if (roundedTo(await decimalsOf(trx, invoice.currency), units) !== units) refuse('More decimals than this currency has')
    const adjusted = { kind, amount: fromUnits(units), note }
    if (await takesTwo(change, units)) {
      const about = { invoice_id: invoice.id, currency: invoice.currency, ...adjusted }
      await insertProposal(trx, { ...about, made_by: actor.accountId, created_at: at })
      return { event: 'adjustment_proposed' }
    }
    await bookAdjustment(change, actor.accountId, adjusted)
    await updateInvoice(trx, invoice.id, { edited_by: actor.accountId })
    return undefined
  })
}

/**
 * Books a proposed bonus or correction on its locked invoice. Two people have agreed on it, so it is nobody's edit: of two people, each may
 * still approve what the other made. Throws `status_not_allowed` where the invoice can no longer be edited. Answers the adjustment.
 */
export async function confirmAdjustment(change: Change, proposed: Adjusted & { made_by: number }): Promise<number> {
  const { trx, invoice, at, actor } = change
  if (invoice.deleted_at !== null || !UNISSUED.some((status) => status === invoice.status)) throw new AppError('status_not_allowed')
  let id = 0
  await stepWithin(trx, at.getTime(), actor, invoice, { event: 'adjusted', reason: proposed.note }, async () => {
    id = await bookAdjustment(change, proposed.made_by, proposed)
  })
  return id
}

async function bookAdjustment({ trx, invoice, at, actor }: Change, madeBy: number, { kind, amount, note }: Adjusted): Promise<number> {
  const { affiliate_id, currency } = invoice
  const { id } = await insertAdjustment(trx, { affiliate_id, currency, kind, amount, note, made_by: madeBy, at, created_at: at })
  const step = { at, actorId: actor.accountId }
  await post(trx, [adjustmentTransfer(invoice, { id, kind, purpose: 'given', amount }, step)])
  await addLines(trx, invoice, { conversions: [], changed: [], adjustments: [{ id, kind, amount }], referrals: [] }, step)
  return id
}

const DAY = 86_400_000

/** Small ones one after the other are not below the limit either, in whichever currencies. */
async function takesTwo({ trx, invoice, at, actor }: Change, units: bigint): Promise<boolean> {
  const { affiliate_id: affiliateId, currency } = invoice
  const { accountId: actorId } = actor
  await lockAlone(trx, actorId)
  const besides = await givenSince(trx, { affiliateId, actorId, since: new Date(at.getTime() - DAY) })
  const amount = fromUnits(units < 0n ? -units : units)
  return givesTooMuch(trx, at, actorId, { amount, currency, besides })
}

function edited(
  db: Db,
  now: number,
  actor: Actor,
  asked: Asked & { event: string; said?: object },
  work: (change: Change) => Promise<void>,
): Promise<void> {
  return takeStep(db, now, actor, { ...asked, from: UNISSUED }, async (change) => {
    await work(change)
    await updateInvoice(change.trx, change.invoice.id, { edited_by: actor.accountId })
  })
}

function saysTheSame(days: LockedInvoice, input: z.output<typeof invoiceInput>): boolean {
  return (
    days.period_from === input.period_from &&
    days.period_to === input.period_to &&
    days.due_day === input.due_day &&
    days.payment_system === input.payment_system &&
    days.vat_category === input.vat_category &&
    toUnits(days.vat_rate) === toUnits(input.vat_rate) &&
    days.note === input.note
  )
}
