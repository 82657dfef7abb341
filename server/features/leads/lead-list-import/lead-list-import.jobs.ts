import { LEAD_LIST_IMPORT_HOURS, MOST_MISTAKES_TOLD, type LEAD_LIST_IMPORT_PROBLEMS } from '#contract/leads/lead-list-import.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { lockLists } from '#server/features/leads/lead-list/lead-list.queries.ts'
import { personNames } from '#server/features/leads/session/person-names.ts'
import { keepPersons } from '#server/features/leads/session/session.queries.ts'
import { KEY_ID, openLeadVault } from '#server/features/leads/session/vault.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { isAboutRow } from '#server/platform/jobs/work-off.ts'
import { log } from '#server/platform/log.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { lockName, lockNames } from '#server/platform/pg/lock.ts'
import { openContent, openInHand, sealContent, type FileContent, type FileRow, type InHand } from './content.ts'
import { judgeRows, readRows, type JudgedRow } from './judge-rows.service.ts'
import {
  addStep,
  insertMistakes,
  anyErasedSince,
  contentOf,
  FILES_OF_PEOPLE,
  forgetContent,
  insertItems,
  linesWithMistakes,
  sumsOf,
  takeRunning,
  updateImport,
  type Running,
} from './lead-list-import.queries.ts'
import { countNotTaken } from './lead-list-import.service.ts'

/** `inHand`: what a worker keeps between the parts of a file; without it each part opens its file anew. */
type Parts = { db: Db; secretKey: string | null; inHand?: InHand }
type Problem = (typeof LEAD_LIST_IMPORT_PROBLEMS)[number]

/** Rows of one transaction: what they lock is held for some tenths of a second. */
const BATCH = 250

/**
 * Adds the next people of the file that has waited longest, and answers whether there is more to do.
 *
 * People and how far the file has come are written in one transaction, under the lock of the file and its list: a worker that dies leaves
 * a part done or not begun, and the next one goes on there. A row the database refuses is refused alone.
 */
export async function runLeadListImports({ db, secretKey, inHand = openInHand() }: Parts, now: number): Promise<boolean> {
  const parts = { secretKey, inHand }
  for (const most of [BATCH, 1])
    try {
      return await db.transaction().execute((trx) => step(trx, parts, now, most, false))
    } catch (error) {
      if (!isAboutRow(error)) throw error
    }
  return db.transaction().execute((trx) => step(trx, parts, now, 1, true))
}

/** Settles the next rows of a file; `refuse`: nothing can be stored of them. */
async function step(
  trx: Trx,
  { secretKey, inHand }: Omit<Required<Parts>, 'db'>,
  now: number,
  most: number,
  refuse: boolean,
): Promise<boolean> {
  const file = await takeRunning(trx)
  if (file === undefined) {
    inHand.drop()
    return false
  }
  const actor = await actorOfAccount(trx, file.created_by)
  const content = inHand.get(file.id) ?? tryOpen(secretKey, await contentOf(trx, file.id))
  const isOver = (why: Problem | null) => {
    inHand.drop()
    return end(trx, secretKey, now, actor ?? null, file, content, why)
  }
  const problem =
    content === null ? 'unreadable' : actor === undefined || !may(actor, 'cold.write') ? 'no_longer' : await listProblem(trx, actor, file)
  if (content === null || actor === undefined || problem !== null) return isOver(problem)
  inHand.take(file.id, content)
  const next = content.rows.slice(file.done, file.done + most)
  const judged = refuse ? next.map(refused) : await take(trx, secretKey, now, actor, file, next)
  const not = judged.filter(({ problems }) => problems.length > 0)
  const taken = judged.filter(({ problems }) => problems.length === 0)
  await addStep(trx, file.id, {
    done: file.done + next.length,
    added: taken.length,
    known: taken.filter(({ known }) => known).length,
    ...countNotTaken(not),
  })
  const mistakes = not.flatMap(({ row, problems }) => problems.slice(0, MOST_MISTAKES_TOLD).map((one) => ({ row: row.line, ...one })))
  await insertMistakes(trx, file.id, mistakes)
  if (file.done + next.length < file.rows) return true
  return isOver(null)
}

