import { fromUnits, toUnits } from '#contract/money/amount.ts'
import { post } from '#server/features/money/ledger/posting.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { accrue } from './accrue.ts'
import { addToRow, factsOf, insertRow, lockReferral, noteClaim, openRow } from './accrue.queries.ts'

type When = { now: number; zone: string; actorId: number | null }

/**
 * Books what a referral has earned and was not booked yet, month by month, in the caller's transaction: on the row that is on no invoice, or on
 * a new one. The same again books nothing, and two at once wait for each other. Answers how many bookings were made.
 */
export async function accrueReferral(trx: Trx, referralId: number, { now, zone, actorId }: When): Promise<number> {
  const at = new Date(now)
  await lockReferral(trx, referralId)
  const transfers: Parameters<typeof post>[1][number][] = []
  for (const facts of await factsOf(trx, zone, referralId)) {
    const target = toUnits(facts.target)
    const last = { target: toUnits(facts.last_target), claim: toUnits(facts.claim) }
    const { claim, delta } = accrue({
      isKept: facts.is_kept,
      isActive: facts.is_active,
      target,
      lastTarget: last.target,
      claim: last.claim,
      booked: toUnits(facts.booked),
      invoiced: toUnits(facts.invoiced),
    })
    if (delta === 0n && target === last.target && claim === last.claim) continue
    const row = (await openRow(trx, facts)) ?? (await insertRow(trx, facts, at))
    await noteClaim(trx, facts, { target: fromUnits(target), claim: fromUnits(claim) })
    if (delta === 0n) continue
    const n = await addToRow(trx, row, fromUnits(delta), at)
    const { referrer_id: owner, currency } = facts
    transfers.push({
      key: `referral:${row}:${n}`,
      kind: 'referral',
      at,
      bookedAt: at,
      actorId,
      entries: [
        { kind: 'referral_cost', owner, currency, amount: delta },
        { kind: 'affiliate_referral', owner, currency, amount: -delta },
      ],
    })
  }
  await post(trx, transfers)
  return transfers.length
}
