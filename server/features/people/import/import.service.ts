import { setImmediate as breathe } from 'node:timers/promises'
import type { z } from 'zod'
import {
  IMPORT_UNDO_MS,
  importOptions,
  NEEDED_FIELDS,
  ROW_STATES,
  type importApi,
  type ImportDetail,
  type ImportedKind,
} from '#contract/people/import.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { RecentTries } from '#server/platform/recent-tries.ts'
import { managerFor } from '../account/account.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { guessMapping } from './guess.ts'
import {
  allRows,
  countStates,
  countWorking,
  deleteDrafts,
  getImport,
  insertImport,
  sampleRows,
  updateImport,
  type ImportRow,
} from './import.queries.ts'
import { alreadyThere, loadReferences } from './context.service.ts'
import { readFileApart } from './read-file-apart.ts'
import { readRow } from './read-row.ts'

/** More at once would only slow each other down. */
const MOST_WORKING = 2
/** So many rows are shown as they would be, and so many with what is wrong with them. */
const SHOWN = 8
const SHOWN_REFUSED = 100

/** A preview of more rows is work of up to a second. */
const MANY_ROWS = 1_000
/** Counts previews of each account: all, and those of many rows. */
export type PreviewLimit = { any: RecentTries; large: RecentTries }

/** Reads a file and keeps what it says until it is confirmed; a draft of before is given up. Throws `invalid_input`, `too_many_attempts`, `forbidden`. */
export async function readImport(
  { db, limit }: { db: Db; limit: RecentTries },
  now: number,
  actor: Actor,
  { kind, name, ...asked }: z.output<typeof importApi.read.query>,
  bytes: Uint8Array,
): Promise<ImportDetail> {
  refuseOthers(actor, kind)
  limit(actor.accountId, now)
  const { rows, ...read } = await readFileApart(bytes, asked)
  const uuid = await db.transaction().execute(async (trx) => {
    await deleteDrafts(trx, actor.accountId, kind)
    const values = { kind, ...read, file_name: name, row_count: rows.length, created_by: actor.accountId, created_at: new Date(now) }
    return insertImport(trx, { ...values, mapping: JSON.stringify(guessMapping(kind, read.columns)) }, rows)
  })
  return showImport(db, now, actor, uuid)
}

/** One import with how far it has come. Throws `not_found`. */
export async function showImport(db: Db, now: number, actor: Actor, uuid: string): Promise<ImportDetail> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  const [counts, samples] = await Promise.all([countStates(db, row.id), sampleRows(db, row.id)])
  const until = undoUntil(row)
  return {
    ...row,
    // what was stored was one of these words
    encoding: row.encoding as ImportDetail['encoding'],
    delimiter: row.delimiter as ImportDetail['delimiter'],
    options: importOptions.parse(row.options),
    samples,
    rows: row.row_count,
    counts: Object.fromEntries(ROW_STATES.map((state) => [state, counts[state] ?? 0])) as ImportDetail['counts'], // each state once
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    undo_until: until !== null && until > now && (counts.made ?? 0) > 0 ? new Date(until).toISOString() : null,
  }
}

/** What would be made of a draft. Throws `not_found`, `invalid_input`, `too_many_attempts` with how long to wait. */
export async function previewImport(
  { db, limit }: { db: Db; limit: PreviewLimit },
  now: number,
  actor: Actor,
  uuid: string,
  plan: z.output<typeof importApi.preview.body>,
): Promise<z.input<typeof importApi.preview.response>> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  await checkPlan(db, actor, row, plan)
  limit.any(actor.accountId, now)
  if (row.row_count > MANY_ROWS) limit.large(actor.accountId, now)
  const references = await loadReferences(db, actor)
  const read = []
  for (const [index, { line, cells }] of (await allRows(db, row.id)).entries()) {
    // ten thousand rows are a second of work: others are served in between
    if (index % 250 === 249) await breathe()
    read.push({ line, cells, ...readRow(row.kind, cells, { ...plan, references }) })
  }
  const isThere = await alreadyThere(
    db,
    row.kind,
    actor,
    read.flatMap(({ input }) => input ?? []),
  )
  const seen = new Map<string, number>()
  const judged = read.map((one) => {
    if (one.input === undefined) return { ...one, skipped: false, problems: one.problems }
    const same = [one.input.name.toLowerCase(), one.input.email].filter(
      (word, place) => word !== '' && (row.kind === 'advertiser' || place === 1),
    )
    const before = same.map((word) => seen.get(word)).find((line) => line !== undefined)
    const twice = before === undefined ? undefined : { '': `The same stands in row ${before} of this file` }
    for (const word of same) if (!seen.has(word)) seen.set(word, one.line)
    const problems = isThere(one.input) ?? twice
    return { ...one, skipped: problems !== undefined, problems: problems ?? {} }
  })
  const good = judged.filter(({ problems }) => Object.keys(problems).length === 0)
  const bad = judged.filter(({ problems }) => Object.keys(problems).length > 0)
  return {
    good: good.length,
    skipped: bad.filter(({ skipped }) => skipped).length,
    bad: bad.filter(({ skipped }) => !skipped).length,
    list: good.slice(0, SHOWN).map(({ line, input }) => ({ line, values: flat(input ?? {}) })),
    refused: bad.slice(0, SHOWN_REFUSED).map(({ line, skipped, cells, problems }) => ({ line, skipped, cells, problems })),
  }
}

