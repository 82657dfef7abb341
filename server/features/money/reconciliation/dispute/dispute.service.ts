import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zip, type AsyncZippable } from 'fflate'
import { addAmounts } from '#contract/money/amount.ts'
import { MOST_DISPUTED } from '#contract/money/dispute.ts'
import { companySetting } from '#contract/money/document.ts'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import type { Actor } from '#server/access/actor.ts'
import { lookOf } from '#server/features/money/document/party.ts'
import { decimalsByCurrency } from '#server/features/money/statement/statement.queries.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { loadClickKeys } from '#server/features/traffic/click/click.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { safeName } from '#server/platform/files/document.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { readClickId } from '#server/rules/click/click-id.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { offsetOn } from '../match/zone.ts'
import { countCauses, getBatch } from '../reconciliation.queries.ts'
import { disputedCalls, disputedRows, type DisputedRow } from './dispute.queries.ts'
import { drawDispute } from './draw-dispute.ts'
import { callsTable, clicksTable, rowsTable } from './tables.ts'

/** Calls of more than this are left out: the newest. */
const MOST_CALLS = 100_000
/** A call may come so long before or after the period of the report it is about. */
const AROUND = 60 * 86_400_000
const MINUTE = 60_000
const zipped = promisify<AsyncZippable, object, Uint8Array>(zip)

/**
 * What may be sent to an advertiser about the differences with its report, as a ZIP: both sides of each, its calls and our answers, clicks,
 * a summary, and the SHA-256 of all of them. Who took it is logged. Throws `not_found`, `status_not_allowed`, `invalid_input`.
 */
export async function makePack(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  causes: readonly ReconciliationCause[],
): Promise<{ name: string; bytes: Uint8Array }> {
  const batch = await getBatch(db, key)
  if (batch === undefined) throw new AppError('not_found')
  const { advertiser_id, advertiser_name, from_day, to_day, reading, zone, clock_offset } = batch
  // an affiliate’s export has no advertiser to send it to
  if (advertiser_id === null || advertiser_name === null || from_day === null || to_day === null) throw new AppError('status_not_allowed')
  const rows = await disputedRows(db, batch.id, causes, MOST_DISPUTED)
  if (rows.length > MOST_DISPUTED)
    throw new AppError('invalid_input', { fields: { cause: 'Too many rows for one file: choose fewer causes' } })
  const [general, { language }, decimals, counted, keys] = await Promise.all([
    getGeneralSettings(db),
    getSetting(db, companySetting),
    decimalsByCurrency(db),
    countCauses(db, batch.id),
    loadClickKeys(db, now),
  ])
  const clicks = clicksOf(rows, (id) => readClickId(id, keys)?.at)
  const calls = await disputedCalls(
    db,
    advertiser_id,
    {
      conversions: rows.flatMap(({ conversion_id }) => conversion_id ?? []),
      clicks: [...new Set([...clicks.keys(), ...rows.flatMap(({ theirs }) => theirs?.clickId || [])])],
      transactions: [...new Set(rows.flatMap(({ theirs }) => theirs?.transactionId || []))],
      from: new Date(Date.parse(from_day) - AROUND),
      to: new Date(Date.parse(to_day) + AROUND),
    },
    MOST_CALLS,
  )
  const utcOf = (at: number) => at - offsetOn(zone, clock_offset, at) * MINUTE
  const tables = {
    'differences.csv': rowsTable(rows, { reading, utcOf, language }),
    'calls.csv': callsTable(calls, language),
    'clicks.csv': clicksTable(clicks, language),
  }
  const summary = await drawDispute({
    language,
    look: await lookOf(general),
    advertiser: advertiser_name,
    period: { from: from_day, to: to_day },
    report: batch.file_name,
    clock: clock_offset ?? zone?.offset ?? null,
    day: dayIn(now, general.time_zone),
    agreeing: counted.reduce((sum, { cause, rows: count }) => sum + (cause === null ? count : 0), 0),
    narrowed: causes.length > 0,
    sums: counted.flatMap(({ cause, currency, rows: count, theirs, ours }) =>
      cause === null || (causes.length > 0 && !causes.includes(cause))
        ? []
        : [{ cause, currency, rows: count, theirs: addAmounts(theirs), ours: addAmounts(ours) }],
    ),
    files: Object.entries(tables).map(([name, bytes]) => ({ name, sha256: sha256(bytes) })),
    decimals,
    made: new Date(now),
  })
  const all = { 'summary.pdf': summary, ...tables }
  const sums = Object.entries(all).map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`)
  const bytes = await zipped({ ...all, 'SHA256SUMS.txt': Buffer.from(sums.join('')) }, { level: 6, mtime: new Date(now) })
  await db.transaction().execute((trx) =>
    recordAudit(trx, actor, now, {
      action: 'download',
      entity: 'reconciliation',
      entityId: batch.id,
      after: { rows: rows.length, sha256: sha256(bytes) },
    }),
  )
  return { name: safeName(`${advertiser_name} ${from_day}_${to_day} differences.zip`, 'differences', 'zip'), bytes }
}

/** The clicks rows speak of, with their times: of conversions as they are kept, of others as their ids say. */
function clicksOf(rows: readonly DisputedRow[], timeOf: (id: string) => number | undefined): Map<string, Date> {
  const clicks = new Map<string, Date>()
  for (const { click_id, click_at, theirs } of rows) {
    if (click_id !== null && click_at !== null) clicks.set(click_id, click_at)
    const named = theirs?.clickId ?? ''
    // of a click of another advertiser nothing is said
    const isOwn = theirs?.click === 'known' || theirs?.click === 'refused' || theirs?.click === 'test'
    const at = !isOwn || clicks.has(named) ? undefined : timeOf(named)
    if (at !== undefined) clicks.set(named, new Date(at))
  }
  return clicks
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
