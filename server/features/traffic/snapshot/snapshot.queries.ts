import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/** The PostgreSQL channel on which changes the trackers must learn of are announced. */
export const SNAPSHOT_CHANNEL = 'snapshot'

/** What can be announced; an advertiser or landing stands for all offers that have it. */
export const SNAPSHOT_ENTITIES = ['offer', 'affiliate', 'advertiser', 'landing', 'link', 'keys', 'trafficback'] as const
export type SnapshotEntity = (typeof SNAPSHOT_ENTITIES)[number]

/**
 * Announces that something trackers decide by has changed. Call it inside the transaction that makes the change:
 * PostgreSQL delivers it on commit, and never when the transaction fails.
 */
export async function announce(db: DbOrTrx, entity: SnapshotEntity, ids: (number | string)[]): Promise<void> {
  if (ids.length === 0) return
  await sql`select pg_notify(${SNAPSHOT_CHANNEL}, ${entity} || ':' || id) from unnest(${ids.map(String)}::text[]) as id`.execute(db)
}
