import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { payoutApi, PayoutResultRow } from '#contract/money/payout.ts'
import type { Actor } from '#server/access/actor.ts'
import { endPayment } from '#server/features/money/invoice/payout-step.service.ts'
import { lockConversionsOn } from '#server/features/money/invoice/line.queries.ts'
import { isBooked } from '#server/features/money/invoice/payment.queries.ts'
import { lockBilling } from '#server/features/money/invoice/step.service.ts'
import { post, type Transfer } from '#server/features/money/ledger/posting.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readResult } from './format/read-result.ts'
import type { Result, ResultRow } from './format/result-row.ts'
import { getFile, lockPayout, paymentsOf, payoutsByReference, sentOfFile, updatePayout, whosePayout } from './payout.queries.ts'

type Becomes = 'settled' | 'failed' | 'returned'
type Told = { becomes: Becomes; external_id: string; fee: string; reason: string }
type Previewed = PayoutResultRow & { uuid: string | null }

/** So many rows a preview shows; all are applied. */
const SHOWN = 1000

/** What a result would change. Throws `invalid_input` where it is none. */
export async function previewResult(db: Db, content: string): Promise<z.output<typeof payoutApi.previewResult.response>> {
  const { format, rows } = await matched(db, content)
  return { format, rows: rows.length, list: rows.slice(0, SHOWN).map(({ uuid: _uuid, ...row }) => row) }
}

/** Applies a result, each payment in a transaction of its own: applied again, or by two at once, it changes nothing more. */
export async function applyResult(
  db: Db,
  now: number,
  actor: Actor,
  { content, confirmed }: z.output<typeof payoutApi.applyResult.body>,
): Promise<z.output<typeof payoutApi.applyResult.response>> {
  const { rows } = await matched(db, content)
  const sure = new Set(confirmed)
  const counts = { settled: 0, failed: 0, returned: 0, passed: 0 }
  for (const row of rows) {
    const { uuid, becomes, external_id, fee, reason, note } = row
    const isAsked = note === 'amount_differs' && sure.has(row.reference)
    if (uuid === null || becomes === null || (note !== null && !isAsked)) counts.passed++
    else if (await settleOne(db, now, actor, uuid, { becomes, external_id, fee, reason })) counts[becomes]++
    else counts.passed++
  }
  return counts
}

/** Says by hand what became of one payment. Throws `not_found`, `status_not_allowed`, `invalid_input`. */
export async function markPayout(db: Db, now: number, actor: Actor, uuid: string, told: Told): Promise<void> {
  if (!(await settleOne(db, now, actor, uuid, told))) throw new AppError('status_not_allowed')
}

/** Changes one payment and all its invoices; false where it is so already, or cannot become that. */
async function settleOne(db: Db, now: number, actor: Actor, uuid: string, told: Told): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const whose = await whosePayout(trx, uuid)
    if (whose === undefined) throw new AppError('not_found')
    await lockBilling(trx, whose)
    const payout = await lockPayout(trx, uuid)
    if (payout === undefined || becomesOf(payout.state, told.becomes) !== told.becomes) return false
    if (told.external_id !== '' && told.external_id !== payout.external_id && (await isBooked(trx, payout.source_id, told.external_id)))
      throw new AppError('invalid_input', { fields: { external_id: 'A payment with this number is booked already' } })
    const fee = toUnits(told.fee)
    const transfers: Transfer[] = []
    const parts = await paymentsOf(trx, [payout.id])
    await lockConversionsOn(
      trx,
      parts.map(({ invoice_id }) => invoice_id),
    )
    for (const [at, part] of parts.entries()) {
      const by = { trx, now, actor, ...(told.reason !== '' && { reason: told.reason }) }
      transfers.push(...(await endPayment(by, { ...part, source_id: payout.source_id }, told.becomes, at === 0 ? fee : 0n)))
    }
    await updatePayout(trx, payout.id, {
      state: told.becomes,
      reason: told.reason,
      external_id: told.external_id || payout.external_id,
      fee: fromUnits(toUnits(payout.fee) + fee),
      ended_at: new Date(now),
    })
    const after = { state: told.becomes, reference: payout.reference, external_id: told.external_id }
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

/** What a payment of a state can become of what is said: one that comes back before it was said to have arrived has failed. */
function becomesOf(state: string, said: Becomes): Becomes | null {
  if (state === 'sent') return said === 'returned' ? 'failed' : said
  return state === 'settled' && said === 'returned' ? 'returned' : null
}

async function matched(db: Db, content: string): Promise<{ format: Result['format']; rows: Previewed[] }> {
  const result = readResult(content)
  if (result === null)
    throw new AppError('invalid_input', {
      fields: { content: 'This is neither a pain.002 nor a table with the columns reference and status' },
    })
  const said = result.whole === null ? result.rows : await rowsOfWhole(db, result.whole)
  const known = await payoutsByReference(
    db,
    said.map(({ reference }) => reference),
  )
  const seen = new Set<string>()
  const rows = said.map((row): Previewed => {
    const payout = known.get(row.reference)
    const ours = payout === undefined ? null : fromUnits(toUnits(payout.amount) - toUnits(payout.charged))
    const isAgain = seen.has(row.reference)
    seen.add(row.reference)
    const asked = row.status === 'pending' || row.status === 'unknown' ? null : row.status
    const becomes = payout === undefined || asked === null ? null : becomesOf(payout.state, asked)
    return {
      uuid: payout?.uuid ?? null,
      reference: row.reference,
      affiliate: payout?.affiliate ?? '',
      amount: row.amount,
      ours,
      said: row.said,
      becomes,
      external_id: row.externalId,
      fee: row.fee ?? '0',
      reason: row.reason,
      note: isAgain ? 'twice' : noteOf(row, payout, { becomes, ours }),
    }
  })
  return { format: result.format, rows }
}

function noteOf(
  row: ResultRow,
  payout: { state: string; currency: string } | undefined,
  { becomes, ours }: { becomes: Becomes | null; ours: string | null },
): PayoutResultRow['note'] {
  if (payout === undefined) return 'unknown_reference'
  if (row.status === 'unknown') return 'unknown_status'
  if (row.status === 'pending') return 'nothing'
  if (becomes === null) return payout.state === row.status ? 'already' : 'not_possible'
  const isOther = row.amount !== null && ours !== null && toUnits(row.amount) !== toUnits(ours)
  return isOther || (row.currency !== '' && row.currency !== payout.currency) ? 'amount_differs' : null
}

/** A bank that says one thing of a whole file says it of each of its payments. */
async function rowsOfWhole(db: Db, { fileId, status, reason }: NonNullable<Result['whole']>): Promise<ResultRow[]> {
  const uuid = /^[0-9a-f]{32}$/.test(fileId) ? fileId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null
  const file = uuid === null ? undefined : await getFile(db, uuid)
  if (file === undefined) throw new AppError('invalid_input', { fields: { content: 'It tells of a file that is not among ours' } })
  const references = await sentOfFile(db, file.id)
  return references.map((one) => ({ reference: one, status, said: status, amount: null, currency: '', fee: null, externalId: '', reason }))
}
