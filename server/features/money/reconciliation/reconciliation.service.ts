import { setImmediate as breathe } from 'node:timers/promises'
import type { z } from 'zod'
import type { reconciliationApi, Reconciliation } from '#contract/money/reconciliation.ts'
import type { ReportField, ReportMapping, ReportReading } from '#contract/money/report-reading.ts'
import type { Actor } from '#server/access/actor.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { getAdvertiser } from '#server/features/people/advertiser/advertiser.queries.ts'
import { getAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { RecentTries } from '#server/platform/recent-tries.ts'
import { guessColumns, isOfSales } from './guess-columns.ts'
import { meaningsOf, namesOf, readAll } from './match.service.ts'
import { guessMeaning, guessNumbers, textOf, type Names } from './read-lines.ts'
import { readReport } from './read-report.ts'
import { guessDates } from '#server/rules/conversion/read-time.ts'
import {
  countCauses,
  countStates,
  countWaiting,
  deleteBatch,
  getBatch,
  getReading,
  insertBatch,
  insertLines,
  linesAfter,
  lockBatch,
  sampleLines,
  saveOffset,
  saveReading,
  updateBatch,
  whoseOf,
  type BatchRow,
} from './reconciliation.queries.ts'
import { presentBatch } from './reconciliation.present.ts'

/** More that were not applied are forgotten about. */
const MOST_WAITING = 20
const CHUNK = 5_000
const EXAMPLES = 20
/** So many words of goals are asked about. */
const MOST_GOALS = 200

const BLANK_READING: Omit<ReportReading, 'mapping'> = {
  numbers: 'point',
  dates: 'iso',
  amounts: 'revenue',
  currency: null,
  words: [],
  goals: [],
  minutes: 15,
}

/** Reads a report and keeps its lines until it is applied or removed. Throws `invalid_input`, `not_found`, `limit_reached`, `too_many_attempts`. */
export async function uploadReport(
  { db, limit }: { db: Db; limit: RecentTries },
  now: number,
  actor: Actor,
  { name, advertiser_uuid, affiliate_uuid, ...asked }: z.output<typeof reconciliationApi.read.query>,
  bytes: Uint8Array,
): Promise<Reconciliation> {
  limit(actor.accountId, now)
  const owner = await ownerOf(db, actor, advertiser_uuid, affiliate_uuid)
  if ((await countWaiting(db, actor.accountId)) >= MOST_WAITING) throw new AppError('limit_reached')
  const { rows, ...read } = await readReport(bytes, asked)
  const of = whoseOf(owner)
  const last = await getReading(db, of)
  const valuesOf = (place: number | undefined) => rows.slice(0, CHUNK).map(({ cells }) => textOf(cells, place))
  const mapping = guessColumns(read.columns, last?.columns, valuesOf)
  const remembered = last !== undefined && Object.keys(last.columns).length === Object.keys(mapping).length
  const reading: ReportReading = { ...BLANK_READING, ...last?.reading, mapping }
  if (!remembered) {
    reading.numbers = guessNumbers(valuesOf(mapping.amount)) ?? reading.numbers
    reading.dates = guessDates(valuesOf(mapping.time)) ?? reading.dates
    if (last === undefined && owner.advertiser_id !== null && isOfSales(read.columns[mapping.amount ?? -1] ?? '')) reading.amounts = 'sale'
  }
  const { uuid } = await db.transaction().execute(async (trx) => {
    const batch = await insertBatch(trx, {
      ...read,
      ...owner,
      file_name: name,
      row_count: rows.length,
      reading: JSON.stringify(reading),
      remembered,
      clock_offset: remembered ? last.clock_offset : null,
      zone_confirmed: remembered && last.clock_offset !== null,
      created_by: actor.accountId,
      created_at: new Date(now),
    })
    await insertLines(trx, batch.id, rows)
    const after = { file_name: name, rows: rows.length, ...owner }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'reconciliation', entityId: batch.id, after })
    return batch
  })
  return showBatch(db, uuid)
}

async function ownerOf(
  db: Db,
  actor: Actor,
  advertiser: string | undefined,
  affiliate: string | undefined,
): Promise<{ advertiser_id: number | null; affiliate_id: number | null }> {
  if ((advertiser === undefined) === (affiliate === undefined))
    throw new AppError('invalid_input', { fields: { advertiser_uuid: 'Say whose report this is' } })
  const found =
    advertiser === undefined ? await getAffiliate(db, actor.scope, affiliate ?? '') : await getAdvertiser(db, actor.scope, advertiser)
  if (found === undefined) throw new AppError('not_found')
  return advertiser === undefined ? { advertiser_id: null, affiliate_id: found.id } : { advertiser_id: found.id, affiliate_id: null }
}

