import type { z } from 'zod'
import { fromUnits, toUnits, type Currency } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { receiptApi } from '#contract/money/receipt.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockReceivables } from '#server/features/money/advertiser-invoice/step.service.ts'
import { entry, shortTransfer } from '#server/features/money/advertiser-invoice/sums.service.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { keptExchange, type Exchanged } from '#server/features/money/currency/exchange.ts'
import { exchangeEntries, landing } from '#server/features/money/ledger/exchange-entries.ts'
import { readExchange } from '#server/features/money/currency/exchange.service.ts'
import { lockAlone, TIMES } from '#server/features/money/second-person/alone.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { needsFourEyes } from '#server/features/money/second-person/four-eyes.service.ts'
import { listSources } from '#server/features/money/invoice/payment.queries.ts'
import { post, type Entry } from '#server/features/money/ledger/posting.service.ts'
import { refuseAhead } from '#server/features/money/payment/day.service.ts'
import { insertProposal, proposalByKey } from '#server/features/money/second-person/proposed.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import type { ReceiptAsked } from '#server/rules/proposal-asked.ts'
import { numberOf, ofReceipt, refuseAmount, showReceipt } from './change.service.ts'
import { payParts, readParts, refuseOvertaken, type Paid } from './part.service.ts'
import { insertReceipt, isBooked, listOpen, lockReceipt, receiptOfKey, receivedAlone, type LockedReceipt } from './receipt.queries.ts'
import { partsOfProposal, shortOf, withShort } from './short.service.ts'

type Body = z.output<typeof receiptApi.book.body>
type Whose = { advertiser_id: number; currency: Currency }
type Step = { trx: Trx; at: Date; actor: Actor }
const DAY = 86_400_000

/**
 * Books what an advertiser paid (money.md 2, no. 28), or proposes it to a second person: what one person alone says came in settles debts
 * and lets blocked clicks through again. `key` is that of the call: sent again, it is the same receipt, or the same proposal.
 */
export async function bookReceipt(db: Db, now: number, actor: Actor, call: Body): Promise<CallOutput<typeof receiptApi.book>> {
  const whose = { advertiser_id: await numberOf(db, call.advertiser_uuid), currency: call.currency }
  const { key, ...said } = call
  const digest = askedDigest(actor.accountId, said)
  const uuid = await db.transaction().execute(async (trx) => {
    await lockForReceipt(trx, whose, call)
    const known = await receiptOfKey(trx, key)
    if (known !== undefined) {
      // what an older version booked says no more
      const isLike =
        known.advertiser_id === whose.advertiser_id &&
        known.currency === whose.currency &&
        toUnits(known.amount) - toUnits(known.short) === toUnits(call.amount)
      if (!(known.asked === null ? isLike : known.asked === digest)) throw new AppError('conflict')
      return known.uuid
    }
    const proposed = await proposalByKey(trx, key)
    if (proposed !== undefined) {
      const isSame = proposed.asked !== null && 'receipt' in proposed.asked && proposed.asked.receipt.digest === digest
      if (!isSame) throw new AppError('conflict')
      if (proposed.state !== 'open') throw new AppError('status_not_allowed')
      return null
    }
    const step = { trx, at: new Date(now), actor }
    const { advertiser_uuid: _uuid, currency: _currency, amount, ...asked } = said
    const read = await readReceipt(step, whose, { ...asked, amount, digest, key })
    await lockAlone(trx, actor.accountId)
    if (!(await receiptTakesTwo(trx, now, actor, { ...whose, amount: fromUnits(read.amount) })))
      return makeReceipt(step, whose, { key, madeBy: actor.accountId, asked: { ...asked, digest } }, read)
    const { note } = asked
    await insertProposal(trx, {
      key,
      kind: 'receipt',
      ...whose,
      amount,
      note,
      asked: { receipt: { ...asked, digest } },
      made_by: actor.accountId,
      created_at: step.at,
    })
    await recordAudit(trx, actor, now, {
      action: 'receipt_proposed',
      entity: 'advertiser',
      entityId: whose.advertiser_id,
      after: { currency: whose.currency, amount, day: asked.day, external_id: asked.external_id },
    })
    return null
  })
  return uuid === null ? { proposed: true, receipt: null } : { proposed: false, receipt: await showReceipt(db, uuid) }
}

/** All that a receipt is decided upon; the same call, or the same number of the bank, for another advertiser at this moment waits, and finds the first. */
export async function lockForReceipt(
  trx: Trx,
  whose: Whose,
  { key, source_id, external_id }: { key: string; source_id: number; external_id: string },
): Promise<void> {
  await lockReceivables(trx, whose)
  await lockName(trx, `receipt key ${key}`)
  if (external_id !== '') await lockName(trx, `receipt external ${source_id} ${external_id}`)
}

/**
 * Whether a receipt takes a second person: with what the same person alone said came in from this advertiser within a day it reaches the
 * limit of receipts, or with all they said came in three times as much. What it holds too little by rates of their own counts as much as any.
 */
