import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { StoredClick } from '#server/features/traffic/click/click.queries.ts'
import { receivePostbacks } from '#server/features/traffic/postback/incoming/receive-batch.service.ts'
import { openReceiveParts, receivePostback, type ReceiveParts } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { startSnapshotFeed } from '#server/features/traffic/snapshot/snapshot-feed.ts'
import { startInternal } from '#server/processes/roles/internal.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { handOver, inParallel, makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { grouped, printTable } from './figures.ts'

// npm run bench -- postbacks [--count=4000]
//
// Conversions per second with all that belongs to each: the call as it came, conversion, history with its chain, two transfers of the
// books, a fact. Each call is of another click; half of them are one affiliate's, whose history is one chain. PostgreSQL syncs its
// commits. Clicks are answered from memory: the engine is measured by `ingest`. "Alone" takes one call at a time with eight under way, as
// before there were batches; the others are what two trackers hand over: fifty calls at a time, or two hundred, which is what they come
// to while they are answered quickly (server/tracker/postback/batch-size.ts); "over HTTP" the same through the door trackers use. The goal:
// 1,000 a second.

const LEAST = 50
const MOST = 200

/** Runs the bench: prints conversions a second of each way, and what one costs in statements. */
export async function run(args: string[]): Promise<void> {
  const count = Number(args.find((argument) => argument.startsWith('--count='))?.split('=')[1] ?? 4_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-postbacks-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: true })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const make = await caller(db)
    const clock = { now: () => Date.now() }
    const parts = openReceiveParts({ db, clock, findClick: make.findClick })
    const rows: string[][] = [['way', 'seconds', 'conversions a second', 'statements each', 'against alone']]
    let before = 0
    const { stop, ...sent } = await ways(parts, url)
    for (const [name, send] of Object.entries(sent)) {
      await send(make.calls(2 * MOST)) // warm
      const calls = make.calls(count)
      const booked = await bookedIn(db)
      const since = performance.now()
      const statements = await countStatements(() => send(calls))
      const seconds = (performance.now() - since) / 1000
      const now = await bookedIn(db)
      if (now.conversions - booked.conversions !== count || now.transfers - booked.transfers !== 2 * count)
        throw new Error(
          `${name}: ${now.conversions - booked.conversions} conversions, ${now.transfers - booked.transfers} transfers of ${count}`,
        )
      const rate = count / seconds
      before ||= rate
      rows.push([name, seconds.toFixed(1), grouped(Math.round(rate)), (statements / count).toFixed(1), `${(rate / before).toFixed(1)} ×`])
    }
    printTable(`${grouped(count)} conversions each, 40 advertisers, half of one affiliate, load ${loadavg()[0]?.toFixed(1)}`, rows)
    await stop()
    await db.destroy()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Call = ReturnType<typeof handOver>

async function ways(parts: ReceiveParts, databaseUrl: string) {
  const url = 'http://127.0.0.1:4362'
  const feed = await startSnapshotFeed({ db: parts.db, databaseUrl, clock: parts.clock })
  const internal = await startInternal({
    url,
    secret: 'bench',
    feed,
    receivePostbacks: (handovers) => receivePostbacks(parts, handovers),
    countStrays: async () => true,
    findClick: parts.findClick,
  })
  const batches = (calls: Call[], size: number) =>
    Array.from({ length: Math.ceil(calls.length / size) }, (_none, at) => calls.slice(at * size, (at + 1) * size))
  const post = (batch: Call[]) =>
    fetch(`${url}/internal/postbacks`, {
      method: 'POST',
      headers: { 'x-internal-secret': 'bench', 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    }).then((answer) => answer.json())
  return {
    stop: async () => {
      await internal.stop()
      await feed.stop()
    },
    alone: (calls: Call[]) => inParallel(calls, 8, (call) => receivePostback(parts, call)),
    'fifty at a time': (calls: Call[]) => inParallel(batches(calls, LEAST), 2, (batch) => receivePostbacks(parts, batch)),
    'two hundred': (calls: Call[]) => inParallel(batches(calls, MOST), 2, (batch) => receivePostbacks(parts, batch)),
    'over HTTP': (calls: Call[]) => inParallel(batches(calls, MOST), 2, post),
  }
}

/** Makes calls about clicks that were not reported before. */
async function caller(db: Db) {
  const keys = await makeClickKeys(db)
  const offers = await Promise.all(Array.from({ length: 40 }, () => makeOffer(db)))
  const affiliates = await Promise.all(Array.from({ length: 50 }, () => makeAffiliateId(db)))
  const clicks = new Map<string, StoredClick>()
  let number = 0
  const calls = (count: number): Call[] =>
    Array.from({ length: count }, () => {
      number++
      const offer = offers[number % offers.length]
      const affiliateId = affiliates[number % 2 === 0 ? 0 : number % affiliates.length] ?? 0
      if (offer === undefined) throw new Error('no offer')
      const click = makeClick(keys, { offerId: offer.id, affiliateId, at: Date.now() - 60_000 - number })
      const { random = 0 } = readClickId(click.id, keys) ?? {}
      clicks.set(`${affiliateId} ${random}`, { ...click, reason: '', test: false } as unknown as StoredClick) // all a conversion takes of it
      const received_at = new Date().toISOString()
      return handOver({ click_id: click.id, token: offer.token, status: 'approved', transaction_id: `T-${number}` }, { received_at })
    })
  const findClick: ReceiveParts['findClick'] = async ({ affiliateId, random }) => clicks.get(`${affiliateId} ${random}`) ?? null
  return { calls, findClick }
}

async function bookedIn(db: Db): Promise<{ conversions: number; transfers: number }> {
  const { rows } = await sql<{ conversions: string; transfers: string }>`
    select (select count(*) from conversion) as conversions, (select count(*) from ledger_transfer) as transfers`.execute(db)
  return { conversions: Number(rows[0]?.conversions), transfers: Number(rows[0]?.transfers) }
}

/** How many statements were sent meanwhile, by what the driver hands to its connections. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { Connection } = (await import('pg')).default
  const { execute, query } = Connection.prototype
  let count = 0
  const counting = <Given extends unknown[]>(original: (...given: Given) => unknown) =>
    function counted(this: unknown, ...given: Given) {
      count++
      return Reflect.apply(original, this, given)
    }
  // one with parameters is executed, one without is a query
  Object.assign(Connection.prototype, { execute: counting(execute), query: counting(query) })
  try {
    await work()
  } finally {
    Object.assign(Connection.prototype, { execute, query })
  }
  return count
}
