import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import type { Receipt, receiptApi } from '#contract/money/receipt.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { entry, shortTransfer, takeBackOffsets } from '#server/features/money/advertiser-invoice/sums.service.ts'
import { lockAlone } from '#server/features/money/second-person/alone.service.ts'
import { isSameHand, needsFourEyes, refuseAlone } from '#server/features/money/second-person/four-eyes.service.ts'
import { balanceOf } from '#server/features/money/invoice/money.queries.ts'
import { exchangeOf, type Exchanged } from '#server/features/money/currency/exchange.ts'
import { exchangeEntries, landing } from '#server/features/money/ledger/exchange-entries.ts'
import { beyondRate, readExchange } from '#server/features/money/currency/exchange.service.ts'
import { openWorth } from '#server/features/money/currency/worth.queries.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { changeReceipt, numberOf, ofReceipt, refuseAmount } from './change.service.ts'
import { isForThese, payParts, releaseParts } from './part.service.ts'
import { getReceipt, isMore, listOpen, listReceipts, paidBackAlone, updateReceipt, type LockedReceipt } from './receipt.queries.ts'
import { inAdvance, presentReceipt } from './receipt.present.ts'
import { oldestFirst, tolerated } from './short.service.ts'

type Body<Name extends 'payBack' | 'propose' | 'list'> = z.output<(typeof receiptApi)[Name]['body']>
type Asked = { uuid: string; revision: number }
const DAY = 86_400_000

export async function showReceipts(db: Db, now: number, filters: Body<'list'>): Promise<CallOutput<typeof receiptApi.list>> {
  const worth = await openWorth(db, now)
  const { rows, list, amounts } = await listReceipts(db, filters, worth)
  const sums = amounts.map(({ currency, amount }) => ({ currency, amount: addAmounts(amount) }))
  return { list: list.map(presentReceipt), summary: { rows, totals: { amounts: sums, ranking: worth.ranking(sums) } } }
}

/** What an amount would pay, the oldest invoice first. Throws `unknown_reference`. */
export async function proposeParts(db: Db, asked: Body<'propose'>): Promise<CallOutput<typeof receiptApi.propose>> {
  const whose = { advertiser_id: await numberOf(db, asked.advertiser_uuid), currency: asked.currency }
  const open = await listOpen(db, whose, { amount: asked.amount, also: asked.invoice_uuids })
  const proposed = oldestFirst(open, toUnits(asked.amount))
  const list = open.map((one) => ({
    invoice_uuid: one.uuid,
    number: one.number,
    due_day: one.due_day,
    open: addAmounts(one.open, one.written_off),
    written_off: toUnits(one.open) === 0n,
    amount: fromUnits(proposed.get(one.uuid) ?? 0n),
  }))
  const short = await tolerated(db, open, proposed)
  return { list, more: isMore(open), short: short === null ? null : fromUnits(short) }
}

/** Says anew which invoices a receipt is for. What it recovered of given up ones stays; a fee, which never arrived, is none any more where it is for others. */
export function allotReceipt(
  db: Db,
  now: number,
  actor: Actor,
  asked: Asked & { parts: readonly { invoice_uuid: string; amount: string }[] },
): Promise<Receipt> {
  return changeReceipt(db, now, actor, { ...asked, action: 'allot', said: { parts: asked.parts } }, async (change) => {
    const { trx, receipt, at } = change
    const short = toUnits(receipt.short)
    if (short > 0n && (await isForThese(trx, receipt, asked.parts))) return
    const released = await releaseParts(change, receipt.id, { recovered: false })
    const arrived = toUnits(receipt.amount) - short
    await updateReceipt(trx, receipt.id, { amount: fromUnits(arrived), short: fromUnits(0n) })
    const paid = await payParts(change, receipt, asked.parts, arrived - toUnits(receipt.paid_back) - released.recovered)
    const prepaid = released.paid - short - paid.paid - paid.recovered
    // another invoice has used what was paid in advance
    if (-toUnits(await balanceOf(trx, 'advertiser_prepaid', receipt.advertiser_id, receipt.currency)) + prepaid < 0n)
      throw new AppError('invalid_input', { fields: { parts: 'What was paid in advance is used by other invoices' } })
    await post(trx, [
      shortTransfer(change, receipt, `short:back:${receipt.revision + 1}`, -short),
      ofReceipt(receipt, at, actor, `receipt:${receipt.id}:parts:${receipt.revision}`, 'receipt_allotted', [
        entry(receipt, 'advertiser_invoiced', released.paid - short - paid.paid),
        entry(receipt, 'advertiser_write_off', -paid.recovered),
        entry(receipt, 'advertiser_prepaid', -prepaid),
      ]),
    ])
  })
}

