import { sql } from 'kysely'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { canonicalJson, chainHash, GENESIS, type ChainEntry, type ChainHead } from '#server/rules/conversion/history-chain.ts'
import type { RecordedChange } from './change.service.ts'

type Written = Omit<RecordedChange, 'seq'>

/**
 * Appends one entry per change to the chain of its affiliate. The heads are locked by affiliate, so that numbers have
 * no gaps; the body holds only what the affiliate may see, because the affiliate can check it.
 */
export async function appendHistory(trx: Trx, changes: readonly Written[]): Promise<RecordedChange[]> {
  const heads = await lockHeads(
    trx,
    changes.map((change) => change.after.affiliate_id),
  )
  const recorded: RecordedChange[] = []
  const rows = changes.map((change) => {
    const { after, before } = change
    const head = heads.get(after.affiliate_id) ?? GENESIS
    const seq = head.seq + 1
    const body = historyBody(change, seq)
    const hash = chainHash(head.hash, canonicalJson(body))
    heads.set(after.affiliate_id, { seq, hash })
    recorded.push({ ...change, seq })
    return {
      affiliate_id: after.affiliate_id, seq, conversion_id: after.id, at: after.updated_at, from_status: before?.status ?? null, to_status: after.status,
      reason: after.reason, origin: change.origin, actor_id: change.actorId, body, hash: Buffer.from(hash, 'hex'),
    } // prettier-ignore
  })
  await insertRows(trx, 'conversion_history', rows)
  await saveHeads(trx, heads)
  return recorded
}

/** Entries of an affiliate's chain in order, as the verifier takes them, and its head. */
export async function readChain(
  db: DbOrTrx,
  affiliateId: number,
  afterSeq: number,
  count: number,
): Promise<{ head: ChainHead; list: ChainEntry[] }> {
  const [head, rows] = await Promise.all([
    db.selectFrom('history_head').select(['seq', 'hash']).where('affiliate_id', '=', affiliateId).executeTakeFirst(),
    db
      .selectFrom('conversion_history')
      .select(['seq', 'body', 'hash'])
      .where('affiliate_id', '=', affiliateId)
      .where('seq', '>', afterSeq)
      .orderBy('seq')
      .limit(count)
      .execute(),
  ])
  return {
    head: head === undefined ? GENESIS : { seq: head.seq, hash: head.hash.toString('hex') },
    list: rows.map((row) => ({ seq: row.seq, body: canonicalJson(row.body), hash: row.hash.toString('hex') })),
  }
}

function historyBody({ before, after }: Written, seq: number): Record<string, string | number | null> {
  return {
    affiliate: after.affiliate_id,
    seq,
    conversion: after.uuid,
    at: after.updated_at.toISOString(),
    from: before?.status ?? null,
    to: after.status,
    reason: after.reason,
    offer: after.offer_id,
    goal: after.goal_id,
    payout: after.payout,
    currency: after.currency,
    click_id: after.click_id,
    transaction_id: after.transaction_id,
  }
}

async function lockHeads(trx: Trx, affiliateIds: number[]): Promise<Map<number, ChainHead>> {
  const { rows } = await sql<{ affiliate_id: number; seq: number; hash: Buffer }>`
    insert into history_head as head (affiliate_id, seq, hash)
    select distinct affiliate_id, 0, ${Buffer.from(GENESIS.hash, 'hex')}::bytea from unnest(${affiliateIds}::int[]) as affiliate_id order by affiliate_id
    on conflict (affiliate_id) do update set seq = head.seq
    returning affiliate_id, seq, hash`.execute(trx)
  return new Map(rows.map((row) => [row.affiliate_id, { seq: row.seq, hash: row.hash.toString('hex') }]))
}

async function saveHeads(trx: Trx, heads: Map<number, ChainHead>): Promise<void> {
  const all = [...heads]
  await sql`
    update history_head as head set seq = fresh.seq, hash = decode(fresh.hash, 'hex')
      from unnest(${all.map(([id]) => id)}::int[], ${all.map(([, head]) => head.seq)}::int[], ${all.map(([, head]) => head.hash)}::text[]) as fresh (affiliate_id, seq, hash)
     where head.affiliate_id = fresh.affiliate_id`.execute(trx)
}
