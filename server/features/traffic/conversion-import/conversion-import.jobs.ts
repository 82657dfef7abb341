import { CONVERSION_IMPORT_DAYS } from '#contract/traffic/conversion-import.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { settleApart } from '#server/platform/jobs/work-off.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { loadClickKeys, openClickFinder } from '../click/click.queries.ts'
import { applyReports, type AppliedReport, type AskedReport } from '../conversion/apply-report.service.ts'
import { getIncomingSettings } from '../postback/incoming/incoming.queries.ts'
import { holdRow } from '../postback/incoming/hold-row.service.ts'
import { AMOUNT_NOTED, sayRefusal } from '../postback/incoming/refused.ts'
import { beforeOf } from '#server/rules/conversion/conversion-before.ts'
import {
  countStates,
  deleteImports,
  lockRows,
  nextImport,
  settleRows,
  updateImport,
  type LockedRow,
  type SettledRow,
} from './conversion-import.queries.ts'
import { rememberWords } from './word.service.ts'
import { linesOfOthers, readAgain, readRows, untilFollowed, withClicks, type ReadParts, type RowAsked } from './read-rows.service.ts'
import { ofInvoicedDays } from './invoiced.service.ts'
import type { DateReading } from './row-date.ts'
import { takeBack } from './take-back.service.ts'

type Import = NonNullable<Awaited<ReturnType<typeof nextImport>>>

/** Rows of one transaction: what they lock is held for some tenths of a second. */
const BATCH = 500
const DAY = 86_400_000
const DAY_INVOICED = 'Its day is invoiced already: it comes on the next invoice.'
const NO_LONGER = 'Who started this may not do it any more.'

/**
 * Applies, or takes back, some rows of the import that has waited longest, and answers whether there is more to do.
 *
 * Rows are settled in the transaction that changes their conversions: a worker that dies leaves them done and marked, or
 * neither, and the next one goes on. A row the database refuses is refused alone, and the others of its batch are applied.
 */
export async function runConversionImports({ db, clickhouse }: { db: Db; clickhouse: Clickhouse }, now: number): Promise<boolean> {
  const job = await nextImport(db)
  if (job === undefined) return false
  const undoing = job.state === 'undoing'
  const actor = await actorOfAccount(db, (undoing ? job.undone_by : job.created_by) ?? 0)
  const settle = undoing ? undoer(now, actor, job) : await applier({ db, clickhouse }, now, actor, job)
  if (!(await settleSome(db, job, settle))) await finish(db, now, actor, job)
  return true
}

type Settle = (trx: Trx, rows: readonly LockedRow[]) => Promise<SettledRow[]>

/** Settles the next rows; false where none is left. */
function settleSome(db: Db, job: Import, settle: Settle): Promise<boolean> {
  const undoing = job.state === 'undoing'
  const states = undoing ? (['created', 'changed', 'amount'] as const) : (['waiting'] as const)
  const reason = undoing ? 'Something else refers to it by now.' : 'This row cannot be stored as it is: look for odd characters in it.'
  const refuse: Settle = async (_trx, rows) =>
    rows.map((row) => ({ ...settledAs(row), state: undoing ? ('kept' as const) : ('refused' as const), reason }))
  const withNext = (most: number, settleThem: Settle) =>
    db.transaction().execute(async (trx) => {
      const rows = await lockRows(trx, job.id, states, most, undoing ? 'desc' : 'asc')
      await settleRows(trx, job.id, await settleThem(trx, rows))
      return rows.length > 0
    })
  return settleApart(BATCH, { settle: (most) => withNext(most, settle), refuse: () => withNext(1, refuse), isSome: (some) => some })
}