/** Confirms a draft: a worker makes what it says. Once is enough, however often and by how many it is asked. Throws `not_found`, `invalid_input`, `limit_reached`. */
export async function startImport(
  db: Db,
  now: number,
  actor: Actor,
  uuid: string,
  plan: z.output<typeof importApi.start.body>,
): Promise<ImportDetail> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.state !== 'draft') return
    await checkPlan(trx, actor, row, plan)
    if ((await countWorking(trx, actor.accountId)) >= MOST_WORKING) throw new AppError('limit_reached')
    const { mapping, options } = plan
    await updateImport(trx, row.id, {
      state: 'running',
      mapping: JSON.stringify(mapping),
      options: JSON.stringify(options),
      started_at: new Date(now),
    })
    const after = { kind: row.kind, file_name: row.file_name, rows: row.row_count, mapping, options }
    await recordAudit(trx, actor, now, { action: 'start', entity: 'import', entityId: row.id, after })
  })
  return showImport(db, now, actor, uuid)
}

/** Takes an import of the last day back: a worker removes what nobody used. Throws `not_found`, `status_not_allowed`. */
export async function undoImport(db: Db, now: number, actor: Actor, uuid: string): Promise<ImportDetail> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.state === 'undoing' || row.state === 'undone') return
    if ((undoUntil(row) ?? 0) <= now) throw new AppError('status_not_allowed')
    await updateImport(trx, row.id, { state: 'undoing', undone_by: actor.accountId })
    await recordAudit(trx, actor, now, {
      action: 'undo',
      entity: 'import',
      entityId: row.id,
      before: { state: 'done' },
      after: { state: 'undone' },
    })
  })
  return showImport(db, now, actor, uuid)
}

function undoUntil({ state, finished_at }: ImportRow): number | null {
  return state === 'done' && finished_at !== null ? finished_at.getTime() + IMPORT_UNDO_MS : null
}

/** Refuses a plan whose columns are not there, that leaves out what is needed, or that gives to somebody out of reach. */
async function checkPlan(
  db: DbOrTrx,
  actor: Actor,
  row: ImportRow,
  { mapping, options }: z.output<typeof importApi.start.body>,
): Promise<void> {
  refuseOthers(actor, row.kind)
  for (const field of NEEDED_FIELDS[row.kind])
    if (mapping[field] === undefined) throw new AppError('invalid_input', { fields: { [`mapping.${field}`]: 'Choose the column of this' } })
  for (const [field, place] of Object.entries(mapping))
    if (place >= row.columns.length) throw new AppError('invalid_input', { fields: { [`mapping.${field}`]: 'There is no such column' } })
  try {
    await managerFor(db, actor, options.manager_uuid)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError('unknown_reference', { fields: { 'options.manager_uuid': 'Choose a manager of yours' } })
  }
}

function refuseOthers(actor: Actor, kind: ImportedKind): void {
  if (!may(actor, `${kind}.write`)) throw new AppError('forbidden')
}

/** A form as one text for each of its fields. */
function flat(values: object, within = ''): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(values) as [string, unknown][]) {
    const path = within + name
    if (Array.isArray(value)) texts[path] = value.filter((one) => typeof one === 'string').join(', ')
    else if (typeof value === 'object' && value !== null) Object.assign(texts, flat(value, `${path}.`))
    else texts[path] = typeof value === 'string' ? value : ''
  }
  return texts
}
