import { setImmediate as breathe } from 'node:timers/promises'
import type { z } from 'zod'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import {
  CONVERSION_IMPORT_UNDO_MS,
  CONVERSION_ROW_STATES,
  MOST_CONVERSION_ROWS,
  type conversionImportApi,
  type ConversionImportDetail,
  type ConversionMapping,
  type ImportPlan,
  type ConversionRowState,
} from '#contract/traffic/conversion-import.ts'
import type { Actor } from '#server/access/actor.ts'
import { rememberScales } from '#server/features/money/currency/currency.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { findAdvertiserId } from '#server/features/people/advertiser/advertiser.queries.ts'
import { readFileApart } from '#server/features/people/import/read-file-apart.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { RecentTries } from '#server/platform/recent-tries.ts'
import { guessFileStatus } from '#server/rules/conversion/column-words.ts'
import { mayMean } from '#server/rules/conversion/dialect/against-words.ts'
import { isLost } from '#server/rules/conversion/conversion-status.ts'
import { guessDates } from '#server/rules/conversion/read-time.ts'
import { loadClickKeys, type FindClick } from '../click/click.queries.ts'
import type { ConversionDraft, ConversionRow, KnownConversion } from '../conversion/change.ts'
import { among, findConversions } from '../conversion/conversion-row.queries.ts'
import { isNoted, planReport, type PlannedReport, type ReportedFor } from '../conversion/plan-report.service.ts'
import { refuseAgainst } from '../dialect/refuse-against.ts'
import { getIncomingSettings } from '../postback/incoming/incoming.queries.ts'
import { sayRefusal } from '../postback/incoming/refused.ts'
import { guessColumns } from './guess-columns.ts'
import { ofInvoicedDays } from './invoiced.service.ts'
import {
  advertisersNamed,
  countStates,
  countWorking,
  deleteDrafts,
  filledColumns,
  getImport,
  insertImport,
  rowsAfter,
  sampleRows,
  updateImport,
  valuesOfColumn,
  type ImportRow,
  type NamedConversion,
} from './conversion-import.queries.ts'
import { isAmountEarned, linesOfOthers, readRows, untilFollowed, withClicks, type RowAsked, type RowRead } from './read-rows.service.ts'

/** More at once would only slow each other down. */
const MOST_WORKING = 2
const SHOWN_REFUSED = 100
const CHUNK = 1_000

/** Reads a file and keeps what it says until it is confirmed; a draft of before is given up. Throws `invalid_input`, `too_many_attempts`. */
export async function readImport(
  { db, limit }: { db: Db; limit: RecentTries },
  now: number,
  actor: Actor,
  { name, ...asked }: z.output<typeof conversionImportApi.read.query>,
  bytes: Uint8Array,
): Promise<ConversionImportDetail> {
  limit(actor.accountId, now)
  const { rows, ...read } = await readFileApart(bytes, asked, MOST_CONVERSION_ROWS)
  const uuid = await db.transaction().execute(async (trx) => {
    await deleteDrafts(trx, actor.accountId)
    const values = { ...read, file_name: name, row_count: rows.length, created_by: actor.accountId, created_at: new Date(now) }
    return insertImport(trx, { ...values, mapping: JSON.stringify(guessColumns(read.columns, rows)) }, rows)
  })
  return showImport(db, now, actor, uuid)
}

/** One import with how far it has come. Throws `not_found`. */
export async function showImport(db: DbOrTrx, now: number, actor: Actor, uuid: string): Promise<ConversionImportDetail> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  const [counts, samples] = await Promise.all([countStates(db, row.id), sampleRows(db, row.id)])
  const until = undoUntil(row)
  const did = (counts.created ?? 0) + (counts.changed ?? 0) + (counts.amount ?? 0)
  return {
    ...row,
    // what was stored was one of these words
    encoding: row.encoding as ConversionImportDetail['encoding'],
    delimiter: row.delimiter as ConversionImportDetail['delimiter'],
    samples,
    rows: row.row_count,
    counts: Object.fromEntries(CONVERSION_ROW_STATES.map((state) => [state, counts[state] ?? 0])) as ConversionImportDetail['counts'], // each state once
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    undo_until: until !== null && until > now && did > 0 ? new Date(until).toISOString() : null,
  }
}

type Preview = z.input<typeof conversionImportApi.preview.response>

