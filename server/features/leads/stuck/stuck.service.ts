import type { CallOutput } from '#contract/endpoint.ts'
import type { CallStatus } from '#contract/leads/call-status.ts'
import type { stuckApi } from '#contract/leads/stuck.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { LeadParts } from '#server/features/leads/session/receive.service.ts'
import type { FindClick } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { log } from '#server/platform/log.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import type { z } from 'zod'
import { applyStatus, isUnapplied, sayOfLead } from '../status/apply-status.service.ts'
import { bookLead, clickOf, type LeadGoal } from '../status/book.service.ts'
import { findProduct, findTold, getLead, lockLead, type SentLead } from '../status/status.queries.ts'
import { findStuck, getCallStatus, leadIdOf, listStuck, lockStuck, sendToBook, settleStuck, type StuckRow } from './stuck.queries.ts'
import { presentDetail, presentStuck } from './stuck.present.ts'

type Parts = LeadParts & { findClick: FindClick; clock: { now(): number } }
type Replay = z.output<typeof stuckApi.replay.body>
type Replayed = CallOutput<typeof stuckApi.replay>

/** What is stuck in the own scope. */
export async function showStuck(db: Db, { scope }: Actor, asked: z.output<typeof stuckApi.list.body>) {
  const { rows, list } = await listStuck(db, scope, asked)
  return { list: list.map(presentStuck), summary: { rows } }
}

/** One of them with what it held. Throws `not_found`. */
export async function showOne(db: Db, actor: Actor, key: string) {
  return presentDetail(await findOrThrow(db, actor, key))
}

/**
 * Does it anew, and says so in the transaction that does: of several who press at once one does it, the others are answered that it is
 * done. Throws `not_found`, `invalid_input` for a lead that is none, `stuck_still` where nothing can be made of it yet, `send_decided`
 * where it was dismissed.
 */
export async function replayStuck(parts: Parts, actor: Actor, key: string, asked: Replay): Promise<Replayed> {
  const row = await findOrThrow(parts.db, actor, key)
  if (row.state === 'settled') return { changed: 0, outcome: row.outcome }
  try {
    if (row.kind === 'push') return await replayCall(parts, actor, row, asked)
    return await (row.reason === 'deposit_and_fraud' ? sayFraud(parts, actor, row, asked) : replayBooking(parts, actor, row, asked))
  } catch (error) {
    if (error instanceof Done) return { changed: 0, outcome: error.outcome }
    if (row.reason !== 'failed' || error instanceof AppError) throw error
    log.error({ err: error, stuck: row.uuid }, 'what was kept because it failed failed again')
    throw new AppError('stuck_still', { values: { reason: row.reason } })
  }
}

/** Says that nothing follows from it. Said twice it changes nothing. Throws `not_found`, `send_decided`. */
export async function dismissStuck(parts: Parts, actor: Actor, key: string, note: string): Promise<{ changed: number }> {
  const row = await findOrThrow(parts.db, actor, key)
  return parts.db.transaction().execute(async (trx) => {
    const { state } = await lockStuck(trx, row.id)
    if (state === 'dismissed') return { changed: 0 }
    if (state === 'settled') throw new AppError('send_decided')
    await end(trx, parts, actor, row, { state: 'dismissed', outcome: '', note })
    return { changed: 1 }
  })
}

/** Somebody did it before. */
class Done extends Error {
  readonly outcome: string
  constructor(outcome: string) {
    super('done before')
    this.outcome = outcome
  }
}

async function replayCall(parts: Parts, actor: Actor, row: StuckRow, asked: Replay): Promise<Replayed> {
  const raw = row.raw || asked.status
  if (raw === '') throw new AppError('invalid_input', { fields: { status: 'Required' } })
  const [send, product] = await Promise.all([leadOf(parts.db, row, asked.lead), findProduct(parts.db, { id: row.product_id })])
  if (send === undefined || product === undefined)
    throw new AppError('invalid_input', { fields: { lead: 'This product took no such lead' } })
  const nameless = row.reason === 'deposit_unclear' && row.transaction === ''
  if (nameless && asked.deposit === null) throw new AppError('stuck_still', { values: { reason: row.reason } })
  // each of several without a name is a payment of its own: it goes by ours
  const transaction = nameless && asked.deposit === 'again' ? row.uuid : row.transaction
  const told = { raw, isSale: row.sale, amount: (asked.amount || row.amount).toUpperCase(), transaction }
  let kept = false
  const within = async (trx: Trx) => {
    await takeOpen(trx, row)
    await end(trx, parts, actor, row, { state: 'settled', outcome: 'applied', note: asked.note, send })
    kept = true
  }
  const outcome = await applyStatus(parts, send, product.spec, told, 'push', parts.clock.now(), { deposit: asked.deposit, within })
  if (isUnapplied(outcome)) throw new AppError('stuck_still', { values: { reason: outcome } })
  if (!kept) throw new Error('a call was applied and not settled')
  return { changed: 1, outcome }
}

