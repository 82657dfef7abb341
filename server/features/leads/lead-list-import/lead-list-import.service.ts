import { setImmediate as breathe } from 'node:timers/promises'
import type { z } from 'zod'
import type { CallOutput } from '#contract/endpoint.ts'
import { leftOut } from '#contract/leads/lead-list.ts'
import {
  LAWFUL_STATEMENT,
  lawfulBasis,
  LEAD_LIST_IMPORT_PROBLEMS,
  MOST_LEAD_ROWS,
  type LeadListImportDetail,
  type leadListImportApi,
  type LeadListImportPlan,
  type LeadListRowProblem,
} from '#contract/leads/lead-list-import.ts'
import { LEAD_LIST_FIELDS } from '#contract/leads/lead-list-mapping.ts'
import type { Actor } from '#server/access/actor.ts'
import { getList } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { lockOpenList } from '#server/features/leads/lead-list/lead-list.service.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { readFileApart } from '#server/features/people/import/read-file-apart.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { RecentTries } from '#server/platform/recent-tries.ts'
import { openContent, sealContent, type FileContent } from './content.ts'
import { guessFields } from './guess-fields.ts'
import { judgeRows, readRows, type JudgedRow } from './judge-rows.service.ts'
import {
  contentOf,
  countRunning,
  deleteDraftsOf,
  getImport,
  insertImport,
  isSent,
  listImports,
  listMistakes,
  updateImport,
  type ImportRow,
} from './lead-list-import.queries.ts'

type Parts = { db: Db; secretKey: string | null }
type Limited = Parts & { limit: RecentTries }

/** More at once would only slow each other down. */
const MOST_RUNNING = 2
const SAMPLES = 3
const SHOWN = 10
const SHOWN_NOT_TAKEN = 100
const CHUNK = 250

/** Reads a file for a list and keeps it, sealed, until it is confirmed. Throws `not_found`, `lead_list_archived`, `invalid_input`, `too_many_attempts`. */
export async function readImport(
  { db, secretKey, limit }: Limited,
  now: number,
  actor: Actor,
  key: string,
  { name, ...asked }: z.output<typeof leadListImportApi.read.query>,
  bytes: Uint8Array,
): Promise<LeadListImportDetail> {
  limit(actor.accountId, now)
  const { columns, rows, encoding, delimiter } = await readFileApart(bytes, asked, MOST_LEAD_ROWS)
  const uuid = await db.transaction().execute(async (trx) => {
    const list = await lockOpenList(trx, actor, key)
    await deleteDraftsOf(trx, actor.accountId)
    return insertImport(trx, {
      list_id: list.id,
      file_name: name,
      status: 'draft',
      encoding,
      delimiter,
      mapping: JSON.stringify(guessFields(columns)),
      content: sealContent(secretKey, { columns, rows }),
      rows: rows.length,
      created_by: actor.accountId,
      created_at: new Date(now),
    })
  })
  return showImport({ db, secretKey }, actor, uuid)
}

/** One file of a list in scope. Throws `not_found`. */
export async function showImport(
  { db, secretKey }: { db: DbOrTrx; secretKey: string | null },
  actor: Actor,
  uuid: string,
): Promise<LeadListImportDetail> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  const content = row.status === 'draft' ? await contentOf(db, row.id) : null
  const { columns, rows } = content === null ? { columns: [], rows: [] } : openContent(secretKey, content)
  const isOver = row.status === 'done' || row.status === 'failed' || row.status === 'cancelled'
  const { id: _id, list_id: _list, created_by, has_content, ...shown } = row
  return {
    ...shown,
    // what was stored was one of these words
    status: row.status as LeadListImportDetail['status'],
    problem: LEAD_LIST_IMPORT_PROBLEMS.find((one) => one === row.problem) ?? '',
    encoding: row.encoding as LeadListImportDetail['encoding'],
    delimiter: row.delimiter as LeadListImportDetail['delimiter'],
    columns,
    samples: rows.slice(0, SAMPLES).map(({ cells }) => cells),
    basis: lawfulBasis.safeParse(row.basis).data ?? null,
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    may_undo: isOver && row.added > 0 && !(await isSent(db, row.id)),
    has_rows: isOver && has_content && created_by === actor.accountId,
  }
}

/** What would become of the rows of an own draft. Throws `not_found`, `status_not_allowed`, `invalid_input`, `too_many_attempts`. */
export async function previewImport(
  { db, secretKey, limit }: Limited,
  now: number,
  actor: Actor,
  uuid: string,
  plan: LeadListImportPlan,
): Promise<CallOutput<typeof leadListImportApi.preview>> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  const { columns, rows } = await draftOf(db, secretKey, row)
  checkMapping(columns, plan)
  limit(actor.accountId, now)
  const vault = openLeadVault(secretKey)
  const met = new Set<string>()
  const judged: JudgedRow[] = []
  for (let from = 0; from < rows.length; from += CHUNK) {
    // twenty thousand rows are a second of work: others are served in between
    await breathe()
    const read = readRows(rows.slice(from, from + CHUNK), plan, vault, now)
    judged.push(...(await judgeRows(db, vault, now, { scope: actor.scope, listId: row.list_id, importId: row.id }, read, met)))
  }
  const [taken, not] = [judged.filter(({ problems }) => problems.length === 0), judged.filter(({ problems }) => problems.length > 0)]
  return {
    ...countNotTaken(not),
    added: taken.length,
    known: taken.filter(({ known }) => known).length,
    list: taken.slice(0, SHOWN).map(({ row: { line }, person, known }) => ({ row: line, known, values: valuesOf(person) })),
    not_taken: not.slice(0, SHOWN_NOT_TAKEN).map(({ row: { line, cells }, problems }) => ({ row: line, cells, problems })),
  }
}

