import { sql } from 'kysely'
import type { z } from 'zod'
import { SYSTEM_RUNS, type SystemRunKind, type systemResult } from '#contract/network/system.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'

/** Asks for long work; false where the same is asked for or under way already. */
export async function askRun(db: DbOrTrx, now: number, kind: SystemRunKind, askedBy: number | null): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('system_run')
    .values({ kind, asked_by: askedBy, asked_at: new Date(now) })
    .onConflict((conflict) => conflict.column('kind').where('state', 'in', ['waiting', 'running']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

/** Takes the oldest that waits, for a worker that keeps saying it is alive; undefined where nothing waits. */
export async function claimRun(db: Db, now: number, leaseMs: number): Promise<{ id: string; kind: SystemRunKind } | undefined> {
  const { rows } = await sql<{ id: string; kind: SystemRunKind }>`
    update system_run set state = 'running', started_at = ${new Date(now)}, leased_until = ${new Date(now + leaseMs)}
     where id = (select id from system_run where state = 'waiting' order by id limit 1 for update skip locked)
    returning id, kind`.execute(db)
  return rows[0]
}

/** Says that the work goes on, and how far it is. */
export async function keepRun(db: Db, id: string, values: { done?: number; total?: number; leased_until: Date }): Promise<void> {
  await db.updateTable('system_run').set(values).where('id', '=', id).where('state', '=', 'running').execute()
}

/** Writes what came of it; nothing where it was given up meanwhile. */
export async function settleRun(
  db: DbOrTrx,
  now: number,
  id: string,
  { error, result }: { error: string; result: z.output<typeof systemResult> },
): Promise<void> {
  await db
    .updateTable('system_run')
    .set({ state: error === '' ? 'done' : 'failed', finished_at: new Date(now), leased_until: null, error, result: JSON.stringify(result) })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Gives up what a worker that died had taken. */
export async function failAbandoned(db: Db, now: number): Promise<void> {
  await db
    .updateTable('system_run')
    .set({ state: 'failed', finished_at: new Date(now), leased_until: null, error: 'interrupted' })
    .where('state', '=', 'running')
    .where('leased_until', '<', new Date(now))
    .execute()
}

/** The last two of each kind, and the last that went well; newest first. */
export async function latestRuns(db: DbOrTrx) {
  const { rows } = await sql<{
    id: string
    kind: SystemRunKind
    state: 'waiting' | 'running' | 'done' | 'failed'
    asked_by: string | null
    asked_at: Date
    started_at: Date | null
    finished_at: Date | null
    done: number
    total: number
    result: z.output<typeof systemResult>
    error: string
  }>`
    select r.id, r.kind, r.state, case when r.asked_by is null then '' else coalesce(a.name, '') end as asked_by,
           r.asked_at, r.started_at, r.finished_at, r.done, r.total, r.result, r.error
      from unnest(${[...SYSTEM_RUNS]}::text[]) as kinds (kind)
      cross join lateral (
        (select * from system_run where kind = kinds.kind order by id desc limit 2)
        union
        (select * from system_run where kind = kinds.kind and state = 'done' order by id desc limit 1)) as r
      left join account a on a.id = r.asked_by
     order by r.id desc`.execute(db)
  return rows
}
export type LatestRun = Awaited<ReturnType<typeof latestRuns>>[number]

/** Forgets what is older; the last of each kind stays. Answers how many. */
export async function deleteOldRuns(db: DbOrTrx, before: Date): Promise<void> {
  await sql`
    delete from system_run r where asked_at < ${before} and state in ('done', 'failed')
       and exists (select from system_run newer where newer.kind = r.kind and newer.state = r.state and newer.id > r.id)`.execute(db)
}
