import { DatabaseError } from 'pg'
import { IMPORT_DAYS, type ImportedKind } from '#contract/people/import.ts'
import type { Actor } from '#server/access/actor.ts'
import { may } from '#server/access/actor.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { actorOfAccount } from '../account/account-actor.service.ts'
import type { LinkWay } from '../account/account.service.ts'
import { makeAdvertiser } from '../advertiser/advertiser.service.ts'
import { makeAffiliate } from '../affiliate/affiliate.service.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { alreadyThere, loadReferences, type Plan } from './context.service.ts'
import {
  countStates,
  deleteImports,
  lockImport,
  lockRow,
  nextImport,
  rowsIn,
  settleRow,
  updateImport,
  type ImportRow,
} from './import.queries.ts'
import { readRow, type ReadRow } from './read-row.ts'
import { removeAccount, removeAdvertiser, whatAdvertiserDid, whatAffiliateDid, withClicks } from './undo.queries.ts'

type Parts = { db: Db; clickhouse: Clickhouse; way: LinkWay }
type Settled = { state: 'made' | 'skipped' | 'refused' | 'removed' | 'stays'; problems?: Record<string, string>; made_id?: number }

/** So many rows of the oldest import are settled before others get their turn. */
const BATCH = 25
const DAY = 86_400_000

/**
 * Makes, or removes, some rows of the import that has waited longest, and answers whether there is more to do.
 *
 * Each row is settled in the transaction that makes what it says: a worker that dies leaves it made and marked, or neither, and
 * the next one goes on. Rows of one kind are made one after another, so that of two that are the same the second is passed over.
 */
export async function runImports(parts: Parts, now: number): Promise<boolean> {
  const { db } = parts
  const job = await nextDoable(parts)
  if (job === undefined) return false
  const undoing = job.state === 'undoing'
  const actor = await actorOfAccount(db, (undoing ? job.undone_by : job.created_by) ?? 0)
  const settle = undoing ? await remover(parts, now, actor, job) : await maker(parts, now, actor, job)
  for (let row = 0; row < BATCH; row++)
    if (!(await settleNext(db, job, settle))) {
      await finish(db, now, actor, job)
      return true
    }
  return true
}

/** The import that has waited longest. While nobody can say who has sent clicks, what is taken back waits, and all else does not. */
async function nextDoable({ db, clickhouse }: Parts): Promise<ImportRow | undefined> {
  const job = await nextImport(db, ['running', 'undoing'])
  if (job?.state !== 'undoing' || (await clickhouse.ping({ select: true })).success) return job
  return nextImport(db, ['running'])
}

type Settle = (trx: Trx, row: { line: number; cells: string[]; made_id: number | null }) => Promise<Settled>

/** Settles one row in a transaction of its own; false where none is left. */
async function settleNext(db: Db, job: ImportRow, settle: Settle): Promise<boolean> {
  const waiting = job.state === 'undoing' ? 'made' : 'waiting'
  let line = 0
  try {
    return await db.transaction().execute(async (trx) => {
      await lockName(trx, `import ${job.kind}`)
      const row = await lockRow(trx, job.id, waiting)
      if (row === undefined) return false
      line = row.line
      await settleRow(trx, job.id, row.line, await settle(trx, row))
      return true
    })
  } catch (error) {
    // what it says was refused, and its transaction with it: the row is marked in another one
    const said = error instanceof AppError ? (error.fields ?? { '': error.message }) : refusedByDatabase(error, job.state)
    if (said === undefined) throw error
    await db.transaction().execute(async (trx) => {
      await lockName(trx, `import ${job.kind}`)
      const row = await lockRow(trx, job.id, waiting)
      if (row?.line === line) await settleRow(trx, job.id, line, { state: waiting === 'made' ? 'stays' : 'refused', problems: { ...said } })
    })
    return true
  }
}

/** One row that cannot be is no reason for all imports to wait: what the database says of its content is said of the row. */
function refusedByDatabase(error: unknown, state: ImportRow['state']): Record<string, string> | undefined {
  if (!(error instanceof DatabaseError) || !/^2[23]/.test(error.code ?? '')) return undefined
  return {
    '':
      state === 'undoing'
        ? 'Something else refers to it by now'
        : 'This row cannot be stored as it is: look for odd characters in it, or add it by hand',
  }
}