/** Rows that are not taken: those with mistakes, and the others by why. */
export function countNotTaken(rows: readonly Pick<JudgedRow, 'problems' | 'person'>[]) {
  const left = rows.flatMap(({ problems }) => leftOut.safeParse(problems[0]?.code).data ?? [])
  return {
    refused: rows.filter(({ person }) => person === null).length,
    left_out: Object.fromEntries([...Map.groupBy(left, (reason) => reason)].map(([reason, of]) => [reason, of.length])),
  }
}

function valuesOf(person: JudgedRow['person']) {
  const { told = {}, country = '', consent = null } = person ?? {}
  const all: Record<string, string> = {
    ...told,
    country,
    consent_at: consent?.given_at ?? '',
    consent_text: consent?.text ?? '',
    consent_recipients: consent?.recipients?.join('; ') ?? '',
  }
  return Object.fromEntries(LEAD_LIST_FIELDS.flatMap((field) => (all[field] ? [[field, all[field]] as const] : [])))
}

/** Confirms an own draft: a worker adds its people. Once is enough, however often it is asked. Throws `not_found`, `lead_list_archived`, `invalid_input`, `limit_reached`. */
export async function startImport(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  uuid: string,
  { basis, source, language, confirmed: _confirmed, ...plan }: z.output<typeof leadListImportApi.start.body>,
): Promise<LeadListImportDetail> {
  await db.transaction().execute(async (trx) => {
    const row = await getImport(trx, actor, uuid, true)
    if (row === undefined) throw new AppError('not_found')
    if (row.status !== 'draft') return
    checkMapping((await draftOf(trx, secretKey, row)).columns, plan)
    await lockOpenList(trx, actor, row.list_uuid)
    if ((await countRunning(trx, actor.accountId)) >= MOST_RUNNING) throw new AppError('limit_reached')
    const confirmed = { basis, source, statement: LAWFUL_STATEMENT[language] }
    await updateImport(trx, row.id, {
      status: 'running',
      mapping: JSON.stringify(plan.mapping),
      country: plan.country ?? '',
      ...confirmed,
      confirmed_at: new Date(now),
    })
    const { basis: lawful_basis, ...words } = confirmed
    const after = { file_name: row.file_name, rows: row.rows, lawful_basis, ...words }
    await recordAudit(trx, actor, now, { action: 'start_import', entity: 'lead_list', entityId: row.list_id, after })
  })
  return showImport({ db, secretKey }, actor, uuid)
}

/** One page of the files of a list in scope. Throws `not_found`. */
export async function showImports(
  db: Db,
  actor: Actor,
  key: string,
  paging: z.output<typeof leadListImportApi.list.body>,
): Promise<CallOutput<typeof leadListImportApi.list>> {
  const list = await getList(db, actor.scope, key)
  if (list === undefined) throw new AppError('not_found')
  const { rows, list: page } = await listImports(db, actor, list.id, paging)
  return {
    // what was stored was one of these words
    list: page.map((one) => ({ ...one, status: one.status as LeadListImportDetail['status'], created_at: one.created_at.toISOString() })),
    summary: { rows },
  }
}

/** Rows of a file that were not taken, with what stood there where that is kept and the caller's. Throws `not_found`. */
export async function showNotTaken(
  { db, secretKey }: Parts,
  actor: Actor,
  uuid: string,
  paging: z.output<typeof leadListImportApi.rows.body>,
): Promise<CallOutput<typeof leadListImportApi.rows>> {
  const row = await getImport(db, actor, uuid)
  if (row === undefined) throw new AppError('not_found')
  const { rows, list } = await listMistakes(db, row.id, paging)
  const sealed =
    row.status !== 'running' && row.status !== 'draft' && row.created_by === actor.accountId ? await contentOf(db, row.id) : null
  const { columns, rows: kept } = sealed === null ? { columns: [], rows: [] } : openContent(secretKey, sealed)
  const cells = new Map(kept.map((one) => [one.line, one.cells]))
  return {
    columns,
    list: list.map(({ row: line, mistakes }) => ({
      line,
      cells: cells.get(line) ?? [],
      problems: mistakes.map(({ field, code }) => ({ field, code })) as LeadListRowProblem[], // as they were written
    })),
    summary: { rows },
  }
}

/** What stands in a draft. Throws `status_not_allowed` of what is none any more. */
async function draftOf(db: DbOrTrx, secretKey: string | null, row: ImportRow): Promise<FileContent> {
  const sealed = row.status === 'draft' ? await contentOf(db, row.id) : null
  if (sealed === null) throw new AppError('status_not_allowed')
  return openContent(secretKey, sealed)
}

/** Refuses a mapping whose columns are not there, or by which nobody could be reached. */
function checkMapping(columns: readonly string[], { mapping }: LeadListImportPlan): void {
  for (const [field, place] of Object.entries(mapping))
    if (place >= columns.length) throw new AppError('invalid_input', { fields: { [`mapping.${field}`]: 'There is no such column' } })
  if (mapping.phone === undefined && mapping.email === undefined)
    throw new AppError('invalid_input', { fields: { 'mapping.phone': 'Choose the column of telephones or of e-mail addresses' } })
}