function tryOpen(secretKey: string | null, sealed: Buffer | null): FileContent | null {
  try {
    return sealed === null ? null : openContent(secretKey, sealed)
  } catch (error) {
    log.error({ err: error }, 'a file of people could not be read')
    return null
  }
}

/** Why nobody can be added to a list any more; locked, as by whoever adds. */
async function listProblem(trx: Trx, { scope }: Actor, { list_id }: Running): Promise<Problem | null> {
  const [list] = await lockLists(trx, scope, [String(list_id)])
  return list === undefined ? 'gone' : list.archived_at === null ? null : 'archived'
}

/** Adds those of some rows who may be; answers what became of each. */
async function take(
  trx: Trx,
  secretKey: string | null,
  now: number,
  actor: Actor,
  file: Running,
  next: readonly FileRow[],
): Promise<JudgedRow[]> {
  const vault = openLeadVault(secretKey)
  const read = readRows(next, { mapping: file.mapping, country: file.country || null }, vault, now)
  await lockNames(
    trx,
    read.flatMap(({ person }) => (person === null ? [] : personNames(person))),
  )
  const judged = await judgeRows(trx, vault, now, { scope: actor.scope, listId: file.list_id, importId: file.id }, read, new Set())
  const taken = judged.flatMap(({ problems, person }) =>
    problems.length > 0 || person === null ? [] : [{ person, sealed: vault.sealTold(person.told) }],
  )
  const persons = await keepPersons(
    trx,
    taken.map(({ person: { phone_hash, email_hash, country, told }, sealed }) => ({
      phone_hash,
      email_hash,
      key_id: KEY_ID,
      sealed,
      country,
      language: told.language ?? '',
      gender: GENDERS.find((one) => one === told.gender) ?? 'unknown',
      test: false,
    })),
    now,
  )
  await insertItems(
    trx,
    taken.map(({ person: { country, consent }, sealed }, place) => ({
      list_id: file.list_id,
      person_id: persons[place]?.id ?? '',
      source: 'file',
      import_id: file.id,
      country,
      sealed,
      consent,
      via: 'file',
      added_by: actor.accountId,
      added_at: new Date(now),
    })),
  )
  return judged
}

const GENDERS = ['male', 'female', 'other'] as const

function refused(row: FileRow): JudgedRow {
  return { row, person: null, known: false, problems: [{ field: '', code: 'unstorable' }] }
}

/** Ends a file; of it only rows with mistakes are kept, for whoever brought it to mend them. */
async function end(
  trx: Trx,
  secretKey: string | null,
  now: number,
  actor: Actor | null,
  file: Running,
  content: FileContent | null,
  problem: Problem | null,
): Promise<boolean> {
  // whoever is erased meanwhile may stand in a row nobody could read: then none is kept
  await lockName(trx, FILES_OF_PEOPLE)
  const wrong = (await anyErasedSince(trx, file.created_at)) ? new Set() : new Set(await linesWithMistakes(trx, file.id))
  const kept = content?.rows.filter(({ line }) => wrong.has(line)) ?? []
  await updateImport(trx, file.id, {
    status: problem === null ? 'done' : 'failed',
    problem: problem ?? '',
    content: content === null || kept.length === 0 ? null : sealContent(secretKey, { columns: content.columns, rows: kept }),
    ended_at: new Date(now),
  })
  const after = { ...(await sumsOf(trx, file.id)), ...(problem !== null && { problem }) }
  await recordAudit(trx, actor, now, { action: 'import', entity: 'lead_list', entityId: file.list_id, after })
  return true
}

/** Forgets drafts nobody confirmed, and what stood in rows that were not taken, a day later; answers how many. */
export function cleanUpLeadListImports(db: Db, now: number): Promise<number> {
  return forgetContent(db, new Date(now - LEAD_LIST_IMPORT_HOURS * 3_600_000))
}
