import type { z } from 'zod'
import { addAmounts, fromUnits, toUnits } from '#contract/money/amount.ts'
import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import type { Receipt, receiptApi } from '#contract/money/receipt.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { lockReceivables } from '#server/features/money/advertiser-invoice/step.service.ts'
import { entry, min, shortTransfer, takeBackOffsets } from '#server/features/money/advertiser-invoice/sums.service.ts'
import { advertiserNumber } from '#server/features/money/advertiser-invoice/advertiser-invoice.queries.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { lockAlone } from '#server/features/money/invoice/alone.service.ts'
import { isSameHand, needsFourEyes, refuseAlone } from '#server/features/money/invoice/four-eyes.service.ts'
import { balanceOf } from '#server/features/money/invoice/money.queries.ts'
import { listSources } from '#server/features/money/invoice/payment.queries.ts'
import { roundedTo } from '#server/features/money/invoice/posting.ts'
import { exchangeEntries, exchangeOf, keptExchange, landing, type Exchanged } from '#server/features/money/currency/exchange.ts'
import { beyondRate, readExchange } from '#server/features/money/currency/exchange.service.ts'
import { openWorth } from '#server/features/money/currency/worth.queries.ts'
import { post, type Entry, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { changeReceipt, showReceipt } from './change.service.ts'
import { isForThese, payParts, releaseParts, type Paid } from './part.service.ts'
import {
  getReceipt,
  insertReceipt,
  isBooked,
  isMore,
  listOpen,
  listReceipts,
  lockReceipt,
  paidBackAlone,
  receiptOfKey,
  updateReceipt,
  type LockedReceipt,
} from './receipt.queries.ts'
import { inAdvance, presentReceipt } from './receipt.present.ts'

type Body<Name extends 'book' | 'propose' | 'list'> = z.output<(typeof receiptApi)[Name]['body']>
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
  const [open, sources] = await Promise.all([listOpen(db, whose, asked), listSources(db)])
  const proposed = oldestFirst(open, toUnits(asked.amount))
  const list = open.map((one) => ({
    invoice_uuid: one.uuid,
    number: one.number,
    due_day: one.due_day,
    open: addAmounts(one.open, one.written_off),
    written_off: toUnits(one.open) === 0n,
    amount: fromUnits(proposed.get(one.uuid) ?? 0n),
  }))
  const left = [...proposed.values()].reduce((sum, amount) => sum - amount, toUnits(asked.amount))
  const short = await tolerated(db, open, proposed)
  return { list, more: isMore(open), in_advance: fromUnits(left), short: short === null ? null : fromUnits(short), sources }
}

