import { endOf, startOf } from '#server/rules/zone-day.ts'
import type { AdjustmentKind } from '#contract/money/adjustment.ts'
import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { keptExchange } from '#server/features/money/currency/exchange.ts'
import { readExchange } from '#server/features/money/currency/exchange.service.ts'
import { usualSystem } from '#server/features/money/invoice/available.queries.ts'
import { insertAdjustment } from '#server/features/money/invoice/line.queries.ts'
import { adjustmentTransfer } from '#server/features/money/invoice/lines.service.ts'
import { insertPayment, isBooked, listSources } from '#server/features/money/invoice/payment.queries.ts'
import { sentTransfer, settledTransfers } from '#server/features/money/invoice/posting.ts'
import { ofPayment } from '#server/features/money/invoice/sums.service.ts'
import { written } from '#server/features/money/invoice/tell.service.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import { refuseUnpayable } from '#server/features/money/payment/payable.service.ts'
import { methodFor } from '#server/features/money/terms/terms.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { tellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockAvailableBalance } from '#server/features/money/ledger/available.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import type { GivenAsked } from '#server/rules/proposal-asked.ts'

/** What is booked for an affiliate without an invoice; the caller holds all about its invoices in this currency. */
export type Given = {
  key: string
  affiliateId: number
  currency: Currency
  kind: AdjustmentKind | 'prepayment'
  /** Of what is forfeited below zero. */
  amount: string
  note: string
  /** Who asked for it. */
  madeBy: number
  asked: GivenAsked
}
type Step = { trx: Trx; at: Date; actor: Actor; secretKey: string | null }

/** Books it, once for its key, logs it, and tells the affiliate. Answers the adjustment; undefined of a payment in advance. */
export async function bookGiven(step: Step, given: Given): Promise<number | undefined> {
  const { trx, at, actor } = step
  const id = given.kind === 'prepayment' ? await bookPrepayment(step, given) : await bookAdjustment(step, { ...given, kind: given.kind })
  const { kind, amount, currency, note, affiliateId, asked } = given
  await recordAudit(trx, actor, at.getTime(), {
    action: kind === 'prepayment' ? 'prepayment_booked' : 'adjustment_booked',
    entity: 'affiliate',
    entityId: affiliateId,
    after: { kind, amount, currency, day: asked.day, note },
  })
  await tellGiven(trx, at, given, `${kind === 'prepayment' ? 'payment' : 'adjustment'} ${id}`)
  return kind === 'prepayment' ? undefined : id
}

/** Tells the affiliate, in the words meant for it. */
export async function tellGiven(
  trx: Trx,
  at: Date,
  { kind, amount, currency, note, affiliateId }: Pick<Given, 'amount' | 'currency' | 'note' | 'affiliateId'> & { kind: string },
  once: string,
): Promise<void> {
  const reason = [await written(trx, amount, currency), note].filter(Boolean).join(' · ')
  await tellAffiliates(trx, at.getTime(), [{ kind: 'balance_changed', affiliateId, status: kind, reason, once }])
}

async function bookAdjustment({ trx, at, actor }: Step, given: Given & { kind: AdjustmentKind }): Promise<number> {
  const { affiliateId: affiliate_id, currency, kind, amount, asked } = given
  // it may have become less since somebody proposed it
  const there = await leftToEnd(trx, given)
  if (there !== null) throw new AppError('more_than_there', { values: { there: await written(trx, fromUnits(there), currency) } })
  const purpose = kind === 'bonus' || kind === 'correction' ? 'given' : kind
  const account = kind === 'bonus' ? 'bonus' : 'correction'
  const begins = await beginningOf(trx, asked.day, at)
  const { id } = await insertAdjustment(trx, {
    key: given.key,
    affiliate_id,
    currency,
    kind: account,
    purpose,
    amount,
    note: given.note,
    internal_note: asked.internal_note,
    asked: asked.digest ?? null,
    at: begins,
    made_by: given.madeBy,
    created_at: at,
  })
  const transfer = adjustmentTransfer({ affiliate_id, currency }, { id, kind: account, purpose, amount }, { at, actorId: actor.accountId })
  await post(trx, [{ ...transfer, at: begins }])
  return id
}

/** How much there is, where somebody would give up more than is owed, or let more forfeit than is there; null where that is no question. */
async function leftToEnd(trx: Trx, { affiliateId, currency, kind, amount }: Given): Promise<bigint | null> {
  if (kind !== 'given_up' && kind !== 'forfeited') return null
  const available = toUnits(await lockAvailableBalance(trx, { affiliate_id: affiliateId, currency }))
  // what is forfeited is below zero, and so is what is available of a debt
  const [units, signed] = kind === 'given_up' ? [toUnits(amount), -available] : [-toUnits(amount), available]
  const there = signed > 0n ? signed : 0n
  return units > there ? there : null
}

/** Refuses that of what is asked for, booked at once or proposed. Throws `invalid_input`. */
export async function refuseMore(trx: Trx, given: Given): Promise<void> {
  if ((await leftToEnd(trx, given)) === null) return
  const text = given.kind === 'given_up' ? 'This is more than the affiliate owes' : 'This is more than the affiliate has available'
  throw new AppError('invalid_input', { fields: { amount: text } })
}

async function bookPrepayment({ trx, at, actor, secretKey }: Step, given: Given): Promise<number> {
  const { affiliateId, currency, asked } = given
  const refuse = (field: string, text: string) => {
    throw new AppError('invalid_input', { fields: { [field]: text } })
  }
  const { source_id, external_id, moved } = asked.payment ?? { source_id: 0, external_id: '', moved: null }
  if (!(await listSources(trx)).some(({ id }) => id === source_id)) refuse('source_id', 'Choose where it was paid from')
  if (external_id !== '' && (await isBooked(trx, source_id, external_id)))
    refuse('external_id', 'A payment with this number is booked already')
  const system = (await methodFor(trx, affiliateId, currency))?.system.code ?? (await usualSystem(trx, affiliateId))
  await refuseUnpayable(trx, { secretKey, now: at.getTime() }, { affiliateId, system, currency })
  const amount = toUnits(given.amount)
  // who asked for it was sure, and who confirmed it saw it
  const sure = moved && { ...moved, sure: true }
  const by = await readExchange(trx, { amount, currency, sourceId: source_id, day: asked.day, moved: sure })
  const { id } = await insertPayment(trx, {
    key: given.key,
    affiliate_id: affiliateId,
    invoice_id: null,
    source_id,
    currency,
    amount: fromUnits(amount),
    on_invoice: '0.0000',
    state: 'settled',
    day: asked.day,
    external_id,
    note: given.note,
    internal_note: asked.internal_note,
    asked: asked.digest ?? null,
    made_by: given.madeBy,
    created_at: at,
    settled_at: at,
    ...keptExchange(by, fromUnits),
  })
  const whose = { affiliate_id: affiliateId, currency }
  await post(trx, [
    sentTransfer(whose, ofPayment({ at, actor }, id, 'sent'), { onInvoice: 0n, inAdvance: amount }),
    ...settledTransfers(whose, ofPayment({ at, actor }, id, 'settled'), { amount, sourceId: source_id, by }),
  ])
  return id
}

/** When a day begins in the zone of the network; today: now. */
async function beginningOf(trx: Trx, day: string, at: Date): Promise<Date> {
  const { time_zone } = await getGeneralSettings(trx)
  return endOf(day, time_zone) > at ? at : startOf(day, time_zone)
}