export async function receiptTakesTwo(
  trx: Trx,
  now: number,
  { accountId: actorId }: Pick<Actor, 'accountId'>,
  { advertiser_id, currency, amount }: Whose & { amount: string },
): Promise<boolean> {
  const asked = { amount, currency, permission: 'billing.approve', actorId, limit: 'receipt_limit' } as const
  const besides = await receivedAlone(trx, { actorId, since: new Date(now - DAY) })
  const ofThis = besides.filter((one) => one.advertiser_id === advertiser_id)
  return (
    (await needsFourEyes(trx, now, { ...asked, besides: ofThis })) || (await needsFourEyes(trx, now, { ...asked, besides, times: TIMES }))
  )
}

/** Books what somebody else said came in, as it was asked for; the caller holds `lockForReceipt`. Throws what booking throws, `receipt_overtaken`. */
export async function confirmReceipt(
  step: Step,
  whose: Whose,
  { key, amount, made_by: madeBy, asked }: { key: string; amount: string; made_by: number; asked: ReceiptAsked },
): Promise<void> {
  const { moved } = asked.receipt
  // who asked for it was sure, and who confirms it saw it
  const said = { ...asked.receipt, amount, moved: moved && { ...moved, sure: true } }
  await refuseOvertaken(step.trx, whose, said.parts ?? [])
  await makeReceipt(step, whose, { key, madeBy, asked: said }, await readReceipt(step, whose, { ...said, key }))
}

type Read = Awaited<ReturnType<typeof readReceipt>>

/** What a receipt comes to, and for which invoices it is. Throws `invalid_input`. */
async function readReceipt(
  { trx, at }: Pick<Step, 'trx' | 'at'>,
  whose: Whose,
  asked: ReceiptAsked['receipt'] & { key: string; amount: string },
) {
  const arrived = toUnits(asked.amount)
  await refuseReceipt(trx, at.getTime(), { ...asked, currency: whose.currency }, arrived)
  const { source_id: sourceId, day, moved } = asked
  const by = await readExchange(trx, { amount: arrived, currency: whose.currency, sourceId, day, moved })
  const open =
    asked.parts === null || asked.short
      ? await listOpen(trx, whose, { amount: asked.amount, also: asked.parts?.map(({ invoice_uuid }) => invoice_uuid) ?? [] })
      : []
  const short = asked.short ? await shortOf(trx, open, asked, arrived) : 0n
  const amount = arrived + short
  const parts =
    short > 0n ? withShort(asked.parts ?? partsOfProposal(open, arrived), open, short) : (asked.parts ?? partsOfProposal(open, amount))
  await readParts(trx, whose, parts, amount)
  return { arrived, short, amount, by, parts }
}

async function makeReceipt(
  { trx, at, actor }: Step,
  whose: Whose,
  { key, madeBy, asked }: { key: string; madeBy: number; asked: ReceiptAsked['receipt'] },
  { arrived, short, amount, by, parts }: Read,
): Promise<string> {
  const { source_id, day, external_id, note, digest } = asked
  const made = await insertReceipt(trx, {
    ...whose,
    key,
    source_id,
    day,
    external_id,
    note,
    amount: fromUnits(amount),
    made_by: madeBy,
    asked: digest,
    created_at: at,
    short: fromUnits(short),
    ...keptExchange(by, fromUnits),
  })
  const paid = await payParts({ trx, at, actor }, { ...whose, id: made.id }, parts, amount)
  const receipt = await lockReceipt(trx, made.id)
  const posted = `receipt:${made.id}`
  const received = receivedEntries(receipt, arrived, { ...paid, paid: paid.paid - short }, by)
  await post(trx, [
    ofReceipt(receipt, at, actor, by === null ? posted : `${posted}:to`, 'receipt', received),
    ofReceipt(receipt, at, actor, `${posted}:from`, 'receipt_exchanged', by === null ? [] : exchangeEntries(source_id, by, 1n)),
    shortTransfer({ at, actor }, receipt, 'short', short),
  ])
  await recordAudit(trx, actor, at.getTime(), {
    action: 'create',
    entity: 'receipt',
    entityId: made.id,
    after: { advertiser_id: whose.advertiser_id, currency: whose.currency, amount: fromUnits(amount), day, external_id },
  })
  return made.uuid
}

function receivedEntries(receipt: LockedReceipt, amount: bigint, { paid, recovered }: Paid, by: Exchanged | null): Entry[] {
  return [
    landing(receipt.source_id, receipt.currency, amount, by),
    entry(receipt, 'advertiser_invoiced', -paid),
    entry(receipt, 'advertiser_write_off', -recovered),
    entry(receipt, 'advertiser_prepaid', paid + recovered - amount),
  ]
}

async function refuseReceipt(
  trx: Trx,
  now: number,
  asked: Pick<Body, 'key' | 'currency' | 'source_id' | 'external_id' | 'day'>,
  amount: bigint,
): Promise<void> {
  const { key, currency, source_id, external_id, day } = asked
  await requireCurrency(trx, currency)
  await refuseAmount(trx, currency, amount)
  await refuseAhead(trx, now, day)
  if (!(await listSources(trx)).some(({ id }) => id === source_id))
    throw new AppError('invalid_input', { fields: { source_id: 'Choose where it was received' } })
  if (external_id !== '' && (await isBooked(trx, source_id, external_id, key)))
    throw new AppError('invalid_input', { fields: { external_id: 'A receipt with this number is booked already' } })
}
