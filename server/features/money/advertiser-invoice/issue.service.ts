import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { ADVERTISER_INVOICE_STATUSES, type AdvertiserInvoiceStatus, type CREDIT_NOTE_KINDS } from '#contract/money/advertiser-invoice.ts'
import type { Actor } from '#server/access/actor.ts'
import { keepInvoice, keepNote } from '#server/features/money/document/advertiser-document.service.ts'
import { enterOfficial } from '#server/features/money/document/official.service.ts'
import { givesTooMuch, letOffToday, lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { needsFourEyes, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { noteSums } from '#server/features/money/invoice/note-sums.ts'
import { takeNumber } from '#server/features/money/series/series.service.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { balanceOf } from '#server/features/money/invoice/money.queries.ts'
import { post, type Entry, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { hasOpenProposal, insertProposal } from '#server/features/money/second-person/proposed.queries.ts'
import { endOf } from '#server/rules/zone-day.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { creditedSums, insertCreditNote, letOffBy, partyOf, updateInvoice, type LockedInvoice } from './advertiser-invoice.queries.ts'
import {
  billLines,
  changedSums,
  creditAll,
  creditChanged,
  hasForeignLines,
  lockConversions,
  recomputeLines,
  sumLive,
} from './billable.queries.ts'
import { insertOffset } from './prepaid.queries.ts'
import { logStep, sumsOf, takeStep, type Change } from './step.service.ts'
import { entry, freePaid, min, writeSums } from './sums.service.ts'
import { missingOfCompany, refuseMissing } from '#server/features/money/tax-profile/missing.ts'
import { isSameVat, vatWords } from '#server/features/money/tax-profile/tax-profile.service.ts'
import { companySetting } from '#contract/money/document.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { missingFrom, totalsOf } from './vat.ts'

type Asked = { key: string; revision: number }

/**
 * Gives a draft its number. It is computed anew with its conversions locked, and refused (`lines_changed`) where it no longer comes to
 * the net that was seen; what was paid in advance is used. Whose discounts on it are above the limit of four eyes lets somebody else issue
 * it (`four_eyes`). `actor` null: the end of a period, by the advertiser's terms.
 */
export function issueInvoice(db: Db, now: number, actor: Actor | null, asked: Asked & { net: string }): Promise<void> {
  return takeStep(db, now, actor, { ...asked, event: 'issued', from: ['draft'], said: { net: asked.net } }, async (change) => {
    const { trx, invoice, at } = change
    if (actor !== null) await refuseOwnDiscount(change, actor.accountId)
    // what somebody proposed would never stand on it
    if (await hasOpenProposal(trx, { advertiser_invoice_id: invoice.id })) throw new AppError('proposal_open')
    const { company, name, ...terms } = await partyOf(trx, invoice.advertiser_id)
    refuseMissing(company.name || name, missingFrom(company, invoice))
    const own = await getSetting(trx, companySetting)
    refuseMissing(own.name || (await getGeneralSettings(trx)).partner_title, missingOfCompany(own, invoice.vat_category), 'company.')
    const vat = { vat_category: terms.vat_category ?? ('O' as const), vat_rate: terms.vat_rate ?? '0' }
    if (!isSameVat(invoice, vat) || (await hasForeignLines(trx, invoice.id, vat)))
      throw new AppError('vat_changed', { values: { now: vatWords(vat) } })
    await lockConversions(trx, invoice.id)
    const until = endOf(invoice.period_to, invoice.time_zone)
    await recomputeLines(trx, invoice.id, until)
    const { lines, amount } = await sumLive(trx, invoice.id, until)
    const exact = toUnits(amount)
    const totals = totalsOf(invoice, exact, await decimalsOf(trx, invoice.currency))
    if (toUnits(totals.net) !== toUnits(asked.net)) throw new AppError('lines_changed')
    if (lines === 0 || toUnits(totals.net) <= 0n) throw new AppError('nothing_to_invoice')
    await billLines(trx, invoice.id, until)
    const total = toUnits(totals.total)
    const { amount: offset, transfers: used } = await usePrepaid(change, total)
    await updateInvoice(trx, invoice.id, {
      ...totals,
      ...(await takeNumber(trx, at, 'INV')),
      open: fromUnits(total),
      billed_to: JSON.stringify(company),
      issued_at: at,
      status: 'issued',
    })
    const sums = { open: total - offset, received: 0n, offset_prepaid: offset, credited: 0n, written_off: 0n }
    const status = await writeSums({ ...change, invoice: { ...invoice, paid_at: null } }, sums)
    const { currency } = invoice
    await post(trx, [
      of(change, `advertiser-invoice:${invoice.id}:issue`, 'advertiser_invoice', [
        entry(invoice, 'advertiser_invoiced', total),
        entry(invoice, 'receivable', -exact),
        { kind: 'vat_output', owner: 0, currency, amount: -toUnits(totals.vat) },
        { kind: 'rounding', owner: 0, currency, amount: exact - toUnits(totals.net) },
      ]),
      ...used,
    ])
    await keepInvoice(trx, at.getTime(), invoice.id)
    return status
  })
}

/**
 * Takes back all that is left of an invoice, or what its conversions have become since, by a credit note with a number of its own. What
 * is above the open amount was given up, or paid: then it is paid in advance from here on. Changes that come to more than the invoice make
 * a note that adds: so much more is open then, and what is paid in advance is used, as at issue. Changes of more than is left are taken as
 * far as it goes; the rest is for the next invoice.
 */
export function creditInvoice(
  db: Db,
  now: number,
  actor: Actor,
  asked: Asked & { kind: (typeof CREDIT_NOTE_KINDS)[number]; reason: string },
): Promise<void> {
  const step = { ...asked, event: 'credited', from: CREDITED_FROM[asked.kind], said: { kind: asked.kind, reason: asked.reason } }
  return takeStep(db, now, actor, step, async (change) => {
    const { trx, invoice, at } = change
    const before = await creditedSums(trx, invoice.id)
    const left = { net: toUnits(invoice.net) - toUnits(before.net), vat: toUnits(invoice.vat) - toUnits(before.vat) }
    const decimals = await decimalsOf(trx, invoice.currency)
    await lockConversions(trx, invoice.id)
    if (asked.kind === 'changed') {
      const { exact: stands, taken } = await changedSums(trx, invoice.id)
      const note = noteSums(invoice, left, toUnits(stands) - toUnits(taken), decimals)
      if (toUnits(taken) === 0n || note.net === 0n) throw new AppError('nothing_to_credit')
      Object.assign(left, { net: note.net, vat: note.vat })
    }
    const total = left.net + left.vat
    if (asked.kind === 'whole' && total <= 0n) throw new AppError('nothing_to_credit')
    const sums_ = { net: fromUnits(left.net), vat: fromUnits(left.vat), total: fromUnits(total) }
    const kept = { invoice_id: invoice.id, kind: asked.kind, reason: asked.reason, made_by: actor.accountId, created_at: at }
    const note = await insertCreditNote(trx, { ...kept, ...sums_, ...(await takeNumber(trx, at, 'CN')) })
    const exact = toUnits(await (asked.kind === 'whole' ? creditAll : creditChanged)(trx, invoice.id, note.id))
    const sums = sumsOf(invoice)
    const above = total > sums.open ? total - sums.open : 0n
    // what was given up is no loss any more
    const forgiven = min(above, sums.written_off)
    const excess = above - forgiven
    const freed = await freePaid(change, sums, excess)
    const open = sums.open - (total - above)
    const used = total < 0n ? await usePrepaid(change, open) : { amount: 0n, transfers: [] }
    const status = await writeSums(change, {
      ...freed.sums,
      open: open - used.amount,
      offset_prepaid: freed.sums.offset_prepaid + used.amount,
      written_off: sums.written_off - forgiven,
      credited: sums.credited + total,
    })
    const { currency } = invoice
    await post(trx, [
      ...freed.fees,
      of(change, `advertiser-credit-note:${note.id}:issue`, 'advertiser_credit_note', [
        entry(invoice, 'receivable', exact),
        { kind: 'vat_output', owner: 0, currency, amount: left.vat },
        { kind: 'rounding', owner: 0, currency, amount: left.net - exact },
        entry(invoice, 'advertiser_invoiced', -(total - above) - freed.notArrived),
        entry(invoice, 'advertiser_write_off', -forgiven),
        entry(invoice, 'advertiser_prepaid', freed.notArrived - excess),
      ]),
      ...used.transfers,
    ])
    await keepNote(trx, at.getTime(), note.uuid)
    return status
  })
}

type Official = Parameters<typeof enterOfficial>[2]

/** Enters the number an e-invoicing system gave an issued invoice or a note of it, or takes it off. Its document stays: the copy says it. */
export function enterNumber(db: Db, now: number, actor: Actor, asked: Asked & Official): Promise<void> {
  const from = ADVERTISER_INVOICE_STATUSES.filter((status) => status !== 'draft')
  const { official_number, note } = asked
  const step = { ...asked, event: 'official_number', from, said: { official_number, note } }
  return takeStep(db, now, actor, step, async ({ trx, invoice }) => ({
    event: 'official_number',
    reason: await enterOfficial(trx, { kind: 'advertiser_invoice', subjectId: invoice.id }, asked),
  }))
}

/** Whether giving up what is open of an invoice is only proposed: with all the same person let off its advertiser, or everybody, within a day. */
export async function writeOffTakesTwo(
  { trx, invoice, at }: Pick<Change, 'trx' | 'at'> & { invoice: Pick<LockedInvoice, 'advertiser_id' | 'currency' | 'open'> },
  { accountId: actorId }: Pick<Actor, 'accountId'>,
): Promise<boolean> {
  const { advertiser_id: advertiserId, currency, open: amount } = invoice
  const besides = await letOffToday(trx, at, actorId, advertiserId)
  return givesTooMuch(trx, at, actorId, { amount, currency, besides })
}

/**
 * Gives up what is open of an invoice. Above the limit of four eyes it is only proposed: a second person confirms it. Throws
 * `proposal_open` where one waits already.
 */
export function writeOffInvoice(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<void> {
  const step = { ...asked, event: 'written_off', from: WRITTEN_OFF_FROM, said: { reason: asked.reason } }
  return takeStep(db, now, actor, step, async (change) => {
    const { trx, invoice, at } = change
    const { currency, open: amount } = invoice
    if (await hasOpenProposal(trx, { advertiser_invoice_id: invoice.id })) throw new AppError('proposal_open')
    await lockAlone(trx, actor.accountId)
    if (await writeOffTakesTwo(change, actor)) {
      const about = { advertiser_invoice_id: invoice.id, kind: 'write_off' as const, currency, amount }
      await insertProposal(trx, { ...about, note: asked.reason, made_by: actor.accountId, created_at: at })
      return { event: 'write_off_proposed' }
    }
    return bookWriteOff(change, asked.reason)
  })
}

/**
 * Books a proposed write-off, whose invoice is locked: what is open by now, at most what was proposed. Throws `invoice_changed` where more
 * is open, `status_not_allowed` where nothing is.
 */
export async function confirmWriteOff(change: Change, proposed: { amount: string; note: string }): Promise<void> {
  const { invoice } = change
  if (!WRITTEN_OFF_FROM.includes(invoice.status)) throw new AppError('status_not_allowed')
  if (toUnits(invoice.open) > toUnits(proposed.amount)) throw new AppError('invoice_changed')
  const status = await bookWriteOff(change, proposed.note)
  await logStep(change, { status, event: 'written_off', reason: proposed.note })
}

/** What is left of one that was credited or given up may still change; it is not ended as a whole. */
const CREDITED_FROM: Record<(typeof CREDIT_NOTE_KINDS)[number], readonly AdvertiserInvoiceStatus[]> = {
  whole: ['issued', 'partly_paid', 'paid'],
  changed: ['issued', 'partly_paid', 'paid', 'credited', 'written_off'],
}

/** Uses what was paid in advance, as much as is `open` at most (no. 27). */
async function usePrepaid(change: Change, open: bigint): Promise<{ amount: bigint; transfers: Transfer[] }> {
  const { trx, invoice, at } = change
  const amount = min(-toUnits(await balanceOf(trx, 'advertiser_prepaid', invoice.advertiser_id, invoice.currency)), open)
  if (amount <= 0n) return { amount: 0n, transfers: [] }
  const id = await insertOffset(trx, invoice.id, fromUnits(amount), at)
  const entries = [entry(invoice, 'advertiser_prepaid', amount), entry(invoice, 'advertiser_invoiced', -amount)]
  return { amount, transfers: [of(change, `advertiser-invoice:${invoice.id}:offset:${id}`, 'advertiser_offset', entries)] }
}

async function refuseOwnDiscount({ trx, invoice, at }: Change, actorId: number): Promise<void> {
  const amount = await letOffBy(trx, invoice.id, actorId)
  if (toUnits(amount) === 0n) return
  const asked = { amount, currency: invoice.currency, permission: 'billing.approve', actorId } as const
  if (await needsFourEyes(trx, at.getTime(), asked)) await refuseAlone(trx, at.getTime(), asked)
}

const WRITTEN_OFF_FROM: readonly AdvertiserInvoiceStatus[] = ['issued', 'partly_paid']

async function bookWriteOff(change: Change, reason: string): Promise<AdvertiserInvoiceStatus> {
  const { trx, invoice } = change
  const sums = sumsOf(invoice)
  await updateInvoice(trx, invoice.id, { reason })
  const status = await writeSums(change, { ...sums, open: 0n, written_off: sums.written_off + sums.open })
  await post(trx, [
    of(change, `advertiser-invoice:${invoice.id}:write-off:${invoice.revision}`, 'advertiser_write_off', [
      entry(invoice, 'advertiser_write_off', sums.open),
      entry(invoice, 'advertiser_invoiced', -sums.open),
    ]),
  ])
  return status
}

function of({ invoice, at, actor }: Change, key: string, kind: Transfer['kind'], entries: Entry[]): Transfer {
  return { key, kind, at, bookedAt: at, actorId: actor?.accountId ?? null, document: { advertiser_invoice_id: invoice.id }, entries }
}
