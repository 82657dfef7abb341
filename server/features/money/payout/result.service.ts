import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { ASKED_RESULTS, FEE_RESULTS, type payoutApi } from '#contract/money/payout.ts'
import type { Actor } from '#server/access/actor.ts'
import { endPayment, movedOf } from '#server/features/money/invoice/payout-step.service.ts'
import { lockConversionsOn } from '#server/features/money/invoice/line.queries.ts'
import { isBooked } from '#server/features/money/invoice/payment.queries.ts'
import { askedDigest } from '#server/features/money/invoice/asked-digest.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { becomesOf, matchResult, type Becomes } from './match-result.service.ts'
import { getFile, isRecalled, listSent, lockPayout, paymentsOf, updatePayout, whosePayout } from './payout.queries.ts'
import { FEE_REFUSED, feeJudge } from '#server/features/money/invoice/judge-fee.service.ts'
import type { Secret } from './plan.service.ts'

type Told = {
  becomes: Becomes
  external_id: string
  fee: string
  reason: string
  /** Somebody says that the fee is right, although it is much. */
  fee_sure: boolean
  /** Another amount that a result names, with its currency, which somebody has looked at. */
  said?: string
  /** Somebody says that it was paid although its file was taken back. */
  sureRecalled?: boolean
  /** Of a call by hand: what it asked for, short. */
  asked?: string
}
/** So many rows a preview shows; all are applied. */
const SHOWN = 1000

/** What a result would change. Throws `invalid_input` where it is none. */
export async function previewResult(db: Db, secret: Secret, content: string): Promise<z.output<typeof payoutApi.previewResult.response>> {
  const { format, rows, others } = await matchResult(db, secret, content)
  return { format, rows: rows.length, others, list: rows.slice(0, SHOWN).map(({ uuid: _uuid, ...row }) => row) }
}

/** Applies a result, each payment in a transaction of its own: applied again, or by two at once, it changes nothing more. */
export async function applyResult(
  db: Db,
  secret: Secret,
  actor: Actor,
  { content, confirmed, fees }: z.output<typeof payoutApi.applyResult.body>,
): Promise<z.output<typeof payoutApi.applyResult.response>> {
  const { rows } = await matchResult(db, secret, content)
  const sure = new Set(confirmed)
  const said = new Map(fees.map(({ reference, fee }) => [reference, fee]))
  const counts = { settled: 0, failed: 0, returned: 0, passed: 0 }
  const broken: unknown[] = []
  for (const row of rows) {
    const { uuid, becomes, external_id, reason } = row
    // a fee by hand answers what was asked about the fee, and nothing else
    const byHand = row.note !== null && FEE_RESULTS.includes(row.note) ? said.get(row.reference) : undefined
    const [note, fee] = byHand === undefined ? [row.note, row.fee] : [row.otherwise, byHand]
    const isAsked = note !== null && ASKED_RESULTS.includes(note) && sure.has(row.reference)
    if (uuid === null || becomes === null || (note !== null && !isAsked)) counts.passed++
    else if (
      await settleOrPass(broken, db, secret.now, actor, uuid, {
        becomes,
        external_id,
        fee,
        reason,
        fee_sure: isAsked || byHand !== undefined,
        sureRecalled: isAsked && note === 'recalled',
        ...(isAsked && note === 'amount_differs' && { said: `${row.amount} ${row.said_currency || row.currency}` }),
      })
    )
      counts[becomes]++
    else counts.passed++
  }
  // told after the others are booked: applied again, only what broke is tried once more
  if (broken.length > 0) throw broken[0]
  return counts
}

/** The same as `settleOne`, false too where a payment is refused or breaks: the others go on, and what broke is kept. */
async function settleOrPass(broken: unknown[], ...asked: Parameters<typeof settleOne>): Promise<boolean> {
  try {
    return await settleOne(...asked)
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'invalid_input')) broken.push(error)
    return false
  }
}