/** Pays back what of a receipt was paid in advance and no invoice uses; once. */
export function payBackReceipt(
  db: Db,
  now: number,
  actor: Actor,
  asked: Asked & { amount: string; moved: Body<'payBack'>['moved'] },
): Promise<Receipt> {
  return changeReceipt(
    db,
    now,
    actor,
    { ...asked, action: 'pay_back', said: { amount: asked.amount, moved: asked.moved } },
    async ({ trx, receipt, at }) => {
      if (toUnits(receipt.paid_back) > 0n) throw new AppError('status_not_allowed')
      const amount = toUnits(asked.amount)
      await refuseAmount(trx, receipt.currency, amount)
      const row = await getReceipt(trx, receipt.uuid)
      const free = row === undefined ? 0n : toUnits(inAdvance(row))
      const prepaid = -toUnits(await balanceOf(trx, 'advertiser_prepaid', receipt.advertiser_id, receipt.currency))
      if (amount > free || amount > prepaid)
        throw new AppError('invalid_input', { fields: { amount: 'This is more than is left of what was paid in advance' } })
      const day = dayIn(now, (await getGeneralSettings(trx)).time_zone)
      if (receipt.moved_currency === null && asked.moved !== null)
        throw new AppError('invalid_input', { fields: { moved: 'It was received in its own currency and is paid back in it' } })
      const { currency, source_id: sourceId } = receipt
      if (receipt.moved_currency !== null && asked.moved?.currency !== receipt.moved_currency)
        throw new AppError('invalid_input', { fields: { moved: 'Say what leaves the account, in the currency it was received in' } })
      const by = receipt.moved_currency === null ? null : await readExchange(trx, { amount, currency, sourceId, day, moved: asked.moved })
      await refuseBackAlone(trx, now, receipt, { actorId: actor.accountId, amount, by })
      await updateReceipt(trx, receipt.id, {
        paid_back: fromUnits(amount),
        back_by: actor.accountId,
        back_at: at,
        ...(by !== null && { back_moved: fromUnits(by.moved), back_expected: fromUnits(by.expected) }),
      })
      await post(trx, [
        ofReceipt(receipt, at, actor, `receipt:${receipt.id}:back`, 'receipt_paid_back', [
          entry(receipt, 'advertiser_prepaid', amount),
          landing(sourceId, currency, -amount, by),
        ]),
        ofReceipt(
          receipt,
          at,
          actor,
          `receipt:${receipt.id}:back:from`,
          'receipt_exchanged',
          by === null ? [] : exchangeEntries(sourceId, by, -1n),
        ),
      ])
    },
  )
}

/**
 * Who says that it came in does not send it out again alone, nor says alone that the bank took it back, nor does anybody alone send much more than the rate of the day makes of it:
 * however many receipts it takes within a day, of whichever advertisers.
 */
async function refuseBackAlone(
  trx: Trx,
  now: number,
  { made_by, currency }: LockedReceipt,
  { actorId, amount, by }: { actorId: number; amount: bigint; by: Exchanged | null },
): Promise<void> {
  const isOwn = await isSameHand(trx, now, [made_by], { permission: 'billing.pay', actorId })
  const alone = (isOwn ? amount : 0n) + beyondRate(amount, by)
  if (alone === 0n) return
  // of two that one person pays back at once the second counts the first
  await lockAlone(trx, actorId)
  const besides = await paidBackAlone(trx, { actorId, since: new Date(now - DAY) })
  const asked = { amount: fromUnits(alone), currency, permission: 'billing.pay', actorId, besides } as const
  if (await needsFourEyes(trx, now, asked)) await refuseAlone(trx, now, asked, [actorId, made_by])
}

/** Says that the bank took a receipt back: its invoices are open again, and where later ones used what it paid in advance, the latest of them first. */
export function bounceReceipt(db: Db, now: number, actor: Actor, asked: Asked & { reason: string }): Promise<Receipt> {
  return changeReceipt(db, now, actor, { ...asked, action: 'bounce', said: { reason: asked.reason } }, async (change) => {
    const { trx, receipt, at } = change
    if (toUnits(receipt.paid_back) > 0n) throw new AppError('status_not_allowed')
    await refuseBackAlone(trx, now, receipt, { actorId: actor.accountId, amount: toUnits(receipt.amount), by: null })
    const released = await releaseParts(change, receipt.id, { recovered: true })
    const amount = toUnits(receipt.amount)
    const [short, by] = [toUnits(receipt.short), exchangeOf(receipt, toUnits)]
    const advance = amount - released.paid - released.recovered
    const prepaid = -toUnits(await balanceOf(trx, 'advertiser_prepaid', receipt.advertiser_id, receipt.currency))
    const back = await takeBackOffsets({ trx, at, actor }, receipt, advance - prepaid)
    await updateReceipt(trx, receipt.id, { state: 'bounced', reason: asked.reason, ended_at: at, ended_by: actor.accountId })
    await post(trx, [
      ...back,
      ofReceipt(receipt, at, actor, `receipt:${receipt.id}:bounced`, 'receipt_bounced', [
        entry(receipt, 'advertiser_invoiced', released.paid),
        entry(receipt, 'advertiser_write_off', released.recovered),
        entry(receipt, 'advertiser_prepaid', advance),
        landing(receipt.source_id, receipt.currency, short - amount, by),
        { kind: 'bank_fee', owner: receipt.source_id, currency: receipt.currency, amount: -short },
      ]),
      ofReceipt(
        receipt,
        at,
        actor,
        `receipt:${receipt.id}:bounced:from`,
        'receipt_exchanged',
        by === null ? [] : exchangeEntries(receipt.source_id, by, -1n),
      ),
    ])
  })
}