/** One batch with its differences. Throws `not_found`. */
export async function showBatch(db: DbOrTrx, key: string): Promise<Reconciliation> {
  const row = await getBatch(db, key)
  if (row === undefined) throw new AppError('not_found')
  const [samples, causes, states] = await Promise.all([sampleLines(db, row.id), countCauses(db, row.id), countStates(db, row.id)])
  return presentBatch(row, samples, causes, states)
}

type Look = z.input<typeof reconciliationApi.look.response>

/** What a report says when it is read so. Throws `not_found`, `invalid_input`. */
export async function lookAtReport(db: Db, key: string, { reading }: { reading: ReportReading }): Promise<Look> {
  const batch = await getBatch(db, key)
  if (batch === undefined) throw new AppError('not_found')
  checkMapping(batch, reading.mapping)
  const texts = await columnsOf(db, batch.id, reading.mapping)
  const of = whoseOf(batch)
  const [meaningOf, names] = await Promise.all([meaningsOf(db, of, reading), namesOf(db, of, reading)])
  const read = await readAll(db, { ...batch, reading })
  const times = read.flatMap(({ theirs }) => theirs.at ?? []).toSorted((a, b) => a - b)
  const examples = read.flatMap(({ line, bad }) => bad.map((field) => ({ line, field }))).slice(0, EXAMPLES)
  const badOf = (field: ReportField) => read.filter(({ bad }) => bad.includes(field)).length
  const dayOf = (at: number | undefined) => (at === undefined ? null : new Date(at).toISOString().slice(0, 10))
  return {
    words: [...texts.status]
      .map(([word, lines]) => ({ word, lines, means: meaningOf(word), guess: meaningOf(word) === null ? guessMeaning(word) : null }))
      .toSorted((a, b) => b.lines - a.lines)
      .slice(0, 200),
    goals: goalsNamed(texts.goal, names.goals),
    our_goals: names.called.toSorted((a, b) => (a.title < b.title ? -1 : 1)).slice(0, MOST_GOALS),
    first: dayOf(times[0]),
    last: dayOf(times.at(-1)),
    numbers: batch.format === 'xlsx' ? 'point' : guessNumbers([...texts.amount.keys()]),
    dates: guessDates([...texts.time.keys()]),
    bad_times: badOf('time'),
    bad_amounts: badOf('amount'),
    examples: examples.map((one) => ({ ...one, text: texts.at(one.line, one.field) })),
    without_id: read.filter(({ theirs, skip }) => !skip && theirs.transactionId + theirs.clickId + theirs.subId === '').length,
  }
}

/** What a report calls goals, in whatever case, those nobody knows first, then those most lines name. */
function goalsNamed(texts: ReadonlyMap<string, number>, known: Names['goals']): Look['goals'] {
  return [...Map.groupBy(texts, ([word]) => word.toLowerCase()).values()]
    .map((same) => {
      const word = same[0]?.[0] ?? ''
      const lines = same.reduce((sum, [, count]) => sum + count, 0)
      const codes = new Set(known.get(word.toLowerCase())?.map(({ code }) => code))
      return { word, lines, known: codes.size > 0, means: codes.size === 1 ? ([...codes][0] ?? null) : null }
    })
    .toSorted((a, b) => Number(a.known) - Number(b.known) || b.lines - a.lines)
    .slice(0, MOST_GOALS)
}

/** What stands in the columns that are read, each text with how often it does. */
async function columnsOf(db: Db, batchId: number, mapping: ReportMapping) {
  const texts = () => new Map<string, number>()
  const [status, goal, amount, time] = [texts(), texts(), texts(), texts()]
  const cells = new Map<number, string[]>()
  const count = (map: Map<string, number>, text: string) => text !== '' && map.set(text, (map.get(text) ?? 0) + 1)
  const isCounted = (text: string) => text.length <= 120
  for (let line = 0; ; await breathe()) {
    const rows = await linesAfter(db, batchId, line, CHUNK)
    if (rows.length === 0) break
    for (const row of rows) {
      for (const [map, place] of [
        [status, mapping.status],
        [goal, mapping.goal],
      ] as const) {
        const word = textOf(row.cells, place)
        if (isCounted(word) && (map.size < 1_000 || map.has(word))) count(map, word)
      }
      count(amount, textOf(row.cells, mapping.amount))
      count(time, textOf(row.cells, mapping.time))
      cells.set(row.line, row.cells)
    }
    line = rows.at(-1)?.line ?? line
  }
  const at = (line: number, field: ReportField) => textOf(cells.get(line) ?? [], mapping[field]).slice(0, 200)
  return { status, goal, amount, time, at }
}

/** Locks a batch for a change. Throws `not_found`, `conflict` where somebody else has changed it since. */
export async function holdBatch(trx: Trx, key: string, revision: number): Promise<BatchRow> {
  const batch = await lockBatch(trx, key)
  if (batch === undefined) throw new AppError('not_found')
  if (batch.revision !== revision) throw new AppError('conflict')
  return batch
}

