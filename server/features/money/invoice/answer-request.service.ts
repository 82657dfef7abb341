import { toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import { decimalsOf } from '#server/features/money/currency/decimals.service.ts'
import { toldOf } from './invoice.queries.ts'
import { roundedTo } from './posting.ts'
import { written } from './tell.service.ts'
import { tellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { answeredBy, joinOpenRequest, openRequestOf, reopen, settleRequest } from './answer-request.queries.ts'
import { availableOf } from '#server/features/money/ledger/available.queries.ts'

type Whose = { affiliate_id: number; currency: string }
type Answerable = { id: number }

/**
 * What an invoice of so much is to the open request of its affiliate in its currency: it answers it where it is of what was asked for, or
 * of all there is by now. `short`: it would leave something of it, or somebody decides the request at this moment; staff answer it. The
 * caller holds all about the affiliate's invoices, and nothing is made yet. undefined where nothing was asked for.
 */
export async function whatAnswers(trx: Trx, whose: Whose, worth: bigint): Promise<Answerable | 'short' | undefined> {
  const asked = await openRequestOf(trx, whose)
  if (asked === undefined || asked === 'held') return asked === undefined ? undefined : 'short'
  const decimals = await decimalsOf(trx, whose.currency)
  if (roundedTo(decimals, worth) >= roundedTo(decimals, toUnits(asked.amount))) return asked
  return worth >= toUnits(await availableOf(trx, whose)) ? asked : 'short'
}

/** Closes a request by the invoice that answers it: its affiliate is told, and its history says by which. What a run makes is nobody's. */
export async function answerRequest(
  trx: Trx,
  now: number,
  by: Actor | number | null,
  request: Answerable,
  invoiceId: number,
): Promise<void> {
  const [actor, decided_by] = typeof by === 'object' ? [by, by?.accountId ?? null] : [null, by]
  await settleRequest(trx, request.id, { state: 'accepted', invoice_id: invoiceId, decided_at: new Date(now), decided_by })
  const { affiliate_id: affiliateId, total, currency } = await toldOf(trx, invoiceId)
  // what was asked for may be on another invoice by now
  const reason = await written(trx, total, currency)
  await tellAffiliates(trx, now, [
    { kind: 'request_decided', affiliateId, status: 'accepted', reason, once: `request ${request.id} ${invoiceId}` },
  ])
  await recordAudit(trx, actor, now, {
    action: 'accepted',
    entity: 'payout_request',
    entityId: request.id,
    before: { state: 'open' },
    after: { state: 'accepted', invoice: invoiceId },
  })
}

/**
 * Opens the request an invoice answered again, as it was: that invoice is deleted, and was never issued. Where its affiliate has asked anew
 * meanwhile, that request is of this money too, and this one ends; the affiliate is told what it comes to. `net`: of the invoice, not booked back yet. The caller holds all about the affiliate's invoices.
 */
export async function reopenRequest(
  trx: Trx,
  now: number,
  actor: Actor,
  { id: invoiceId, net }: { id: number; net: string },
): Promise<void> {
  const request = await answeredBy(trx, invoiceId)
  if (request === undefined) return
  const { id, affiliate_id: affiliateId, currency, amount } = request
  const isJoined = await joinOpenRequest(trx, request, net)
  if (isJoined) await settleRequest(trx, id, { state: 'joined', invoice_id: null, decided_at: new Date(now), decided_by: null })
  else await reopen(trx, id)
  const joined = isJoined ? await openRequestOf(trx, request) : undefined
  const reason = await written(trx, typeof joined === 'object' ? joined.amount : amount, currency)
  await tellAffiliates(trx, now, [
    { kind: 'request_decided', affiliateId, status: 'open', reason, once: `request ${id} ${invoiceId} open` },
  ])
  await recordAudit(trx, actor, now, {
    action: 'reopen',
    entity: 'payout_request',
    entityId: id,
    before: { state: 'accepted', invoice: invoiceId },
    after: { state: isJoined ? 'joined' : 'open' },
  })
}
