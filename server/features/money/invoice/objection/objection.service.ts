import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import type { objection, objectionApi } from '#contract/money/objection.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import type { LockedInvoice } from '#server/features/money/invoice/invoice.queries.ts'
import { findInvoice, findOwnInvoice } from '#server/features/money/invoice/show.service.ts'
import { lockInvoiceOf, stepWithin, takeStep } from '#server/features/money/invoice/step.service.ts'
import { tellAffiliates, tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { ownOnly } from '#server/features/people/auth/own-only.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { countObjections, endObjection, hasOpenObjection, insertObjection, listObjections, type ObjectionRow } from './objection.queries.ts'

type Own = CallOutput<typeof objectionApi.own>

/** More than anybody has cause for; a ticket is the place for a conversation. */
const MOST_OBJECTIONS = 20

/** Until when an affiliate may object to an own invoice, and what it objected to. Throws `not_found`. */
export async function showOwn(db: Db, now: number, actor: Actor, key: string): Promise<Own> {
  const invoice = await findOwnInvoice(db, affiliateOf(actor), key)
  const rows = await listObjections(db, invoice.id)
  return { ...standing(invoice, rows, now), list: rows.map(present) }
}

/** The same as staff read it, with who said what. Throws `not_found`. */
export async function showAll(db: Db, now: number, key: string): Promise<CallOutput<typeof objectionApi.list>> {
  const invoice = await findInvoice(db, key)
  const rows = await listObjections(db, invoice.id)
  const list = rows.map((row) => ({ ...present(row), made_by: row.made_by, answered_by: row.answered_by }))
  return { ...standing(invoice, rows, now), list }
}

/**
 * Objects to an own invoice that waits for approval, by its owner alone, while there is time; staff are told. Sent again while it is
 * open, the same one stays. Throws `not_found`, `status_not_allowed`, `objection_late`, `limit_reached`.
 */
export async function makeObjection(db: Db, now: number, actor: Actor, key: string, reason: string): Promise<Own> {
  const affiliateId = affiliateOf(ownOnly(actor))
  await inOwn(db, affiliateId, key, async (trx, invoice) => {
    if (await hasOpenObjection(trx, invoice.id)) return
    if (invoice.status !== 'waiting') throw new AppError('status_not_allowed')
    if (!isInTime(invoice, now)) throw new AppError('objection_late')
    if ((await countObjections(trx, invoice.id)) >= MOST_OBJECTIONS) throw new AppError('limit_reached')
    await stepWithin(trx, now, actor, invoice, { event: 'objected', reason }, ({ at }) =>
      insertObjection(trx, { invoice_id: invoice.id, reason, made_by: actor.accountId, made_at: at }),
    )
    const notice = { kind: 'invoice_objection' as const, affiliateId, status: invoice.uuid, reason }
    await tellStaff(trx, now, [notice], { side: 'affiliate', permission: 'billing.write', but: null })
  })
  return showOwn(db, now, actor, key)
}

/** Withdraws what is open; where nothing is, nothing happens. Throws `not_found`. */
export async function withdrawObjection(db: Db, now: number, actor: Actor, key: string): Promise<Own> {
  await inOwn(db, affiliateOf(ownOnly(actor)), key, async (trx, invoice) => {
    if (!(await hasOpenObjection(trx, invoice.id))) return
    await stepWithin(trx, now, actor, invoice, { event: 'objection_withdrawn' }, async ({ at }) => {
      await endObjection(trx, invoice.id, { state: 'withdrawn', ended_at: at })
    })
  })
  return showOwn(db, now, actor, key)
}

/** Answers what is open: the invoice can be approved as it is then, and its affiliate is told. Who answers has not edited it. Throws `status_not_allowed`. */
export function answerObjection(
  db: Db,
  now: number,
  actor: Actor,
  asked: { key: string; revision: number; answer: string },
): Promise<void> {
  const { key, revision, answer } = asked
  return takeStep(db, now, actor, { key, revision, event: 'objection_answered', reason: answer, from: ['waiting'] }, async (change) => {
    const { trx, invoice, at } = change
    const isAnswered = await endObjection(trx, invoice.id, { state: 'answered', answer, answered_by: actor.accountId, ended_at: at })
    if (!isAnswered) throw new AppError('status_not_allowed')
    await tellAffiliates(trx, now, [{ kind: 'invoice_objection', affiliateId: invoice.affiliate_id, status: invoice.uuid, reason: answer }])
  })
}

type Timed = Pick<LockedInvoice, 'status' | 'object_until'>

/** Invoices from before there was a last moment have none that has passed. */
function isInTime({ object_until }: Timed, now: number): boolean {
  return object_until === null || now < object_until.getTime()
}

function standing(invoice: Timed, rows: readonly ObjectionRow[], now: number): Pick<Own, 'until' | 'open'> {
  const isAsked = rows.some(({ state }) => state === 'open')
  return {
    until: invoice.object_until?.toISOString() ?? null,
    open: invoice.status === 'waiting' && !isAsked && isInTime(invoice, now),
  }
}

function present({ uuid, reason, made_at, state, answer, ended_at }: ObjectionRow): z.output<typeof objection> {
  return { uuid, reason, at: made_at.toISOString(), state, answer, ended_at: ended_at?.toISOString() ?? null }
}

async function inOwn(db: Db, affiliateId: number, key: string, work: (trx: Trx, invoice: LockedInvoice) => Promise<void>): Promise<void> {
  const { uuid } = await findOwnInvoice(db, affiliateId, key)
  await db.transaction().execute(async (trx) => work(trx, await lockInvoiceOf(trx, uuid)))
}
