import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { NETWORK } from '#server/access/actor.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { startApplying, startUndoing } from '#server/features/money/reconciliation/choose.service.ts'
import { matchBatch } from '#server/features/money/reconciliation/match.service.ts'
import { workOffReconciliation } from '#server/features/money/reconciliation/reconciliation.jobs.ts'
import { nextBatch } from '#server/features/money/reconciliation/reconciliation.queries.ts'
import { askMatch, confirmZone, showBatch, uploadReport } from '#server/features/money/reconciliation/reconciliation.service.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { migrateClickhouse } from '#server/platform/clickhouse/migrate.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { makeAccount, makeAdvertiser } from '#test/support/make/factories.ts'
import { startRole } from '#test/support/run/role-process.ts'
import { grouped, printTable } from './figures.ts'
import { makeReport } from './load/advertiser-report.ts'

// npm run bench -- reconcile [--lines=10000]
//
// A month of an advertiser's conversions held against its report of as many lines, a seventh of which differ or are found by something
// else than their transaction (bench/load/advertiser-report.ts says how). What reading the file, matching it, keeping what each line
// comes to, applying that and taking it back take, on a database that syncs, with the clicks in ClickHouse.
// The goal: 10,000 lines read, matched and kept in under 5 s.

/** Runs the bench: prints what each step takes and what came out. */
export async function run(args: string[]): Promise<void> {
  const lines = Number(args.find((argument) => argument.startsWith('--lines='))?.split('=')[1] ?? 10_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-reconcile-'))
  const events = await startRole('events', { DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: true })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await Promise.all([migrate(url), migrateClickhouse(events.url, 'ohma')])
    const parts = { db: openDatabase(url), clickhouse: openClickhouse(events.url) }
    await reconcile(parts, lines)
    await parts.db.destroy()
    await parts.clickhouse.close()
  } finally {
    await postgres.stop()
    await events.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function reconcile(parts: Parameters<typeof workOffReconciliation>[0], lines: number): Promise<void> {
  const { db } = parts
  const now = Date.now()
  const actor = { ...NETWORK, ...(await makeAccount(db, 'admin')), role: 'admin' as const }
  const advertiser = await makeAdvertiser(db)
  const { csv, period } = await makeReport(parts, advertiser.id, lines, now)
  const load = loadavg()[0]?.toFixed(1)
  const figures: [string, number][] = []
  const timed = async <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
    const since = performance.now()
    const answer = await work()
    figures.push([name, (performance.now() - since) / 1000])
    return answer
  }

  const about = { name: 'report.csv', encoding: 'auto', delimiter: 'auto', advertiser_uuid: advertiser.uuid } as const
  const bytes = new TextEncoder().encode(csv)
  const limit = () => () => {}
  const { uuid, revision, reading } = await timed('read', () => uploadReport({ db, limit }, now, actor, about, bytes))
  // matching begins its only transaction to keep what it found
  let keeping = 0
  const begin = db.transaction.bind(db)
  await timed('match', async () => {
    await askMatch(db, now, actor, uuid, { revision, reading, period })
    const batch = await nextBatch(db, new Date(now))
    if (batch === undefined) throw new Error('nothing to match')
    db.transaction = () => {
      keeping = performance.now()
      return begin()
    }
    await matchBatch(parts, now, batch)
  })
  db.transaction = begin
  const [name, whole] = figures.pop() ?? ['', 0]
  const kept = (performance.now() - keeping) / 1000
  figures.push([name, whole - kept], ['store', kept])
  const untilMatched = figures.reduce((sum, [, seconds]) => sum + seconds, 0)
  figures.push(['all three', untilMatched])

  const matched = await showBatch(db, uuid)
  if (matched.state !== 'matched' || matched.zone?.offset !== 180) throw new Error(`it says ${JSON.stringify(matched)}`)
  const acting = matched.causes.reduce((sum, cause) => sum + cause.acting, 0)
  const confirmed = await confirmZone(db, now, actor, uuid, { revision: matched.revision, offset: matched.offset })
  const workOff = async () => {
    while (await workOffReconciliation(parts, now)) await Promise.resolve()
  }
  await startApplying(db, now, actor, uuid, { revision: confirmed.revision, postbacks: true })
  await timed('apply', workOff)
  const applied = await showBatch(db, uuid)
  if (applied.states.applied !== acting) throw new Error(`${acting} were to be applied: ${JSON.stringify(applied.states)}`)
  await startUndoing(db, now, actor, uuid, applied.revision)
  await timed('undo', workOff)
  const { states } = await showBatch(db, uuid)
  const wrong = await findDifferences(db)
  if (wrong.length > 0) throw new Error(`the books differ: ${JSON.stringify(wrong.slice(0, 3))}`)

  const rowsOf = (step: string) => (step === 'apply' || step === 'undo' ? acting : lines)
  printTable(`${grouped(lines)} lines, load ${load} before and ${loadavg()[0]?.toFixed(1)} after`, [
    ['step', 'seconds', 'rows', 'rows a second'],
    ...figures.map(([step, seconds]) => [step, seconds.toFixed(2), grouped(rowsOf(step)), grouped(rowsOf(step) / seconds)]),
  ])
  printTable(`${grouped(matched.agreeing)} agree; taken back: ${JSON.stringify(states)}`, [
    ['cause', 'rows', 'to do'],
    ...matched.causes.map(({ cause, rows, acting: todo }) => [cause, grouped(rows), grouped(todo)]),
  ])
}
