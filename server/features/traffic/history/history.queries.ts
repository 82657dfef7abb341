import { sql, type Selectable } from 'kysely'
import { writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { canonicalJson, GENESIS, type ChainEntry, type ChainHead } from '#server/rules/conversion/history-chain.ts'

/** Entries of an affiliate's chain in order, as the verifier takes them, and its head. */
export async function readChain(
  db: DbOrTrx,
  affiliateId: number,
  afterSeq: number,
  count: number,
): Promise<{ head: ChainHead; list: ChainEntry[] }> {
  const [head, rows] = await Promise.all([
    db.selectFrom('history_head').select(['chain_seq', 'hash']).where('affiliate_id', '=', affiliateId).executeTakeFirst(),
    db
      .selectFrom('conversion_history')
      .select(['chain_seq', 'body', 'hash'])
      .where('affiliate_id', '=', affiliateId)
      .where('chain_seq', '>', afterSeq)
      .orderBy('chain_seq')
      .limit(count)
      .$narrowType<{ chain_seq: number; hash: Buffer }>() // both are there or neither
      .execute(),
  ])
  return {
    head: head === undefined ? GENESIS : { seq: head.chain_seq, hash: head.hash.toString('hex') },
    list: rows.map((row) => ({ seq: row.chain_seq, body: canonicalJson(row.body), hash: row.hash.toString('hex') })),
  }
}

/** The last two entries of each of some conversions, the last one first. */
export async function lastEntries(db: DbOrTrx, conversionIds: readonly string[]) {
  const { rows } = await sql<HistoryEntry & { conversion_id: string }>`
    select e.* from unnest(${[...conversionIds]}::bigint[]) as c (id)
      cross join lateral (select conversion_id, seq, to_status, reason, hold_until, origin, actor_id, at from conversion_history
        where conversion_id = c.id order by seq desc limit 2) e
     order by e.conversion_id, e.seq desc`.execute(db)
  return Map.groupBy(rows, (row) => row.conversion_id)
}

type HistoryEntry = Pick<
  Selectable<Tables['conversion_history']>,
  'seq' | 'to_status' | 'reason' | 'hold_until' | 'origin' | 'actor_id' | 'at'
>

/** How far an affiliate's history has come: its last entry, and the last one of its chain. */
export type HistoryHead = { seq: number; chain: ChainHead }

/** Makes the heads that are missing and locks all of them, in the order of affiliates; says beside them which of some goals are hidden. */
export async function lockHeads(
  trx: Trx,
  affiliateIds: number[],
  goalIds: number[],
): Promise<{ heads: Map<number, HistoryHead>; hidden: Set<number> }> {
  const rows = await lockedHeads(trx, { affiliateIds, goalIds: [...new Set(goalIds)] })
  return {
    heads: new Map(rows.map((row) => [row.affiliate_id, { seq: row.seq, chain: { seq: row.chain_seq, hash: row.hash.toString('hex') } }])),
    hidden: new Set(rows[0]?.hidden),
  }
}

const lockedHeads = writeOnce(
  ({ affiliateIds, goalIds }: { affiliateIds: number[]; goalIds: number[] }) => sql<{
    affiliate_id: number
    seq: number
    chain_seq: number
    hash: Buffer
    hidden: number[]
  }>`
    insert into history_head as head (affiliate_id, seq, chain_seq, hash)
    select distinct affiliate_id, 0, 0, ${Buffer.from(GENESIS.hash, 'hex')}::bytea from unnest(${affiliateIds}::int[]) as affiliate_id order by affiliate_id
    on conflict (affiliate_id) do update set seq = head.seq
    returning affiliate_id, seq, chain_seq, hash, array(select id from goal where hidden and id = any(${goalIds}::int[])) as hidden`,
)

/** Writes where the histories end now, of heads that are held. As an insert its plan is kept: an update is planned anew each time. */
export async function saveHeads(trx: Trx, heads: Map<number, HistoryHead>): Promise<void> {
  const all = [...heads]
  await savedHeads(trx, {
    ids: all.map(([id]) => id),
    seqs: all.map(([, head]) => head.seq),
    chainSeqs: all.map(([, { chain }]) => chain.seq),
    hashes: all.map(([, { chain }]) => chain.hash),
  })
}
const savedHeads = writeOnce(
  ({ ids, seqs, chainSeqs, hashes }: { ids: number[]; seqs: number[]; chainSeqs: number[]; hashes: string[] }) => sql`
    insert into history_head as head (affiliate_id, seq, chain_seq, hash)
    select affiliate_id, seq, chain_seq, decode(hash, 'hex')
      from unnest(${ids}::int[], ${seqs}::int[], ${chainSeqs}::int[], ${hashes}::text[]) as fresh (affiliate_id, seq, chain_seq, hash)
    on conflict (affiliate_id) do update set seq = excluded.seq, chain_seq = excluded.chain_seq, hash = excluded.hash`,
)
