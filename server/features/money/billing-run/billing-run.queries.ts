import { sql } from 'kysely'
import type { Currency } from '#contract/money/amount.ts'
import type { RUN_SCHEDULES, RUN_STATES } from '#contract/money/billing-run.ts'
import type { RUN_SIDES } from '#contract/money/run-shape.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type State = (typeof RUN_STATES)[number]
export type Side = (typeof RUN_SIDES)[number]
export type RunRow = {
  id: number
  uuid: string
  side: Side
  schedule: (typeof RUN_SCHEDULES)[number] | null
  period_from: string | null
  period_to: string
  time_zone: string
  state: State
  created_at: Date
  made_by: string | null
  rows: number
  waiting: number
  made: number
  nothing: number
  failed: number
  /** Of `nothing`: those who asked to be paid more. */
  requested: number
  /** Made, and not what the preview said. */
  differs: number
  amounts: { currency: Currency; net: string }[]
}

/** Runs with what has become of their rows; periods in which nobody had anything are not among them, those in which everybody was left out are. */
const RUNS = sql`
  select r.id, r.uuid, r.side, r.schedule, r.period_from, r.period_to, r.time_zone, r.created_at, a.name as made_by, w.*,
         case when r.state <> 'made' then r.state when w.waiting > 0 then 'working' when w.failed > 0 then 'partly' else 'done' end as state
    from billing_run r left join account a on a.id = r.made_by
    cross join lateral (select count(*)::int as rows, (count(*) filter (where state = 'waiting'))::int as waiting,
      (count(*) filter (where state = 'made'))::int as made, (count(*) filter (where state = 'nothing'))::int as nothing,
      (count(*) filter (where state = 'made' and made <> expected))::int as differs,
      (count(*) filter (where state = 'nothing' and reason = 'requested'))::int as requested,
      (count(*) filter (where state = 'failed'))::int as failed from billing_run_row where run_id = r.id) w
   where r.state <> 'empty' or w.rows > 0`
const AMOUNTS = sql`coalesce((select json_agg(json_build_object('currency', s.currency, 'net', s.net::text) order by s.currency)
  from (select w.currency, sum(coalesce(i.net, j.net)) as net from billing_run_row w left join invoice i on i.id = w.invoice_id and i.deleted_at is null
    left join advertiser_invoice j on j.id = w.advertiser_invoice_id and j.deleted_at is null
    where w.run_id = f.id and num_nonnulls(i.id, j.id) = 1 group by 1) s), '[]')`

/** A page of runs, and how many there are. */
export async function listRuns(
  db: DbOrTrx,
  asked: {
    count: number
    page: number
    sort: 'created_at' | 'period_to'
    direction: 'asc' | 'desc'
    state: readonly State[]
    side: readonly Side[]
  },
): Promise<{ rows: number; list: RunRow[] }> {
  const found = sql`select * from (${RUNS}) f where ${asked.state.length === 0 ? sql`true` : sql`f.state = any(${[...asked.state]}::text[])`}
    and ${asked.side.length === 0 ? sql`true` : sql`f.side = any(${[...asked.side]}::text[])`}`
  const direction = sql.raw(asked.direction === 'asc' ? 'asc' : 'desc')
  const [counted, { rows }] = await Promise.all([
    sql<{ rows: number }>`select count(*)::int as rows from (${found}) c`.execute(db),
    sql<RunRow>`select f.*, ${AMOUNTS} as amounts from (${found}) f
      order by f.${sql.ref(asked.sort)} ${direction}, f.id ${direction} limit ${asked.count} offset ${(asked.page - 1) * asked.count}`.execute(
      db,
    ),
  ])
  return { rows: counted.rows[0]?.rows ?? 0, list: rows }
}

/** One run; undefined where there is none. */
export async function getRun(db: DbOrTrx, uuid: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select f.*, ${AMOUNTS} as amounts from (${RUNS}) f where f.uuid = ${uuid}::uuid`.execute(db)
  return rows[0]
}

/** Locks a run until the transaction ends, and says what it is. */
export function lockRun(trx: Trx, uuid: string) {
  return trx
    .selectFrom('billing_run')
    .select(['id', 'state', 'side', 'schedule', 'period_to', 'time_zone'])
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst()
}

export async function setRun(trx: Trx, id: number, values: { state: 'made' | 'dismissed'; made_by: number }): Promise<void> {
  await trx.updateTable('billing_run').set(values).where('id', '=', id).execute()
}

/** Lets what failed wait again. */
export async function retryRows(trx: Trx, runId: number): Promise<void> {
  await trx
    .updateTable('billing_run_row')
    .set({ state: 'waiting', reason: '' })
    .where('run_id', '=', runId)
    .where('state', '=', 'failed')
    .execute()
}

/** A row whose invoice came to something else than the preview said when it was made; older versions kept it by the invoice alone. */
const DIFFERS = sql`w.state = 'made' and coalesce(w.made <> w.expected, i.revision <= 3 and i.net <> w.expected)`

/** Rows that could not be made, were left out when they were, or came out other than the preview said. */
export async function listOdd(db: DbOrTrx, runId: number) {
  const { rows } = await sql<{
    party: string
    party_uuid: string
    currency: Currency
    state: 'failed' | 'made' | 'nothing'
    expected: string
    net: string | null
    reason: string
  }>`
    select coalesce(a.name, v.name) as party, coalesce(a.uuid, v.uuid) as party_uuid, w.currency, w.state, w.expected::text, coalesce(w.made, i.net)::text as net, w.reason
      from billing_run_row w left join affiliate f on f.id = w.affiliate_id left join account a on a.id = f.account_id
      left join invoice i on i.id = w.invoice_id left join advertiser v on v.id = w.advertiser_id
     where w.run_id = ${runId} and (w.state = 'failed' or w.state = 'nothing' and w.reason <> '' or ${DIFFERS}) order by w.state, w.id limit 100`.execute(
    db,
  )
  return rows
}

/** Whether the end of a period was looked at for a side. */
export async function hasRun(db: DbOrTrx, side: Side, schedule: string, periodTo: string): Promise<boolean> {
  const row = await db
    .selectFrom('billing_run')
    .select('id')
    .where('side', '=', side)
    .where('schedule', '=', schedule as RunRow['schedule'])
    .where('period_to', '=', periodTo)
    .executeTakeFirst()
  return row !== undefined
}

/** An invoice of a run that is to be shown to its affiliate, or issued to its advertiser. */
export async function nextToSend(db: Db) {
  const { rows } = await sql<{ id: string; side: Side; uuid: string; revision: number; net: string }>`
    select w.id, case when i.id is null then 'advertisers' else 'affiliates' end as side, coalesce(i.uuid, j.uuid) as uuid,
           coalesce(i.revision, j.revision) as revision, coalesce(i.net, j.net)::text as net
      from billing_run_row w left join invoice i on i.id = w.invoice_id left join advertiser_invoice j on j.id = w.advertiser_invoice_id
     where w.sends and w.state = 'made' order by w.id limit 1`.execute(db)
  return rows[0]
}

export async function sentOnce(db: Db, id: string, reason: string): Promise<void> {
  await db.updateTable('billing_run_row').set({ sends: false, reason }).where('id', '=', id).execute()
}