async function applier(
  { db, clickhouse }: { db: Db; clickhouse: Clickhouse },
  now: number,
  actor: Actor | undefined,
  job: Import,
): Promise<Settle> {
  if (actor === undefined || !may(actor, 'conversion.decide'))
    return async (_trx, rows) => rows.map((row) => ({ ...settledAs(row), state: 'refused', reason: NO_LONGER }))
  const [keys, settings] = await Promise.all([loadClickKeys(db, now), getIncomingSettings(db)])
  const parts: ReadParts = { db, findClick: openClickFinder(clickhouse), keys, settings }
  const change = { at: now, now, origin: 'import', actorId: actor.accountId } as const
  const { time_zone: zone } = await getGeneralSettings(db)
  // as the import was confirmed
  const reading = { ...job, dates: job.dates as DateReading['dates'], zone, now }
  return async (trx, locked) => {
    const rows = untilFollowed(locked, reading)
    const read = await readRows(parts, actor.scope, reading, rows)
    const asked = await withClicks(parts, { scope: actor.scope, advertiser_id: job.advertiser_id }, await readAgain(trx, read))
    const reports = asked.filter(isReport)
    const applied = await applyReports(trx, reports, change)
    for (const [place, { outcome }] of applied.entries()) {
      const one = reports[place]
      if (outcome.outcome === 'held_for_review' && one !== undefined) await holdRow(trx, now, one, outcome)
    }
    const ofOthers = linesOfOthers(asked)
    await rememberWords(
      trx,
      read.flatMap(({ line, word }) => (word?.said && word.means !== null && !ofOthers.has(line) ? [{ ...word, means: word.means }] : [])),
      now,
      actor,
    )
    const made = applied.flatMap(({ outcome }, place) =>
      outcome.outcome === 'created' && reports[place]?.convertedAt !== undefined ? [outcome.conversion] : [],
    )
    const invoiced = await ofInvoicedDays(trx, made)
    const outcomes = applied.values()
    return asked.map((one) => {
      if (!isReport(one)) return refused(one.line, one.reason)
      const done = outcomes.next().value
      const settled = settledOf(one.line, done)
      const isLate = done !== undefined && 'conversion' in done.outcome && invoiced.has(done.outcome.conversion)
      return isLate ? { ...settled, reason: DAY_INVOICED } : settled
    })
  }
}

function isReport(one: RowAsked): one is Extract<RowAsked, AskedReport> {
  return 'of' in one
}

function undoer(now: number, actor: Actor | undefined, job: Import): Settle {
  if (actor === undefined || !may(actor, 'conversion.decide'))
    return async (_trx, rows) => rows.map((row) => ({ ...settledAs(row), state: 'kept', reason: NO_LONGER }))
  return (trx, rows) => takeBack(trx, now, actor, job.id, rows)
}

const STATES = {
  created: 'created',
  changed: 'changed',
  amount_changed: 'amount',
  repeat: 'same',
  declined: 'capped',
  held_for_review: 'same',
} as const

const REASONS: Partial<Record<string, string>> = {
  declined: 'A cap of the offer is full: the conversion stays declined.',
  held_for_review: 'The conversion is paid: the change is kept for review in the inbox.',
}

function settledOf(line: number, applied: AppliedReport | undefined): SettledRow {
  if (applied === undefined) throw new Error('a row was not applied')
  const { outcome, recorded } = applied
  if (outcome.outcome === 'refused') return refused(line, sayRefusal({ ...outcome, refusal: outcome.reason }))
  if (outcome.outcome === 'click_needed') return refused(line, 'The click is not stored.')
  return {
    line,
    state: STATES[outcome.outcome],
    reason: outcome.outcome === 'amount_changed' && outcome.noted ? AMOUNT_NOTED : (REASONS[outcome.outcome] ?? ''),
    conversion_id: outcome.conversion.id,
    seq: recorded?.seq ?? null,
    before: recorded?.before ? beforeOf(recorded.before) : null,
  }
}

function refused(line: number, reason: string): SettledRow {
  return { line, state: 'refused', reason, conversion_id: null, seq: null, before: null }
}

function settledAs({ line, state, conversion_id, seq, before }: LockedRow): SettledRow {
  return { line, state, reason: '', conversion_id, seq, before }
}

/** Marks an import as done, once. */
async function finish(db: Db, now: number, actor: Actor | undefined, { id, state }: Import): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const at = new Date(now)
    await updateImport(trx, id, state === 'undoing' ? { state: 'undone', undone_at: at } : { state: 'done', finished_at: at })
    const { waiting: _none, ...counts } = await countStates(trx, id)
    await recordAudit(trx, actor ?? null, now, {
      action: state === 'undoing' ? 'undo' : 'import',
      entity: 'conversion_import',
      entityId: id,
      after: counts,
    })
  })
}

/** Forgets drafts of yesterday and rows of imports of long ago. */
export function cleanUpConversionImports(db: Db, now: number): Promise<number> {
  return deleteImports(db, { drafts: new Date(now - DAY), finished: new Date(now - CONVERSION_IMPORT_DAYS * DAY) })
}
