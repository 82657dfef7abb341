import type { RecoldLive, PauseReason } from '#contract/leads/recold.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { presentCounts, presentEarned } from './recold.present.ts'
import { countItems, listErrors, readEarned, sentByHour } from './recold.queries.ts'
import { findOrThrow } from './recold.service.ts'

const MONTH = 31 * 86_400_000

/** How far a distribution is. Throws `not_found`. */
export async function showLive(db: Db, now: number, actor: Actor, key: string): Promise<RecoldLive> {
  const row = await findOrThrow(db, actor.scope, key)
  const since = Math.max(now - MONTH, row.started_at?.getTime() ?? 0)
  const [counted, sent, errors, earned] = await Promise.all([
    countItems(db, [row.id]),
    sentByHour(db, row.id, new Date(since)),
    listErrors(db, actor.scope, row.id),
    readEarned(db, [row.id]),
  ])
  const own = counted.get(row.id)
  return {
    status: row.status,
    pause_reason: row.pause_reason as '' | PauseReason, // nothing else is written
    counts: presentCounts(own),
    waiting: own?.waiting ?? 0,
    skipped: own?.skipped ?? {},
    now: new Date(now).toISOString(),
    next_send_at: row.status === 'active' ? (own?.nextAt?.toISOString() ?? null) : null,
    planned_end: row.status === 'active' ? (row.planned_end?.toISOString() ?? null) : null,
    finished_at: row.finished_at?.toISOString() ?? null,
    last_send_at: row.last_send_at?.toISOString() ?? null,
    sent,
    forecast: row.forecast.filter(({ hour }) => Date.parse(hour) >= since - 3_600_000),
    errors: errors.map(({ asked_at, title, reason }) => ({ at: asked_at.toISOString(), product: title, reason })),
    ...presentEarned(row.id, earned),
  }
}
