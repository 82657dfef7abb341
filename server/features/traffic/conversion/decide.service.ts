import type { z } from 'zod'
import type { conversionApi, decision } from '#contract/traffic/conversion.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { scaleOfCurrency } from '#server/features/money/currency/currency.service.ts'
import { isLost, mayBecome, settle, takesPlace } from '#server/rules/conversion/conversion-status.ts'
import { tellAffiliates, untellDeclined } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { lastEntries } from '../history/history.queries.ts'
import { recordChanges } from './change.service.ts'
import type { Change, ConversionRow, RecordedChange } from './change.ts'
import { lockConversions } from './conversion.queries.ts'
import { repaid } from './plan-report.service.ts'
import { holdDaysOf } from './terms.queries.ts'

type Decision = z.output<typeof decision>
type Recorded = z.output<typeof conversionApi.undo.body>['decisions'][number]
type Refused = { uuid: string; reason: 'not_found' | 'same_status' | 'not_allowed' | 'changed_meanwhile' }

/**
 * Gives conversions in scope the status staff decide on; each that cannot take it is answered with its reason, the
 * others change. Approving one on hold releases it; approving another starts its hold where days are left.
 * Throws `invalid_input` when a decline says no reason.
 */
export async function decideConversions(
  db: Db,
  now: number,
  actor: Actor,
  input: Decision,
): Promise<{ changed: number; refused: Refused[]; decisions: Recorded[]; hold_until: string | null }> {
  if (isLost(input.status) && input.reason === '')
    throw new AppError('invalid_input', { fields: { reason: 'Say why: the affiliate sees it' } })
  return db.transaction().execute(async (trx) => {
    const rows = await lockConversions(trx, actor.scope, input.uuids)
    const holdDays = await holdDaysOf(
      trx,
      rows.map((row) => row.offer_id),
    )
    const refused: Refused[] = missing(input.uuids, rows)
    const changes: Change[] = []
    for (const before of rows) {
      const at = before.created_at.getTime()
      const settled =
        input.status === 'approved' && before.status === 'hold'
          ? { status: 'approved' as const, holdUntil: null }
          : settle(input.status, { at, holdDays: holdDays.get(before.offer_id) ?? 0, now })
      if (input.expected !== undefined && before.status !== input.expected) refused.push({ uuid: before.uuid, reason: 'changed_meanwhile' })
      else if (settled.status === before.status) refused.push({ uuid: before.uuid, reason: 'same_status' })
      else if (!mayBecome(before, settled.status, 'staff')) refused.push({ uuid: before.uuid, reason: 'not_allowed' })
      else {
        const holdUntil = settled.holdUntil === null ? null : new Date(settled.holdUntil)
        const after = repaid(await scaleOfCurrency(trx, before.currency), before, {
          ...before,
          status: settled.status,
          hold_until: holdUntil,
          reason: input.reason,
          updated_at: new Date(now),
        })
        changes.push({ before, after, origin: 'staff', actorId: actor.accountId })
      }
    }
    const recorded = await recordChanges(trx, changes, now)
    // many are told together: one for each affiliate, never one for each conversion
    const lost = recorded.filter(({ after }) => isLost(after.status))
    const notices = [...Map.groupBy(lost, ({ after }) => after.affiliate_id)].map(([affiliateId, those]) => ({
      kind: 'conversions_declined' as const,
      affiliateId,
      status: input.status,
      reason: input.reason,
      count: those.length,
    }))
    await tellAffiliates(trx, now, notices)
    await logDecisions(trx, actor, now, 'decide', recorded)
    const holds = recorded.flatMap(({ after }) => (after.status === 'hold' ? (after.hold_until?.toISOString() ?? []) : []))
    return {
      changed: recorded.length,
      refused,
      decisions: recorded.map(({ after, seq }) => ({ uuid: after.uuid, seq })),
      hold_until: holds.toSorted().at(-1) ?? null,
    }
  })
}

/**
 * Takes decisions of the actor back: each conversion in scope returns to the status, reason and hold it had, unless something
 * has happened to it since, which is refused as `changed_meanwhile`. A hold that would be over by now is over.
 */
export function undoDecisions(
  db: Db,
  now: number,
  actor: Actor,
  decisions: readonly Recorded[],
): Promise<{ changed: number; refused: Refused[] }> {
  return db.transaction().execute(async (trx) => {
    const seqOf = new Map(decisions.map(({ uuid, seq }) => [uuid, seq]))
    const rows = await lockConversions(trx, actor.scope, [...seqOf.keys()])
    const entries = await lastEntries(
      trx,
      rows.map((row) => row.id),
    )
    const refused: Refused[] = missing([...seqOf.keys()], rows)
    const changes: Change[] = []
    const lost: { affiliateId: number; at: Date }[] = []
    for (const before of rows) {
      const [decided, earlier] = entries.get(before.id) ?? []
      const isOwn = decided?.origin === 'staff' && decided.actor_id === actor.accountId && decided.seq === seqOf.get(before.uuid)
      if (!isOwn || earlier === undefined) {
        refused.push({ uuid: before.uuid, reason: 'changed_meanwhile' })
        continue
      }
      const isHeld = earlier.to_status === 'hold' && earlier.hold_until !== null && earlier.hold_until.getTime() > now
      const status = earlier.to_status === 'hold' && !isHeld ? 'approved' : earlier.to_status
      if (status === before.status) refused.push({ uuid: before.uuid, reason: 'same_status' })
      // of holds from before the entries told their end it is not known whether they are over
      else if ((earlier.to_status === 'hold' && earlier.hold_until === null) || !mayBecome(before, status, 'staff'))
        refused.push({ uuid: before.uuid, reason: 'not_allowed' })
      else {
        const unpaid = !before.within_cap && takesPlace(earlier.to_status)
        const paid = repaid(await scaleOfCurrency(trx, before.currency), before, {
          ...before,
          status,
          hold_until: isHeld ? earlier.hold_until : null,
          reason: earlier.reason,
          updated_at: new Date(now),
        })
        const after = unpaid && !paid.payout.startsWith('-') ? { ...paid, payout: '0.0000' } : paid
        changes.push({ before, after, origin: 'staff', actorId: actor.accountId, unpaid })
        if (isLost(before.status)) lost.push({ affiliateId: before.affiliate_id, at: decided.at })
      }
    }
    const recorded = await recordChanges(trx, changes, now)
    await untellDeclined(trx, lost)
    await logDecisions(trx, actor, now, 'undo', recorded)
    return { changed: recorded.length, refused }
  })
}

function logDecisions(trx: Trx, actor: Actor, now: number, action: 'decide' | 'undo', recorded: readonly RecordedChange[]): Promise<void> {
  return recordAudit(
    trx,
    actor,
    now,
    recorded.map(({ before, after }) => ({
      action,
      entity: 'conversion',
      entityId: after.id,
      before: { status: before?.status, reason: before?.reason },
      after: { status: after.status, reason: after.reason },
    })),
  )
}

function missing(uuids: readonly string[], rows: readonly ConversionRow[]): Refused[] {
  const found = new Set(rows.map((row) => row.uuid))
  return [...new Set(uuids)].filter((uuid) => !found.has(uuid)).map((uuid) => ({ uuid, reason: 'not_found' }))
}