/** What a draft would do, each row judged by what the earlier ones would leave. Throws `not_found`, `invalid_input`, `too_many_attempts`. */
export async function previewImport(
  { db, findClick, limit }: { db: Db; findClick: FindClick; limit: RecentTries },
  now: number,
  actor: Actor,
  uuid: string,
  plan: ImportPlan,
): Promise<Preview> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  checkMapping(row, plan.mapping)
  checkWords(plan.words)
  const [dates, { time_zone: zone }] = [await datesOf(db, row.id, plan), await getGeneralSettings(db)]
  const reading = { ...plan, columns: row.columns, dates, zone, now, advertiser_id: await advertiserOf(db, actor, plan) }
  limit(actor.accountId, now)
  const [keys, settings] = await Promise.all([loadClickKeys(db, now), getIncomingSettings(db)])
  const parts = { db, findClick, keys, settings }
  const [sums, words, made, planned] = [openSums(), openWordCounts(), [] as ConversionDraft[], openPlanned()]
  const [about, elsewhere] = [new Map<number, number>(), new Map<number, number>()]
  const count = (rows: Map<number, number>, advertiser: number) => rows.set(advertiser, (rows.get(advertiser) ?? 0) + 1)
  const scaleOf = rememberScales(db)
  for (let line = 0; ; await breathe()) {
    const rows = untilFollowed(await rowsAfter(db, row.id, line, CHUNK), reading)
    if (rows.length === 0) break
    const cells = new Map(rows.map((one) => [one.line, one.cells]))
    const read = await readRows(parts, actor.scope, reading, rows, planned.made)
    const asked = await withClicks(parts, { scope: actor.scope, advertiser_id: reading.advertiser_id }, read)
    const ofOthers = linesOfOthers(asked)
    words.add(read.filter(({ line: at }) => !ofOthers.has(at)))
    const reports = asked.flatMap((one) => ('of' in one ? [one] : []))
    const known = await findConversions(
      db,
      reports.map(({ of }) => of),
      false,
    )
    const change = { at: now, now, origin: 'import', actorId: actor.accountId } as const
    for (const [index, one] of reports.entries()) {
      const found = planned.of(one.of) ?? known[index] ?? { conversion: undefined, converted: false }
      const plan = await planReport(db, one.of, found, one.click, one.report, { ...change, convertedAt: one.convertedAt }, scaleOf)
      sums.add(one, plan, cells)
      count(about, found.conversion?.advertiser_id ?? one.of.terms.advertiser_id)
      if ('change' in plan) planned.keep(one.of, plan.change.after, plan.kind === 'create')
      if (plan.kind === 'create' && one.convertedAt !== undefined) made.push(plan.change.after)
    }
    for (const one of asked) {
      if (!('reason' in one)) continue
      sums.refuse(one.line, one.reason, cells)
      if (one.whose !== undefined) count(elsewhere, one.whose)
    }
    line = rows.at(-1)?.line ?? line
  }
  const mapped = new Set<number>(Object.values(plan.mapping))
  const filled = (await filledColumns(db, row.id)).filter((place) => !mapped.has(place))
  return {
    ...sums.told(),
    words: words.told(),
    advertisers: await namedAdvertisers(db, about),
    others: await namedAdvertisers(db, elsewhere),
    amount_earned: isAmountEarned(reading),
    dates,
    left_out: filled.flatMap((place) => row.columns[place] ?? []),
    invoiced: (await ofInvoicedDays(db, made)).size,
  }
}

/** Whose file it is said to be, one in scope; null = nobody says. Throws `unknown_reference`. */
async function advertiserOf(db: DbOrTrx, { scope }: Actor, { advertiser_uuid }: ImportPlan): Promise<number | null> {
  if (advertiser_uuid === null) return null
  const id = await findAdvertiserId(db, scope, advertiser_uuid)
  if (id === undefined) throw new AppError('unknown_reference', { fields: { advertiser_uuid: 'Choose an advertiser of yours' } })
  return id
}

const SHOWN_ADVERTISERS = 20

/** Whose conversions rows are about, by name. Those that count have been found in scope. */
async function namedAdvertisers(db: DbOrTrx, about: ReadonlyMap<number, number>): Promise<Preview['advertisers']> {
  const most = [...about].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_ADVERTISERS)
  const known = new Map(
    (
      await advertisersNamed(
        db,
        most.map(([id]) => id),
      )
    ).map((one) => [one.id, one]),
  )
  return most.flatMap(([id, rows]) => {
    const advertiser = known.get(id)
    return advertiser === undefined ? [] : [{ advertiser, rows }]
  })
}

