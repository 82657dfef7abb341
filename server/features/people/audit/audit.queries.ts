import { sql } from 'kysely'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

type AuditRow = {
  at: Date
  actor_id: number | null
  acting_id: number | null
  key_id: number | null
  address: string
  action: string
  entity: string
  entity_id: string
  before: object | null
  after: object | null
}

/** Appends any number of entries to the audit log. */
export async function insertAudit(db: DbOrTrx, rows: AuditRow[]): Promise<void> {
  await insertRows(db, 'audit', rows)
}

/** One page of what was logged of one thing, newest first, and how many entries there are in all. */
export async function listAudit(db: Db, entity: string, entityId: number, page: { count: number; page: number }) {
  const found = auditOf(db, entity, entityId)
  const { limit, offset } = pageOf(page)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select(['l.id', 'l.at', 'l.action', 'l.before', 'l.after', 'a.name as actor'])
      .orderBy('l.id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}

/** The last entry about each of some things, by its number: what was done, when and by whom, and what it was before. */
export async function lastAudits(db: DbOrTrx, entity: string, entityIds: readonly number[]) {
  const { rows } = await sql<{ entity_id: string; action: string; actor_id: number | null; at: Date; before: unknown }>`
    select l.* from unnest(${entityIds.map(String)}::text[]) as e (id)
      cross join lateral (select entity_id, action, coalesce(acting_id, actor_id) as actor_id, at, before from audit
        where entity = ${entity} and entity_id = e.id order by id desc limit 1) l`.execute(db)
  return new Map(rows.map((row) => [Number(row.entity_id), row]))
}

/** One entry about one thing. */
export function findAudit(db: DbOrTrx, entity: string, entityId: number, id: string) {
  return auditOf(db, entity, entityId).select(['l.action', 'l.at', 'l.before', 'l.after']).where('l.id', '=', id).executeTakeFirst()
}

function auditOf(db: DbOrTrx, entity: string, entityId: number) {
  return db
    .selectFrom('audit as l')
    .leftJoin('account as a', (join) => join.on(sql<boolean>`a.id = coalesce(l.acting_id, l.actor_id)`))
    .where('l.entity', '=', entity)
    .where('l.entity_id', '=', String(entityId))
}