/** Says by hand what became of one payment. Throws `not_found`, `status_not_allowed`, `invalid_input`. */
export async function markPayout(db: Db, now: number, actor: Actor, uuid: string, told: Told): Promise<void> {
  const asked = askedDigest(actor.accountId, told)
  if (!(await settleOne(db, now, actor, uuid, { ...told, asked }))) throw new AppError('status_not_allowed')
}

/** Says that all payments of a file that are on their way arrived, each in a transaction of its own. Throws `not_found`. */
export async function markArrived(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  const file = await getFile(db, key)
  if (file === undefined) throw new AppError('not_found')
  const broken: unknown[] = []
  for (const { uuid } of await listSent(db, file.id))
    await settleOrPass(broken, db, now, actor, uuid, { becomes: 'settled', external_id: '', fee: '0', reason: '', fee_sure: false })
  if (broken.length > 0) throw broken[0]
}

/** Changes one payment and all its invoices; false where it is so already, or cannot become that. */
async function settleOne(db: Db, now: number, actor: Actor, uuid: string, told: Told): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const whose = await whosePayout(trx, uuid)
    if (whose === undefined) throw new AppError('not_found')
    await lockBilling(trx, whose)
    const payout = await lockPayout(trx, uuid)
    if (payout === undefined) return false
    if (told.asked !== undefined && payout.asked === told.asked) return true
    const recalled = payout.state === 'failed' && told.sureRecalled === true && (await isRecalled(trx, payout.file_id))
    if (becomesOf({ state: payout.state, recalled }, told.becomes) !== told.becomes) return false
    if (told.external_id !== '' && told.external_id !== payout.external_id && (await isBooked(trx, payout.source_id, told.external_id)))
      throw new AppError('invalid_input', { fields: { external_id: 'A payment with this number is booked already' } })
    const judged = await feeJudge(trx, now)(told.fee, payout)
    if (judged !== null && (judged !== 'odd' || !told.fee_sure))
      throw new AppError('invalid_input', { fields: { [judged === 'odd' ? 'fee_sure' : 'fee']: FEE_REFUSED[judged] } })
    const fee = toUnits(told.fee)
    const transfers: Transfer[] = []
    const parts = await paymentsOf(trx, [payout.id])
    await lockConversionsOn(
      trx,
      parts.map(({ invoice_id }) => invoice_id),
    )
    for (const [at, part] of parts.entries()) {
      const by = { trx, now, actor, ...(told.reason !== '' && { reason: told.reason }) }
      const becomes = recalled ? 'settled_late' : told.becomes
      const its = {
        ...part,
        source_id: payout.source_id,
        external_id: payout.external_id || told.external_id,
        ...(told.said !== undefined && { said: `≠ ${told.said}` }),
      }
      transfers.push(
        ...(await endPayment(by, its, becomes, at === 0 ? fee : 0n, movedOf(transfers, 'affiliate_prepaid', part.affiliate_id))),
      )
    }
    // the way there keeps its number: that of the way back stands with the reason
    const isBack = told.becomes === 'returned' && payout.external_id !== '' && told.external_id !== payout.external_id
    await updatePayout(trx, payout.id, {
      state: told.becomes,
      reason: isBack ? [told.reason, told.external_id].filter(Boolean).join(' · ').slice(0, 300) : told.reason,
      external_id: isBack ? payout.external_id : told.external_id || payout.external_id,
      fee: fromUnits(toUnits(payout.fee) + fee),
      asked: told.asked ?? null,
      ended_at: new Date(now),
    })
    const after = {
      state: told.becomes,
      reference: payout.reference,
      external_id: told.external_id,
      ...(told.said && { said_amount: told.said }),
    }
    await recordAudit(trx, actor, now, {
      action: `payment_${told.becomes}`,
      entity: 'payout_file',
      entityId: payout.file_id,
      before: { state: payout.state },
      after,
    })
    await post(trx, transfers)
    return true
  })
}