/** How the dates of a file are written: as somebody says, or as they tell themselves; null = they do not. */
async function datesOf(db: DbOrTrx, id: number, { mapping: { date }, dates }: Pick<ImportPlan, 'mapping' | 'dates'>) {
  if (dates !== 'auto') return dates
  return date === undefined ? 'iso' : guessDates(await valuesOfColumn(db, id, date, MOST_CONVERSION_ROWS))
}

/** What the rows of a file so far would leave of conversions, for those that are about the same ones. */
function openPlanned() {
  const [ofTransaction, ofClick] = [new Map<string, ConversionRow>(), new Map<string, ConversionRow>()]
  const made: NamedConversion[] = []
  const clickOf = ({ goal, clickId }: ReportedFor) => `${goal.id} ${clickId}`
  const transactionOf = ({ terms, goal, transactionId }: ReportedFor) => `${terms.id} ${goal.id} ${transactionId ?? ''}`
  const keep = (of: ReportedFor, after: ConversionDraft, isNew: boolean) => {
    const row = { id: '0', ...after }
    if (row.transaction_id !== null) ofTransaction.set(transactionOf({ ...of, transactionId: row.transaction_id }), row)
    ofClick.set(clickOf(of), row)
    if (isNew) made.push({ ...row, goal: of.goal.code, offer: of.terms.title })
  }
  const found = (of: ReportedFor): KnownConversion | undefined => {
    const rows = [ofTransaction.get(transactionOf(of)), ofClick.get(clickOf(of))].filter((row) => row !== undefined)
    return among(rows, [of]).find(({ conversion, converted }) => conversion !== undefined || converted)
  }
  return { made, keep, of: found }
}

const SHOWN_WORDS = 200

/** Counts the words of statuses, each with what it means: nothing, where any row has it that does not know it. */
function openWordCounts() {
  const counts = new Map<string, Omit<Preview['words'][number], 'guess'>>()
  const add = (read: readonly RowRead[]) => {
    for (const { word } of read) {
      if (word === undefined) continue
      const key = word.word.toLowerCase()
      const known = counts.get(key)
      if (known === undefined)
        counts.set(key, {
          word: word.word.slice(0, 120),
          rows: 1,
          means: word.means,
          taught: word.taught,
          may: mayMean(word.word)?.slice() ?? null,
        })
      // the word of one advertiser is none of another's
      else
        counts.set(key, {
          ...known,
          rows: known.rows + 1,
          means: word.means === null ? null : known.means,
          taught: known.taught ?? word.taught,
        })
    }
  }
  const told = () =>
    [...counts.values()]
      .toSorted((a, b) => b.rows - a.rows)
      .slice(0, SHOWN_WORDS)
      .map((one) => ({ ...one, guess: one.means === null ? guessFileStatus(one.word) : null }))
  return { add, told }
}

/** Adds up what rows would do. */
function openSums() {
  const counts = Object.fromEntries(CONVERSION_ROW_STATES.map((state) => [state, 0])) as Record<ConversionRowState, number> // each state once
  const statuses: Partial<Record<ConversionStatus, number>> = {}
  const money = new Map<string, { payout: bigint; revenue: bigint }>()
  const refused: Preview['refused'] = []
  let noted = 0
  type Cells = ReadonlyMap<number, string[]>

  const refuse = (line: number, reason: string, cells: Cells) => {
    counts.refused += 1
    if (refused.length < SHOWN_REFUSED) refused.push({ line, cells: cells.get(line) ?? [], reason })
  }
  const add = ({ line }: RowAsked, plan: PlannedReport, cells: Cells) => {
    if (plan.kind === 'answer') {
      const { outcome } = plan
      if (outcome.outcome === 'refused') refuse(line, sayRefusal({ ...outcome, refusal: outcome.reason }), cells)
      else if (outcome.outcome === 'click_needed') refuse(line, 'The click is not stored.', cells)
      else counts.same += 1
      return
    }
    if (plan.kind === 'note') return void (counts.same += 1)
    const { before, after } = plan.change
    if (before !== null && isNoted(before, after)) noted += 1
    counts[before === null ? 'created' : before.status === after.status ? 'amount' : 'changed'] += 1
    statuses[after.status] = (statuses[after.status] ?? 0) + 1
    const sum = money.get(after.currency) ?? { payout: 0n, revenue: 0n }
    for (const side of ['payout', 'revenue'] as const)
      sum[side] +=
        (isLost(after.status) ? 0n : toUnits(after[side])) - (before === null || isLost(before.status) ? 0n : toUnits(before[side]))
    money.set(after.currency, sum)
  }
  const told = (): Omit<Preview, 'words' | 'advertisers' | 'others' | 'amount_earned' | 'dates' | 'left_out' | 'invoiced'> => ({
    counts,
    noted,
    statuses: statuses as Preview['statuses'],
    money: [...money]
      .filter(([, { payout, revenue }]) => payout !== 0n || revenue !== 0n)
      .map(([currency, { payout, revenue }]) => ({ currency, payout: fromUnits(payout), revenue: fromUnits(revenue) }))
      .toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
    refused: refused.toSorted((a, b) => a.line - b.line),
  })
  return { add, refuse, told }
}

