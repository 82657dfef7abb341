import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { advertiserBillingApi } from '#contract/money/advertiser-billing.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { showReceivables } from '#server/features/money/advertiser-billing/advertiser-billing.service.ts'
import { showEntries, showTrial } from '#server/features/money/ledger/entry.service.ts'
import { showTrialSums } from '#server/features/money/ledger/trial-sums.service.ts'
import { storeTrials } from '#server/features/money/ledger/trial.jobs.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { grouped, printTable } from './figures.ts'
import { makeBooks } from './load/books.ts'

// npm run bench -- books [--conversions=1000000] [--advertisers=1000] [--keep=directory]
//
// What people ask of the books of a network that has worked for three months: who owes what, the trial balance, an account's entries.
// With `--keep` the database stays there, and what stands there is asked again: so two versions are compared on the same rows.
// The goal: each first page under 100 ms.

const TIMES = 7

/** Runs the bench: prints how long each question takes. */
export async function run(args: string[]): Promise<void> {
  const option = (name: string) => args.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
  const conversions = Number(option('conversions') ?? 1_000_000)
  const keep = option('keep')
  const dataDir = keep ?? mkdtempSync(join(tmpdir(), 'bench-books-'))
  const isThere = existsSync(join(dataDir, 'pg'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: false })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    if (!isThere) await makeBooks(db, { conversions, advertisers: Number(option('advertisers') ?? 1000), now: Date.now() })
    await ask(db)
    await db.destroy()
  } finally {
    await postgres.stop()
    if (keep === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ask(db: ReturnType<typeof openDatabase>): Promise<void> {
  const now = Date.now()
  const rows: [string, string, string][] = []
  const timed = async (name: string, work: () => Promise<unknown>, times = TIMES) => {
    const took: number[] = []
    for (let time = 0; time < times; time++) {
      const since = performance.now()
      await work()
      took.push(performance.now() - since)
    }
    took.sort((a, b) => a - b)
    rows.push([name, grouped(took[0] ?? 0), grouped(took[times >> 1] ?? 0)])
  }
  const month = (back: number) => Temporal.Now.plainDateISO().subtract({ months: back }).toPlainYearMonth().toString()
  const busiest = await db
    .selectFrom('ledger_account')
    .select(['owner_id'])
    .where('kind', '=', 'payout_cost')
    .limit(1)
    .executeTakeFirstOrThrow()
  const entries = (more: object) =>
    showEntries(
      db,
      now,
      { owner: 'affiliate', ownerId: busiest.owner_id, audience: 'staff' },
      ledgerApi.entries.body.parse({
        owner: 'affiliate',
        uuid: crypto.randomUUID(),
        currency: 'USD',
        kind: ['affiliate_available'],
        ...more,
      }),
    )
  await timed('who owes what, first page', () => showReceivables(db, now, advertiserBillingApi.list.body.parse({})))
  await timed('by profit', () => showReceivables(db, now, advertiserBillingApi.list.body.parse({ sort: 'profit' })))
  await timed(
    'storing the months that are over',
    async () => {
      while (await storeTrials(db, now)) await Promise.resolve()
    },
    1,
  )
  await timed('trial balance, this month', () => showTrial(db, now, ledgerApi.trial.body.parse({})))
  await timed('its sums', () => showTrialSums(db, now, null))
  await timed('trial balance, last month', () => showTrial(db, now, ledgerApi.trial.body.parse({ month: month(1) })))
  await timed('trial balance, two months ago', () => showTrial(db, now, ledgerApi.trial.body.parse({ month: month(2) })))
  await timed('entries, first page', () => entries({}))
  await timed('entries, page 15', () => entries({ page: 15, count: 100 }))
  await timed('entries of last month', () => entries({ month: month(1) }))
  printTable(`load ${loadavg()[0]?.toFixed(1)}`, [['question', 'fastest, ms', 'median, ms'], ...rows])
}
