import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { createConversions, draftConversion } from '#server/features/traffic/conversion/draft.service.ts'
import { loadTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { previewImport, readImport, startImport } from '#server/features/traffic/conversion-import/conversion-import.service.ts'
import { runConversionImports } from '#server/features/traffic/conversion-import/conversion-import.jobs.ts'
import { NETWORK } from '#server/access/actor.ts'
import { openClickhouse } from '#server/platform/clickhouse/client.ts'
import { openDatabase } from '#server/platform/pg/database.ts'
import { startPostgres } from '#server/platform/pg/embedded.ts'
import { ensureDatabase } from '#server/platform/pg/ensure-database.ts'
import { migrate } from '#server/platform/pg/migrate.ts'
import { makeAccount } from '#test/support/make/factories.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { grouped, printTable } from './figures.ts'

// npm run bench -- results [--rows=50000]
//
// A file of results as advertisers send it at the end of a month: by transaction alone, a fifth declined, the others approved. What
// reading, previewing, applying and taking it back take; each row moves a status, its history, four entries of the books, a fact.
// The goal: 50,000 rows under 30 s.

/** Runs the bench: prints what each step takes. */
export async function run(args: string[]): Promise<void> {
  const rows = Number(args.find((argument) => argument.startsWith('--rows='))?.split('=')[1] ?? 50_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-results-'))
  const postgres = await startPostgres({ dataDir: join(dataDir, 'pg'), durable: true })
  try {
    const url = postgres.url('bench')
    await ensureDatabase(postgres.url('postgres'), 'bench')
    await migrate(url)
    const db = openDatabase(url)
    const clickhouse = openClickhouse('http://nobody@127.0.0.1:1') // no click is asked for: all conversions are known
    const now = Date.now()
    const keys = await makeClickKeys(db)
    const account = await makeAccount(db, 'admin')
    const actor = { ...NETWORK, ...account, role: 'admin' as const }
    const offers = await Promise.all(Array.from({ length: 20 }, () => makeOffer(db)))
    const affiliates = await Promise.all(Array.from({ length: 50 }, () => makeAffiliateId(db)))
    const terms = await loadTerms(
      db,
      offers.map(({ id }) => id),
    )
    for (let from = 0; from < rows; from += 2_000)
      await db.transaction().execute(async (trx) => {
        const drafts = Array.from({ length: Math.min(2_000, rows - from) }, (_none, index) => {
          const number = from + index
          const offer = terms.get(offers[number % offers.length]?.id ?? 0)
          const [goal] = offer?.goals ?? []
          if (offer === undefined || goal === undefined) throw new Error('no offer')
          const click = makeClick(keys, {
            offerId: offer.id,
            affiliateId: affiliates[number % affiliates.length] ?? 0,
            at: now - 3_600_000 - number,
          })
          const report = {
            status: 'pending' as const,
            amount: null,
            currency: null,
            transactionId: `T-${number}`,
            reason: '',
            converted: null,
          }
          const draft = draftConversion(offer, goal, click, report, now - 1_000, now)
          if (draft === null) throw new Error('no rule')
          return draft
        })
        await createConversions(trx, drafts, now)
      })
    const csv = [
      'Transaction ID,Status',
      ...Array.from({ length: rows }, (_none, n) => `T-${n},${n % 5 === 0 ? 'declined' : 'approved'}`),
    ].join('\n')
    const figures: [string, number][] = []
    const timed = async <Answer>(name: string, work: () => Promise<Answer>): Promise<Answer> => {
      const since = performance.now()
      const answer = await work()
      figures.push([name, (performance.now() - since) / 1000])
      return answer
    }
    const query = conversionImportApi.read.query.parse({ name: 'results.csv' })
    const free = () => () => {}
    const { uuid, mapping } = await timed('read', () => readImport({ db, limit: free }, now, actor, query, new TextEncoder().encode(csv)))
    const findClick = () => Promise.resolve(null)
    const told = await timed('preview', () =>
      previewImport({ db, findClick, limit: free }, now, actor, uuid, {
        mapping,
        words: [],
        advertiser_uuid: null,
        amount_is_sale: false,
        dates: 'auto',
      }),
    )
    if (told.counts.changed !== rows) throw new Error(`the preview says ${JSON.stringify(told.counts)}`)
    await startImport(db, now, actor, uuid, { mapping, words: [], advertiser_uuid: null, amount_is_sale: false, dates: 'auto' })
    await timed('apply', async () => {
      while (await runConversionImports({ db, clickhouse }, now)) await Promise.resolve()
    })
    const left = await db.selectFrom('conversion').select('id').where('status', '=', 'pending').execute()
    if (left.length > 0) throw new Error(`${left.length} were not applied`)
    printTable(`${grouped(rows)} rows, load ${loadavg()[0]?.toFixed(1)}`, [
      ['step', 'seconds', 'rows a second'],
      ...figures.map(([name, seconds]) => [name, seconds.toFixed(1), grouped(Math.round(rows / seconds))]),
    ])
    await db.destroy()
    await clickhouse.close()
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