/** Has a report matched, in the background, and keeps how it is read for the next one. Throws `not_found`, `conflict`, `invalid_input`, `status_not_allowed`. */
export async function askMatch(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { revision, reading, period }: z.output<typeof reconciliationApi.match.body>,
): Promise<Reconciliation> {
  const seen = await getBatch(db, key)
  if (seen === undefined) throw new AppError('not_found')
  checkMapping(seen, reading.mapping)
  if (Date.parse(period.to) - Date.parse(period.from) > 400 * 86_400_000)
    throw new AppError('invalid_input', { fields: { 'period.to': 'At most 400 days' } })
  if (reading.currency !== null) await requireCurrency(db, reading.currency, 'reading.currency')
  await refuseUnknownWords(db, seen, reading)
  const { time_zone } = await getGeneralSettings(db)
  await db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, key, revision)
    if ((batch.state !== 'uploaded' && batch.state !== 'matched') || batch.format === 'counter') throw new AppError('status_not_allowed')
    const { mapping, ...rest } = reading
    const names = Object.entries(mapping).map(([field, place]) => [field, batch.columns[place] ?? ''])
    const kept = { columns: JSON.stringify(Object.fromEntries(names)), reading: JSON.stringify(rest), updated_at: new Date(now) }
    await saveReading(trx, whoseOf(batch), kept)
    await updateBatch(trx, batch.id, {
      state: 'uploaded',
      reading: JSON.stringify(reading),
      period_from: period.from,
      period_to: period.to,
      time_zone,
      matching_at: new Date(now),
      problem: '',
    })
    const after = { period_from: period.from, period_to: period.to }
    await recordAudit(trx, actor, now, { action: 'match', entity: 'reconciliation', entityId: batch.id, after })
  })
  return showBatch(db, key)
}

async function refuseUnknownWords(db: Db, batch: BatchRow, reading: ReportReading): Promise<void> {
  if (reading.mapping.status === undefined) return
  const { status } = await columnsOf(db, batch.id, reading.mapping)
  const meaningOf = await meaningsOf(db, whoseOf(batch), reading)
  const unknown = [...status.keys()].filter((word) => meaningOf(word) === null)
  if (unknown.length > 0)
    throw new AppError('invalid_input', { fields: { 'reading.words': `Say what these mean: ${unknown.slice(0, 10).join(', ')}` } })
}

/** Confirms the clock of a report; another one than was found has it matched again. Throws `not_found`, `conflict`, `status_not_allowed`. */
export async function confirmZone(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { revision, offset }: z.output<typeof reconciliationApi.zone.body>,
): Promise<Reconciliation> {
  await db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, key, revision)
    if (batch.state !== 'matched' || batch.format === 'counter') throw new AppError('status_not_allowed')
    const isSame = offset === batch.clock_offset
    await saveOffset(trx, whoseOf(batch), offset)
    await updateBatch(trx, batch.id, {
      zone_confirmed: true,
      clock_offset: offset,
      ...(!isSame && { state: 'uploaded' as const, matching_at: new Date(now), problem: '' }),
    })
    const change = { before: { offset: batch.clock_offset }, after: { offset } }
    await recordAudit(trx, actor, now, { action: 'confirm_zone', entity: 'reconciliation', entityId: batch.id, ...change })
  })
  return showBatch(db, key)
}

/** Forgets a report that was not applied. Throws `not_found`, `conflict`, `status_not_allowed`. */
export async function removeBatch(db: Db, now: number, actor: Actor, key: string, revision: number): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const batch = await holdBatch(trx, key, revision)
    if (batch.state !== 'uploaded' && batch.state !== 'matched') throw new AppError('status_not_allowed')
    await deleteBatch(trx, batch.id)
    const before = { file_name: batch.file_name, rows: batch.row_count }
    await recordAudit(trx, actor, now, { action: 'delete', entity: 'reconciliation', entityId: batch.id, before })
  })
}

/** Refuses a mapping whose columns are not there, or by which no line says whose it is. */
function checkMapping({ columns }: Pick<BatchRow, 'columns'>, mapping: ReportMapping): void {
  for (const [field, place] of Object.entries(mapping))
    if (place >= columns.length)
      throw new AppError('invalid_input', { fields: { [`reading.mapping.${field}`]: 'There is no such column' } })
  const hasId = mapping.transaction_id !== undefined || mapping.click_id !== undefined || mapping.sub_id !== undefined
  const isLike = (mapping.offer !== undefined || mapping.goal !== undefined) && mapping.time !== undefined && mapping.amount !== undefined
  if (!hasId && !isLike)
    throw new AppError('invalid_input', {
      fields: { 'reading.mapping.transaction_id': 'Choose the column of transactions or clicks, or those of offers, times and amounts' },
    })
}
