import { toUnits } from '#contract/money/amount.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { behind } from '#server/platform/pg/pipeline.ts'
import { canonicalJson, chainHash, GENESIS } from '#server/rules/conversion/history-chain.ts'
import type { Change, RecordedChange } from '../conversion/change.ts'
import { lockHeads, saveHeads } from './history.queries.ts'
import { reasonForAffiliate } from '#server/rules/conversion/reason.ts'

type Written = Omit<RecordedChange, 'seq'>

/** Locks the heads of the histories some changes will be appended to, by affiliate, so that numbers have no gaps. */
export function lockHeadsOf(trx: Trx, changes: readonly Change[]) {
  return lockHeads(
    trx,
    changes.map(({ after }) => after.affiliate_id),
    changes.map(({ after }) => after.goal_id),
  )
}

/**
 * Appends one entry per change to the history of its affiliate, and to the chain in it where the affiliate is told of it. The
 * body holds only what the affiliate may see, because the affiliate can check it.
 */
export async function appendHistory(
  trx: Trx,
  changes: readonly Written[],
  { heads, hidden }: Awaited<ReturnType<typeof lockHeadsOf>>,
): Promise<RecordedChange[]> {
  const recorded: RecordedChange[] = []
  const rows = changes.map((change) => {
    const { after, before } = change
    const head = heads.get(after.affiliate_id) ?? { seq: 0, chain: GENESIS }
    const seq = head.seq + 1
    const isHidden = hidden.has(after.goal_id)
    // of what it saw once it is told also that it is worth nothing now
    const told = !isHidden || [before, after].some((row) => row !== null && toUnits(row.payout) !== 0n)
    const chainSeq = told ? head.chain.seq + 1 : null
    const body = historyBody(change, chainSeq, isHidden)
    const hash = told ? chainHash(head.chain.hash, canonicalJson(body)) : null
    heads.set(after.affiliate_id, { seq, chain: chainSeq === null || hash === null ? head.chain : { seq: chainSeq, hash } })
    recorded.push({ ...change, seq })
    return {
      affiliate_id: after.affiliate_id,
      seq,
      conversion_id: after.id,
      at: after.updated_at,
      from_status: before?.status ?? null,
      to_status: after.status,
      reason: after.reason,
      hold_until: after.hold_until,
      origin: change.origin,
      actor_id: change.actorId,
      batch_id: change.batchId ?? null,
      body,
      chain_seq: chainSeq,
      hash: hash === null ? null : Buffer.from(hash, 'hex'),
    }
  })
  await behind(trx, insertRows(trx, 'conversion_history', rows))
  await behind(trx, saveHeads(trx, heads))
  return recorded
}

function historyBody({ before, after }: Written, seq: number | null, hidden: boolean): Record<string, string | number | null> {
  return {
    affiliate: after.affiliate_id,
    seq,
    conversion: after.uuid,
    at: after.updated_at.toISOString(),
    from: before?.status ?? null,
    to: after.status,
    reason: reasonForAffiliate(after.reason),
    offer: after.offer_id,
    goal: hidden ? null : after.goal_id,
    payout: after.payout,
    currency: after.currency,
    click_id: after.click_id,
    transaction_id: after.transaction_id,
  }
}
