import { sql } from 'kysely'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

const DAY = 86_400_000

/** Where postbacks stand: those that wait for their click, the last one received, deliveries that are late and since when, and those given up. */
export async function postbackQueues(db: DbOrTrx, now: number) {
  const { rows } = await sql<{
    waiting: number
    last_at: Date | null
    deliveries_due: number
    due_since: Date | null
    deliveries_dead: number
  }>`
    select (select count(*)::int from postback_in where outcome = 'waiting') as waiting,
           (select received_at from postback_in order by received_at desc limit 1) as last_at,
           due.rows as deliveries_due, due.since as due_since,
           -- of the last day: older ones have been seen
           (select count(*)::int from postback_delivery where state = 'dead' and created_at > ${new Date(now - DAY)}) as deliveries_dead
      from (select count(*)::int as rows, min(next_try_at) as since from postback_delivery where state = 'queued' and next_try_at <= ${new Date(now)}) as due`.execute(
    db,
  )
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table answers one row')
  return row
}

/** Messages: how many wait and since when the oldest is due (what one recipient’s server puts off is not our delay), what became of those of the last day, and what was said last. */
export async function mailState(db: DbOrTrx, now: number) {
  const since = new Date(now - DAY)
  const { rows } = await sql<{
    waiting: number
    due_since: Date | null
    tried: number
    sent: number
    refused: number
    last_sent: Date | null
    last_failed: Date | null
    last_error: string | null
  }>`
    select waiting.rows as waiting, waiting.since as due_since, waiting.tried, day.sent, day.refused, day.last_sent, day.last_failed,
           (select error from mail where created_at > ${since} and error <> '' and status in ('waiting', 'refused', 'failed')
             order by coalesce(settled_at, taken_at) desc nulls last limit 1) as last_error
      from (select count(*)::int as rows, min(case when attempts > 0 and error not like 'recipient_refused%' then created_at
                            when next_at <= ${new Date(now)} then next_at end) as since,
                   count(*) filter (where attempts > 0 and error not like 'recipient_refused%')::int as tried
              from mail where status = 'waiting') as waiting,
           (select count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'refused')::int as refused,
                   max(settled_at) filter (where status = 'sent') as last_sent,
                   max(settled_at) filter (where status in ('failed', 'expired') and error not like 'recipient_refused%') as last_failed
              from mail where created_at > ${since}) as day`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a select without a table answers one row')
  return row
}

/** Jobs by the clock that failed within a day, and since when the oldest is due that nobody has begun; null where no worker has run yet. */
export async function jobState(db: DbOrTrx, now: number) {
  const there = await sql<{ there: boolean }>`select to_regclass('pgboss.job') is not null as there`.execute(db)
  if (there.rows[0]?.there !== true) return null
  const { rows } = await sql<{ failed: number; name: string | null; due_since: Date | null }>`
    select count(*) filter (where state = 'failed' and completed_on > ${new Date(now - DAY)})::int as failed,
           min(name) filter (where state = 'failed' and completed_on > ${new Date(now - DAY)}) as name,
           min(start_after) filter (where state = 'created' and start_after <= ${new Date(now)} and name not like '\\_\\_%') as due_since
      from pgboss.job`.execute(db)
  return rows[0] ?? null
}

/** The quarter of an hour the youngest stored click is of. */
export async function lastClickQuarter(clickhouse: Clickhouse): Promise<number | null> {
  const answer = await clickhouse.query({
    query: 'SELECT toUnixTimestamp(quarter) AS at FROM click_by_offer ORDER BY quarter DESC LIMIT 1',
    format: 'JSONEachRow',
    abort_signal: AbortSignal.timeout(3_000),
  })
  const [row] = await answer.json<{ at: number }>()
  return row === undefined ? null : Number(row.at) * 1000
}

/** Which PostgreSQL answers. */
export async function postgresVersion(db: DbOrTrx): Promise<string> {
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  return rows[0]?.server_version ?? ''
}

/** Which ClickHouse answers; '' where none does just now. */
export async function clickhouseVersion(clickhouse: Clickhouse): Promise<string> {
  try {
    const answer = await clickhouse.query({
      query: 'SELECT version() AS version',
      format: 'JSONEachRow',
      abort_signal: AbortSignal.timeout(3_000),
    })
    return (await answer.json<{ version: string }>())[0]?.version ?? ''
  } catch {
    return ''
  }
}
