import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { NETWORK } from '#server/access/actor.ts'
import type { Transfer } from '#server/features/money/ledger/posting.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { insertHistory, lockInvoice, updateInvoice, type LockedInvoice } from './invoice.queries.ts'
import { lockConversionsOn } from './line.queries.ts'
import { balanceOf } from './money.queries.ts'
import { endOffsets, insertOffset, latestOffsets } from './payment.queries.ts'
import { simpleTransfer, type Whose } from './posting.ts'
import type { Change } from './step.service.ts'
import { settleSums } from './sums.service.ts'
import { tellBack } from './tell.service.ts'

type Step = Pick<Change, 'trx' | 'at' | 'actor'>
/** Which payment the prepaid money came from, as histories name it; `invoiceId` is the invoice whose own step keeps what happens to it. */
export type Cause = { paymentId: number; invoiceId: number | null; why: string }

/** Uses what an affiliate was paid in advance on its invoice, as much as is `open` of it at most (money.md 2, no. 16). Answers how much that is, and the booking. */
export async function offsetOf({ trx, invoice, at, actor }: Change, open: bigint): Promise<{ amount: bigint; transfers: Transfer[] }> {
  const prepaid = toUnits(await balanceOf(trx, 'affiliate_prepaid', invoice.affiliate_id, invoice.currency))
  const amount = prepaid < open ? prepaid : open
  if (amount <= 0n) return { amount: 0n, transfers: [] }
  const id = await insertOffset(trx, invoice.id, fromUnits(amount), at)
  const document = { invoice_id: invoice.id }
  const when = { key: `invoice:${invoice.id}:offset:${id}`, kind: 'invoice_offset' as const, at, actorId: actor.accountId, document }
  return { amount, transfers: [simpleTransfer(invoice, when, 'affiliate_invoiced', 'affiliate_prepaid', amount)] }
}

/**
 * Takes back the latest uses of an affiliate's prepaid money until so much of it is there again: their invoices are open again, each with
 * who did it, because of which payment and why in its history and in the log. `pending` of what is there is moved by what is not booked yet.
 */
export async function takeBackOffsets(
  step: Step,
  whose: Whose,
  { needed, pending = 0n }: { needed: bigint; pending?: bigint },
  cause: Cause,
): Promise<{ transfers: Transfer[]; reopened: Map<number, LockedInvoice> }> {
  const { trx, at, actor } = step
  const transfers: Transfer[] = []
  const reopened = new Map<number, LockedInvoice>()
  const before = new Map<number, LockedInvoice>()
  let there = toUnits(await balanceOf(trx, 'affiliate_prepaid', whose.affiliate_id, whose.currency)) + pending
  const offsets: Awaited<ReturnType<typeof latestOffsets>> = []
  for (const offset of there < needed ? await latestOffsets(trx, whose, fromUnits(needed - there)) : []) {
    if (there >= needed) break
    offsets.push(offset)
    there += toUnits(offset.amount)
  }
  // those of the payment's own invoice come with them: each by id
  await lockConversionsOn(trx, [...(cause.invoiceId === null ? [] : [cause.invoiceId]), ...offsets.map(({ invoice_id }) => invoice_id)])
  for (const offset of offsets) {
    const amount = toUnits(offset.amount)
    await endOffsets(trx, [offset.id], at)
    const used = reopened.get(offset.invoice_id) ?? (await lockInvoice(trx, offset.invoice_id))
    if (!before.has(used.id)) before.set(used.id, used)
    const open = fromUnits(toUnits(used.open) + amount)
    const offset_prepaid = fromUnits(toUnits(used.offset_prepaid) - amount)
    await updateInvoice(trx, used.id, { offset_prepaid, open })
    reopened.set(used.id, { ...used, offset_prepaid, open })
    const key = `invoice:${used.id}:offset:${offset.id}:back`
    const when = { key, kind: 'invoice_offset_back' as const, at, actorId: actor.accountId, document: { invoice_id: used.id } }
    transfers.push(simpleTransfer(whose, when, 'affiliate_prepaid', 'affiliate_invoiced', amount))
  }
  for (const [id, was] of before) if (id !== cause.invoiceId) await keepReopened(step, was, reopened.get(id) ?? was, cause)
  return { transfers, reopened }
}

/** Another invoice that is open again: its status follows, and it says why. */
async function keepReopened({ trx, at, actor }: Step, was: LockedInvoice, now: LockedInvoice, { paymentId, why }: Cause): Promise<void> {
  const sums = { open: toUnits(now.open), sent: toUnits(now.sent), paid: toUnits(now.paid) }
  const status = await settleSums({ trx, invoice: now, at, actor }, sums)
  const revision = was.revision + 1
  await updateInvoice(trx, was.id, { status, revision, updated_at: at })
  await insertHistory(trx, {
    invoice_id: was.id,
    at,
    actor_id: actor === NETWORK ? null : actor.accountId,
    event: 'offset_back',
    from_status: was.status,
    to_status: status,
    revision: was.revision,
    reason: why.slice(0, 500),
  })
  await tellBack(trx, at.getTime(), was, 'returned', {
    amount: fromUnits(sums.open - toUnits(was.open)),
    once: `invoice ${was.id} ${was.revision} back`,
  })
  await recordAudit(trx, actor === NETWORK ? null : actor, at.getTime(), {
    action: 'offset_back',
    entity: 'invoice',
    entityId: was.id,
    before: { status: was.status, revision: was.revision },
    after: { status, revision, payment_id: paymentId, reason: why },
  })
}