/** Confirms a draft: a worker applies what it says. Once is enough, however often and by how many it is asked. Throws `not_found`, `invalid_input`, `limit_reached`. */
export async function startImport(db: Db, now: number, actor: Actor, uuid: string, plan: ImportPlan): Promise<ConversionImportDetail> {
  const { mapping, words, amount_is_sale, dates: written } = plan
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.state !== 'draft') return
    checkMapping(row, mapping)
    checkWords(words)
    const dates = await datesOf(trx, row.id, { mapping, dates: written })
    if (dates === null) throw new AppError('invalid_input', { fields: { dates: 'Say how dates are written: by day or by month first' } })
    if ((await countWorking(trx, actor.accountId)) >= MOST_WORKING) throw new AppError('limit_reached')
    const advertiser_id = await advertiserOf(trx, actor, plan)
    await updateImport(trx, row.id, {
      state: 'running',
      mapping: JSON.stringify(mapping),
      words: JSON.stringify(words),
      amount_is_sale,
      advertiser_id,
      dates,
      started_at: new Date(now),
    })
    const after = { file_name: row.file_name, rows: row.row_count, advertiser_id }
    await recordAudit(trx, actor, now, { action: 'start', entity: 'conversion_import', entityId: row.id, after })
  })
  return showImport(db, now, actor, uuid)
}

/** Takes an import of the last week back. Throws `not_found`, `status_not_allowed`. */
export async function undoImport(db: Db, now: number, actor: Actor, uuid: string): Promise<ConversionImportDetail> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.state === 'undoing' || row.state === 'undone') return
    if ((undoUntil(row) ?? 0) <= now) throw new AppError('status_not_allowed')
    await updateImport(trx, row.id, { state: 'undoing', undone_by: actor.accountId })
    const change = { before: { state: 'done' }, after: { state: 'undone' } }
    await recordAudit(trx, actor, now, { action: 'undo', entity: 'conversion_import', entityId: row.id, ...change })
  })
  return showImport(db, now, actor, uuid)
}

function undoUntil({ state, finished_at }: Pick<ImportRow, 'state' | 'finished_at'>): number | null {
  return state === 'done' && finished_at !== null ? finished_at.getTime() + CONVERSION_IMPORT_UNDO_MS : null
}

function checkWords(words: ImportPlan['words']): void {
  refuseAgainst(
    words.map(({ word, means }) => ({ word, status: means, goal: null })),
    (index) => `words.${index}.means`,
  )
}

/** Refuses a mapping whose columns are not there, or by which no row says whose it is or what became of it. */
function checkMapping({ columns }: Pick<ImportRow, 'columns'>, mapping: ConversionMapping): void {
  for (const [field, place] of Object.entries(mapping))
    if (place >= columns.length) throw new AppError('invalid_input', { fields: { [`mapping.${field}`]: 'There is no such column' } })
  if (mapping.conversion_id === undefined && mapping.click_id === undefined && mapping.txn_id === undefined)
    throw new AppError('invalid_input', {
      fields: { 'mapping.click_id': 'Choose the column of clicks, of transactions or of conversions' },
    })
  if (mapping.status === undefined && mapping.amount === undefined && mapping.goal === undefined)
    throw new AppError('invalid_input', { fields: { 'mapping.status': 'Choose the column of statuses, of amounts or of goals' } })
}