const NO_LONGER = { '': 'Who started this may not do it any more' }

async function maker({ db, way }: Parts, now: number, actor: Actor | undefined, job: ImportRow): Promise<Settle> {
  if (actor === undefined || !may(actor, `${job.kind}.write`)) return () => Promise.resolve({ state: 'refused', problems: NO_LONGER })
  const plan: Plan = { mapping: job.mapping, options: job.options, references: await loadReferences(db, actor) }
  const mails = job.options.mail_links && (await isMailSetUp(db))
  const settling =
    <Kind extends ImportedKind>(kind: Kind, make: (trx: Trx, input: NonNullable<ReadRow<Kind>['input']>) => Promise<number>): Settle =>
    async (trx, { cells }) => {
      const { input, problems } = readRow(kind, cells, plan)
      if (input === undefined) return { state: 'refused', problems }
      const there = (await alreadyThere(trx, kind, actor, [input]))(input)
      if (there !== undefined) return { state: 'skipped', problems: there }
      return { state: 'made', made_id: await make(trx, input) }
    }
  if (job.kind === 'advertiser') return settling('advertiser', (trx, input) => makeAdvertiser(trx, now, actor, input))
  return settling('affiliate', async (trx, input) => {
    const mailed = mails && input.status === 'active' ? way : null
    return (await makeAffiliate(trx, now, actor, input, mailed)).id
  })
}

async function remover({ db, clickhouse }: Parts, now: number, actor: Actor | undefined, job: ImportRow): Promise<Settle> {
  if (actor === undefined || !may(actor, `${job.kind}.write`)) return () => Promise.resolve({ state: 'stays', problems: NO_LONGER })
  const next = await rowsIn(db, job.id, 'made', BATCH)
  const looked = new Set(next.flatMap(({ made_id }) => made_id ?? []))
  const clicked = job.kind === 'affiliate' ? await withClicks(clickhouse, [...looked]) : new Set<number>()
  // of rows that another worker left for this one nothing is known yet
  const hasClicks = async (id: number) => (looked.has(id) ? clicked.has(id) : (await withClicks(clickhouse, [id])).size > 0)
  return async (trx, { made_id }) => {
    const id = made_id ?? 0
    const reason = await keeps(trx, job.kind, id)
    if (reason !== undefined) return { state: 'stays', problems: { '': reason } }
    await recordAudit(trx, actor, now, { action: 'delete', entity: job.kind, entityId: id })
    return { state: 'removed' }
  }

  /** Removes what was made, or tells what keeps it. */
  async function keeps(trx: Trx, kind: ImportedKind, id: number): Promise<string | undefined> {
    if (kind === 'advertiser') {
      const did = await whatAdvertiserDid(trx, id)
      if (did?.used) return 'It has offers, landings, a read-only link, a postback dialect or conversions by now'
      if (did?.changed) return 'Somebody changed it since'
      await removeAdvertiser(trx, id)
    } else {
      const did = await whatAffiliateDid(trx, id)
      if (did?.signed_in) return 'They have set a password or signed in since'
      if (did?.used) return 'They have access to offers, links, postbacks, domains, tickets, referrals or conversions by now'
      if (await hasClicks(id)) return 'They have sent clicks'
      if (did?.changed) return 'Somebody changed it since'
      if (did !== undefined) await removeAccount(trx, did.account_id)
    }
    await announce(trx, kind, [id])
    return undefined
  }
}

/** Closes an import of which no row is left, once. */
async function finish(db: Db, now: number, actor: Actor | undefined, job: ImportRow): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockName(trx, `import ${job.kind}`)
    if ((await lockImport(trx, job.id))?.state !== job.state) return
    await updateImport(
      trx,
      job.id,
      job.state === 'undoing' ? { state: 'undone', undone_at: new Date(now) } : { state: 'done', finished_at: new Date(now) },
    )
    const action = job.state === 'undoing' ? 'undone' : 'import'
    await recordAudit(trx, actor ?? null, now, { action, entity: 'import', entityId: job.id, after: await countStates(trx, job.id) })
  })
}

/** Forgets drafts of before yesterday, and finished imports after the days they are kept. Answers how many. */
export function cleanUpImports(db: Db, now: number): Promise<number> {
  return deleteImports(db, { drafts: new Date(now - DAY), finished: new Date(now - IMPORT_DAYS * DAY) })
}
