import { createHash } from 'node:crypto'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { PulledRow } from '#server/rules/lead/integration/read-rows.ts'
import { maskParams, maskText } from '#server/rules/lead/mask-params.ts'
import type { Push } from '../status/read-push.ts'
import { countOpen, markListed, saveStuck, sendByUuid, settleTold, standingOf, type StuckState } from './stuck.queries.ts'

/** So many calls of one product are kept open; of more it is only counted that they came. */
const MOST_OPEN = 2_000
const OVERFLOW = digestOf(['overflow'])

/** A call as it was read, with all it held. */
export type KeptCall = { push: Push; params: Readonly<Record<string, string>> }

/**
 * Keeps a call of an advertiser nothing could be made of, without the person, once however often it is told; answers how the same call
 * stands, which a person may have settled already.
 */
export async function keepCall(
  db: DbOrTrx,
  productId: number,
  call: KeptCall,
  reason: string,
  { at, sendId = null, listed }: { at: Date; sendId?: string | null; listed?: ListedPayment },
): Promise<StuckState> {
  const digest = listed === undefined ? digestOfCall(call) : digestOfListed(listed)
  const known = await standingOf(db, productId, digest)
  if (known === undefined && (await countOpen(db, productId, MOST_OPEN)) >= MOST_OPEN)
    return saveStuck(db, { productId, sendId: null, kind: 'push', reason: 'too_many', digest: OVERFLOW, at })
  const { id, status, amount } = call.push
  // a name that several have names none of them
  const transaction = listed?.nameless === true ? '' : call.push.transaction
  const params = maskParams(call.params)
  const texts = { lead_ref: maskText(id), raw: maskText(status).slice(0, 200), amount: amount.slice(0, 60), transaction }
  const once = listed !== undefined
  return saveStuck(db, { productId, sendId, kind: 'push', reason, digest, at, ...texts, sale: listed?.isSale ?? false, params, once })
}

/**
 * A payment as a list tells it of one of our leads, under their name for the lead; `isSale`: it is money, whatever the word says;
 * `nameless` and `alike` as the list was read.
 */
export type ListedPayment = Pick<PulledRow, 'id' | 'status' | 'isSale' | 'amount' | 'transaction' | 'alike'> & { nameless?: boolean }

/** Keeps what a list says of a payment and only a person can tell, once however often the list is read. */
export async function keepListed(
  db: DbOrTrx,
  productId: number,
  sendId: string,
  payment: ListedPayment,
  reason: string,
  at: Date,
): Promise<void> {
  const digest = digestOfListed(payment)
  if ((await standingOf(db, productId, digest)) === undefined)
    await keepCall(db, productId, callOf(payment), reason, { at, sendId, listed: payment })
  else await markListed(db, productId, digest, at)
}

/** The same was applied this time. */
export async function settleListed(db: DbOrTrx, productId: number, payment: ListedPayment, at: Date): Promise<void> {
  await settleTold(db, productId, digestOfListed(payment), at)
}

function callOf(push: ListedPayment): KeptCall {
  const said = { lead_id: push.id, status: push.status, amount: push.amount, transaction_id: push.transaction }
  return { push, params: Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '')) }
}

/** The same call was done this time. */
export async function settleCall(db: DbOrTrx, productId: number, call: KeptCall, at: Date): Promise<void> {
  await settleTold(db, productId, digestOfCall(call), at)
}

/** What was to be booked. */
export type KeptBooking = { goal: string; status: string; amount: string; transaction: string }

/** Keeps what could not be booked of a lead, in the transaction that tried; `sendUuid` is our id of it. */
export async function keepBooking(trx: Trx, sendUuid: string, booking: KeptBooking, reason: string, at: Date): Promise<void> {
  const send = await sendByUuid(trx, sendUuid)
  if (send === undefined) return
  // a doubt is none that is settled by booking: only a person knows
  const digest = reason === 'deposit_and_fraud' ? digestOf(['doubt', sendUuid]) : digestOfBooking(sendUuid, booking)
  await saveStuck(trx, { productId: send.product_id, sendId: send.id, kind: 'booking', reason, digest, at, ...booking })
}

/** The same was booked this time. */
export async function settleBooking(trx: Trx, sendUuid: string, booking: KeptBooking, at: Date): Promise<void> {
  const send = await sendByUuid(trx, sendUuid)
  if (send !== undefined) await settleTold(trx, send.product_id, digestOfBooking(sendUuid, booking), at)
}

function digestOfBooking(sendUuid: string, { goal, status, amount, transaction }: KeptBooking): Buffer {
  return digestOf(['booking', sendUuid, goal, status, amount, transaction])
}

/** Calls that name a lead and a status are the same where these are; of others all they hold counts. */
function digestOfCall({ push: { id, status, amount, transaction }, params }: KeptCall): Buffer {
  if (id !== '' && status !== '') return digestOf(['push', id, status, amount, transaction])
  return digestOf(['call', ...Object.entries(params).flatMap(([name, value]) => [name, value])])
}

/** The same told by a call is the same; of several in a list that say the very same each is one of its own. */
function digestOfListed(payment: ListedPayment): Buffer {
  const { id, status, amount, transaction, alike = 0 } = payment
  return alike === 0 ? digestOfCall(callOf(payment)) : digestOf(['listed', id, status, amount, transaction, String(alike)])
}

function digestOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
}