/** The lead a person names, by whatever is known of it, else the one the call is about. */
async function leadOf(db: Db, row: StuckRow, named: string): Promise<SentLead | undefined> {
  const name = named === '' ? row.lead_ref : named
  if (name === '') return undefined
  const found = await findTold(db, row.product_id, name)
  if (found !== undefined || named === '' || !SESSION.test(named)) return found
  const ours = await leadIdOf(db, row.product_id, named)
  return ours === undefined ? undefined : findTold(db, row.product_id, ours)
}

const SESSION = /^(\d{1,15}|[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12})$/i

/** It was told as paid and as fraud at once, and a person says that it was fraud: what follows is what follows that word. */
async function sayFraud(parts: Parts, actor: Actor, row: StuckRow, { note }: Replay): Promise<Replayed> {
  const { db, clock } = parts
  const send = row.send_id === null ? undefined : await sendToBook(db, row.send_id)
  const told = send === undefined ? undefined : await findTold(db, row.product_id, send.uuid)
  if (told === undefined) throw new AppError('stuck_still', { values: { reason: row.reason } })
  const { call_status: expected } = await getCallStatus(db, told.session_id)
  const settle = async (trx: Trx) => {
    await takeOpen(trx, row)
    await end(trx, parts, actor, row, { state: 'settled', outcome: 'applied', note, send: told })
  }
  const said = { status: 'spam_fraud', expected: expected as CallStatus | null, note, accountId: actor.accountId } as const // nothing else is written
  let isSaid = false
  await sayOfLead(parts, told, said, clock.now(), async (trx) => {
    await settle(trx)
    isSaid = true
  })
  // somebody said so of the lead meanwhile
  if (!isSaid) await db.transaction().execute(settle)
  return { changed: 1, outcome: 'applied' }
}

async function replayBooking(parts: Parts, actor: Actor, row: StuckRow, asked: Replay): Promise<Replayed> {
  if (row.send_id === null || row.session_id === null) throw new AppError('stuck_still', { values: { reason: row.reason } })
  const { send_id: sendId, session_id: sessionId } = row
  const click = await clickOf(parts, await getLead(parts.db, sessionId))
  if (click === null) throw new AppError('stuck_still', { values: { reason: 'click' } })
  const now = parts.clock.now()
  const money = readMoney(asked.amount || row.amount)
  if (money === undefined) throw new AppError('invalid_input', { fields: { amount: 'An amount and its currency, such as 250.00 EUR' } })
  return parts.db.transaction().execute(async (trx) => {
    const lead = await lockLead(trx, sessionId)
    await takeOpen(trx, row)
    const report = {
      goal: row.goal as LeadGoal, // as bookingOf wrote it
      status: row.status as 'approved' | 'declined',
      transaction: row.transaction,
      decided: true,
      ...money,
    }
    const send = await sendToBook(trx, sendId)
    const booked = await bookLead(trx, lead, send, click, report, now)
    const outcome = booked?.outcome ?? 'nothing'
    if (booked?.outcome === 'refused') throw new AppError('stuck_still', { values: { reason: booked.reason } })
    await end(trx, parts, actor, row, { state: 'settled', outcome, note: asked.note, send })
    return { changed: 1, outcome }
  })
}

/** An amount as it is kept: `250.00 EUR`, `250.00` in the offer's own; '' = none was said. Undefined for what is neither. */
function readMoney(text: string): { amount: string | null; currency: string | null } | undefined {
  if (text === '') return { amount: null, currency: null }
  const [, amount, currency = null] = /^(-?\d{1,10}(?:\.\d{1,8})?)(?: ([A-Z0-9]{3,10}))?$/.exec(text.toUpperCase()) ?? []
  return amount === undefined ? undefined : { amount, currency }
}

/** Whoever settles it has it to themselves from here. */
async function takeOpen(trx: Trx, row: StuckRow): Promise<void> {
  const { state, outcome } = await lockStuck(trx, row.id)
  if (state === 'settled') throw new Done(outcome)
  if (state === 'dismissed') throw new AppError('send_decided')
}

type End = { state: 'settled' | 'dismissed'; outcome: string; note: string; send?: { id: string; session_id: string } }

async function end(trx: Trx, { clock }: Parts, actor: Actor, row: StuckRow, { state, outcome, note, send }: End): Promise<void> {
  const now = clock.now()
  await settleStuck(trx, row.id, { state, outcome, note, account_id: actor.accountId, settled_at: new Date(now), sendId: send?.id })
  const session = send?.session_id ?? row.session_id
  const said = { stuck: row.uuid, reason: row.reason, note }
  await recordAudit(trx, actor, now, {
    action: state === 'settled' ? 'replay_stuck' : 'dismiss_stuck',
    ...(session === null ? { entity: 'product', entityId: row.product_id } : { entity: 'user_session', entityId: session }),
    after: said,
  })
}

async function findOrThrow(db: Db, actor: Actor, key: string): Promise<StuckRow> {
  const row = await findStuck(db, actor.scope, key)
  if (row === undefined) throw new AppError('not_found')
  return row
}
