import type { z } from 'zod'
import { SELF_CHECKS, type selfCheck } from '#contract/network/system.ts'
import type { BooksDifference } from '#contract/money/ledger.ts'
import { lookAtBooks } from '#server/features/money/ledger/books.service.ts'
import { compareFacts } from '#server/features/traffic/fact/rebuild.service.ts'
import { readChain } from '#server/features/traffic/history/history.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { GENESIS, verifyChain } from '#server/rules/conversion/history-chain.ts'
import { periodOf } from '#server/rules/zone-day.ts'
import {
  clickSums,
  countAccounts,
  countConversions,
  countTransfers,
  crookedCounters,
  listCounters,
  someChains,
  type Compared,
} from './self-check.queries.ts'

type Parts = { db: Db; clickhouse: Clickhouse }
type Look = Parts & { books: () => ReturnType<typeof lookAtBooks> }
export type SelfCheck = z.output<typeof selfCheck>

const MOST_COUNTERS = 5_000
const MOST_CHAINS = 25
/** Of each chain the last so many entries: the whole of most. */
const MOST_ENTRIES = 2_000
const HOUR = 3_600_000
const QUARTER = 900_000
const EXAMPLES = 10

/**
 * Compares what is written down twice: balances with their entries, facts with conversions, counters with what they count,
 * chains with their hashes, roll-ups with their clicks. Mends nothing. `step` hears how many of `SELF_CHECKS` are done.
 */
export async function checkItself(parts: Parts, now: number, step: (done: number) => Promise<void>): Promise<SelfCheck[]> {
  const found: SelfCheck[] = []
  // accounts and transfers are compared in one snapshot
  let books: ReturnType<typeof lookAtBooks> | undefined
  const look = { ...parts, books: () => (books ??= lookAtBooks(parts.db, now)) }
  for (const id of SELF_CHECKS) {
    await step(found.length)
    try {
      found.push({ id, skipped: '', ...(await CHECKS[id](look, now)) })
    } catch (error) {
      // one that cannot be compared, as while the statistics are away, keeps nobody from the others
      found.push({ id, compared: 0, different: 0, examples: [], skipped: error instanceof Error ? error.message : String(error) })
    }
  }
  return found
}

const CHECKS: Readonly<Record<(typeof SELF_CHECKS)[number], (parts: Look, now: number) => Promise<Compared>>> = {
  ledger: async ({ db, books }) => told(await countAccounts(db), (await books()).accounts),
  transfers: async ({ db, books }) => told(await countTransfers(db), (await books()).transfers),
  facts: ({ db, clickhouse }) => checkFacts(db, clickhouse),
  caps: ({ db }) => checkCaps(db),
  chain: ({ db }) => checkChains(db),
  clicks: ({ clickhouse }, now) => checkClicks(clickhouse, now),
}

function told(compared: number, found: readonly BooksDifference[]): Compared {
  const examples = found.map(
    ({ rule, kind, owner, currency, expected, found: is, transfer }) =>
      `${[rule, transfer, kind, owner, currency].filter((part) => part !== null).join(' ')}: ${is} ≠ ${expected}`,
  )
  return { compared, different: found.length, examples: examples.slice(0, EXAMPLES) }
}

async function checkFacts(db: Db, clickhouse: Clickhouse): Promise<Compared> {
  // whoever sends facts leads for a moment only
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const compared = await compareFacts(db, clickhouse)
    if (compared !== null) {
      const examples = compared.map(
        ({ offer, status, currency, conversions, payout }) => `offer ${offer}, ${status}: ${conversions}, ${payout} ${currency}`,
      )
      return { compared: await countConversions(db), different: compared.length, examples: examples.slice(0, EXAMPLES) }
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('facts were on their way all the time')
}

async function checkCaps(db: Db): Promise<Compared> {
  const counters = (await listCounters(db, MOST_COUNTERS)).map((one) => ({
    ...one,
    ends: new Date(periodOf(one.period, one.starts.getTime(), one.time_zone).ends),
  }))
  return crookedCounters(db, counters)
}

async function checkChains(db: Db): Promise<Compared> {
  const chains = await someChains(db, MOST_CHAINS)
  const broken: string[] = []
  for (const { affiliate_id, seq } of chains) {
    const after = Math.max(0, seq - MOST_ENTRIES)
    // with the entry before, whose hash the first one covers
    const { list } = await readChain(db, affiliate_id, Math.max(0, after - 1), MOST_ENTRIES + 1)
    const before = after === 0 ? undefined : list.shift()
    const verdict = verifyChain(list, before === undefined ? GENESIS : { seq: before.seq, hash: before.hash })
    const brokenAt = 'brokenAt' in verdict ? verdict.brokenAt : verdict.head.seq < seq ? verdict.head.seq + 1 : null
    if (brokenAt !== null) broken.push(`affiliate ${affiliate_id}, entry ${brokenAt}`)
  }
  return { compared: chains.length, different: broken.length, examples: broken.slice(0, EXAMPLES) }
}

/** The last two days but the last hour, whose clicks may still be on their way. */
async function checkClicks(clickhouse: Clickhouse, now: number): Promise<Compared> {
  const to = Math.floor((now - HOUR) / QUARTER) * QUARTER
  const sums = await clickSums(clickhouse, to - 48 * HOUR, to)
  const clicks = sums.find(({ name }) => name === 'click')?.sums ?? ''
  const wrong = sums.filter((one) => one.sums !== clicks).map((one) => `${one.name}: ${one.sums} ≠ ${clicks}`)
  return { compared: Number(clicks.split(' ')[0] ?? 0), different: wrong.length, examples: wrong }
}