/** Books what an advertiser paid (money.md 2, no. 28). `key` is that of the call: sent again, it is the same receipt. */
export async function bookReceipt(db: Db, now: number, actor: Actor, asked: Body<'book'>): Promise<Receipt> {
  const whose = { advertiser_id: await numberOf(db, asked.advertiser_uuid), currency: asked.currency }
  const { key: _key, ...said } = asked
  const digest = askedDigest(actor.accountId, said)
  const uuid = await db.transaction().execute(async (trx) => {
    await lockReceivables(trx, whose)
    // the same call, or the same number of the bank, for another advertiser at this moment waits, and finds the first
    await lockName(trx, `receipt key ${asked.key}`)
    if (asked.external_id !== '') await lockName(trx, `receipt external ${asked.source_id} ${asked.external_id}`)
    const known = await receiptOfKey(trx, asked.key)
    if (known !== undefined) {
      // what an older version booked says no more
      const isLike =
        known.advertiser_id === whose.advertiser_id &&
        known.currency === whose.currency &&
        toUnits(known.amount) - toUnits(known.short) === toUnits(asked.amount)
      if (!(known.asked === null ? isLike : known.asked === digest)) throw new AppError('conflict')
      return known.uuid
    }
    const arrived = toUnits(asked.amount)
    await refuseReceipt(trx, now, asked, arrived)
    const at = new Date(now)
    const by = await readExchange(trx, {
      amount: arrived,
      currency: whose.currency,
      sourceId: asked.source_id,
      day: asked.day,
      moved: asked.moved,
    })
    const open = asked.parts === null || asked.short ? await listOpen(trx, whose, asked) : []
    const short = asked.short ? await shortOf(trx, open, asked, arrived) : 0n
    const amount = arrived + short
    const { key, source_id, day, external_id, note } = asked
    const values = {
      ...whose,
      key,
      source_id,
      day,
      external_id,
      note,
      amount: fromUnits(amount),
      made_by: actor.accountId,
      asked: digest,
      created_at: at,
      short: fromUnits(short),
      ...keptExchange(by, fromUnits),
    }
    const made = await insertReceipt(trx, values)
    const parts =
      short > 0n ? withShort(asked.parts ?? partsOfProposal(open, arrived), open, short) : (asked.parts ?? partsOfProposal(open, amount))
    const paid = await payParts({ trx, at, actor }, { ...whose, id: made.id }, parts, amount)
    const receipt = await lockReceipt(trx, made.id)
    const posted = `receipt:${made.id}`
    await post(trx, [
      of(
        receipt,
        at,
        actor,
        by === null ? posted : `${posted}:to`,
        'receipt',
        receivedEntries(receipt, arrived, { ...paid, paid: paid.paid - short }, by),
      ),
      of(receipt, at, actor, `${posted}:from`, 'receipt_exchanged', by === null ? [] : exchangeEntries(receipt.source_id, by, 1n)),
      shortTransfer({ at, actor }, receipt, 'short', short),
    ])
    await recordAudit(trx, actor, now, {
      action: 'create',
      entity: 'receipt',
      entityId: made.id,
      after: { advertiser_id: whose.advertiser_id, currency: whose.currency, amount: values.amount, day, external_id },
    })
    return made.uuid
  })
  return showReceipt(db, uuid)
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
      of(receipt, at, actor, `receipt:${receipt.id}:parts:${receipt.revision}`, 'receipt_allotted', [
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
  asked: Asked & { amount: string; moved: Body<'book'>['moved'] },
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
        of(receipt, at, actor, `receipt:${receipt.id}:back`, 'receipt_paid_back', [
          entry(receipt, 'advertiser_prepaid', amount),
          landing(sourceId, currency, -amount, by),
        ]),
        of(
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
 * Who says that it came in does not send it out again alone, nor does anybody alone send much more than the rate of the day makes of it:
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
    const released = await releaseParts(change, receipt.id, { recovered: true })
    const amount = toUnits(receipt.amount)
    const [short, by] = [toUnits(receipt.short), exchangeOf(receipt, toUnits)]
    const advance = amount - released.paid - released.recovered
    const prepaid = -toUnits(await balanceOf(trx, 'advertiser_prepaid', receipt.advertiser_id, receipt.currency))
    const back = await takeBackOffsets({ trx, at, actor }, receipt, advance - prepaid)
    await updateReceipt(trx, receipt.id, { state: 'bounced', reason: asked.reason, ended_at: at })
    await post(trx, [
      ...back,
      of(receipt, at, actor, `receipt:${receipt.id}:bounced`, 'receipt_bounced', [
        entry(receipt, 'advertiser_invoiced', released.paid),
        entry(receipt, 'advertiser_write_off', released.recovered),
        entry(receipt, 'advertiser_prepaid', advance),
        landing(receipt.source_id, receipt.currency, short - amount, by),
        { kind: 'bank_fee', owner: receipt.source_id, currency: receipt.currency, amount: -short },
      ]),
      of(
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

function receivedEntries(receipt: LockedReceipt, amount: bigint, { paid, recovered }: Paid, by: Exchanged | null): Entry[] {
  return [
    landing(receipt.source_id, receipt.currency, amount, by),
    entry(receipt, 'advertiser_invoiced', -paid),
    entry(receipt, 'advertiser_write_off', -recovered),
    entry(receipt, 'advertiser_prepaid', paid + recovered - amount),
  ]
}

function of({ id }: LockedReceipt, at: Date, actor: Actor, key: string, kind: string, entries: Entry[]): Transfer {
  return { key, kind, at, bookedAt: at, actorId: actor.accountId, document: { receipt_id: id }, entries }
}

type Open = { uuid: string; open: string }

/** So much of an amount each open invoice gets, the oldest first. */
function oldestFirst(open: readonly Open[], amount: bigint): Map<string, bigint> {
  let left = amount
  const parts = new Map<string, bigint>()
  for (const one of open) {
    const part = min(left, toUnits(one.open))
    if (part <= 0n) continue
    parts.set(one.uuid, part)
    left -= part
  }
  return parts
}

function partsOfProposal(open: readonly Open[], amount: bigint) {
  return [...oldestFirst(open, amount)].map(([invoice_uuid, part]) => ({ invoice_uuid, amount: fromUnits(part) }))
}

/** The last of the invoices an amount is for, and what it leaves open on it. */
function missingOn(
  open: readonly (Open & { total: string })[],
  parts: ReadonlyMap<string, bigint>,
): { uuid: string; missing: bigint; total: bigint } | null {
  const last = open.filter(({ uuid }) => (parts.get(uuid) ?? 0n) > 0n).at(-1)
  if (last === undefined) return null
  return { uuid: last.uuid, missing: toUnits(last.open) - (parts.get(last.uuid) ?? 0n), total: toUnits(last.total) }
}

/** What may be taken as the bank's fee: what is missing on the last invoice, if that is little enough; null otherwise. */
async function tolerated(
  db: DbOrTrx,
  open: readonly (Open & { total: string })[],
  parts: ReadonlyMap<string, bigint>,
): Promise<bigint | null> {
  const { short_percent: percent } = await getSetting(db, receivableSetting)
  const last = missingOn(open, parts)
  return last !== null && last.missing > 0n && last.missing * 100n <= last.total * BigInt(percent) ? last.missing : null
}

async function shortOf(trx: Trx, open: readonly (Open & { total: string })[], asked: Body<'book'>, arrived: bigint): Promise<bigint> {
  const parts =
    asked.parts === null ? oldestFirst(open, arrived) : new Map(asked.parts.map((one) => [one.invoice_uuid, toUnits(one.amount)]))
  const short = await tolerated(trx, open, parts)
  const used = [...parts.values()].reduce((sum, amount) => sum + amount, 0n)
  // what is paid in advance could have paid what is missing
  if (short === null || used !== arrived)
    throw new AppError('invalid_input', { fields: { short: 'Nothing is missing, or more than the settings take as a fee' } })
  return short
}

function withShort(parts: readonly { invoice_uuid: string; amount: string }[], open: readonly (Open & { total: string })[], short: bigint) {
  const last = missingOn(open, new Map(parts.map((one) => [one.invoice_uuid, toUnits(one.amount)])))
  return parts.map((one) => (one.invoice_uuid === last?.uuid ? { ...one, amount: fromUnits(toUnits(one.amount) + short) } : one))
}

async function refuseReceipt(trx: Trx, now: number, asked: Body<'book'>, amount: bigint): Promise<void> {
  const { currency, source_id, external_id, day } = asked
  await refuseAmount(trx, currency, amount)
  // with whom money arrives it may be tomorrow already
  if (day > dayIn(now + DAY, (await getGeneralSettings(trx)).time_zone))
    throw new AppError('invalid_input', { fields: { day: 'This day lies ahead' } })
  if (!(await listSources(trx)).some(({ id }) => id === source_id))
    throw new AppError('invalid_input', { fields: { source_id: 'Choose where it was received' } })
  if (external_id !== '' && (await isBooked(trx, source_id, external_id)))
    throw new AppError('invalid_input', { fields: { external_id: 'A receipt with this number is booked already' } })
}

async function refuseAmount(trx: Trx, currency: string, amount: bigint): Promise<void> {
  const refuse = (text: string) => {
    throw new AppError('invalid_input', { fields: { amount: text } })
  }
  if (amount <= 0n) refuse('More than zero')
  if (roundedTo(await decimalsOf(trx, currency), amount) !== amount) refuse('More decimals than this currency has')
}

async function numberOf(db: Db, uuid: string): Promise<number> {
  const id = await advertiserNumber(db, uuid)
  if (id === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'There is no such advertiser' } })
  return id
}
