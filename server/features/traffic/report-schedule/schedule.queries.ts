import { sql } from 'kysely'
import { can, STAFF_ROLES } from '#contract/access.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'

export type ScheduleRow = {
  id: number
  uuid: string
  account_id: number
  name: string
  question: unknown
  address: string
  every: 'day' | 'week' | 'month'
  day: number
  hour: number
  paused: boolean
  next_at: Date
  asked: boolean
  last_at: Date | null
  last_sent: number
  last_problem: string
  recipients: { id: number; uuid: string; name: string }[]
}

const COLUMNS = sql`s.id, s.uuid, s.account_id, s.name, s.question, s.address, s.every, s.day, s.hour, s.paused, s.next_at, s.asked, s.last_at,
  s.last_sent, s.last_problem, (select coalesce(json_agg(json_build_object('id', a.id, 'uuid', a.uuid, 'name', a.name) order by a.name), '[]')
    from account a where a.id = any(s.recipients)) as recipients`

/** The scheduled reports of an account, or one of them. */
export async function listSchedules(db: DbOrTrx, accountId: number, uuid: string | null = null): Promise<ScheduleRow[]> {
  const { rows } = await sql<ScheduleRow>`
    select ${COLUMNS} from report_schedule s where s.account_id = ${accountId} and (${uuid}::uuid is null or s.uuid = ${uuid}::uuid)
     order by s.name, s.id limit 100`.execute(db)
  return rows
}

export type ScheduleInput = Pick<ScheduleRow, 'account_id' | 'name' | 'address' | 'every' | 'day' | 'hour' | 'next_at'> & {
  question: object
  recipients: number[]
}

export async function insertSchedule(trx: Trx, now: number, values: ScheduleInput): Promise<string> {
  const question = JSON.stringify(values.question)
  const made = await trx
    .insertInto('report_schedule')
    .values({ ...values, question, created_at: new Date(now) })
    .returning('uuid')
    .executeTakeFirstOrThrow()
  return made.uuid
}

/** Changes an own one; false where there is none. */
export async function changeSchedule(
  trx: Trx,
  accountId: number,
  uuid: string,
  values: { paused?: boolean; next_at?: Date; asked?: boolean },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('report_schedule')
    .set(values)
    .where('account_id', '=', accountId)
    .where('uuid', '=', uuid)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteSchedule(trx: Trx, accountId: number, uuid: string): Promise<{ name: string } | undefined> {
  return trx.deleteFrom('report_schedule').where('account_id', '=', accountId).where('uuid', '=', uuid).returning('name').executeTakeFirst()
}

/** Active staff who read reports: by a part of their name, or those of some uuids. */
export async function findColleagues(db: DbOrTrx, by: { search: string } | { uuids: readonly string[] }) {
  return db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['a.id', 'a.uuid', 'a.name'])
    .where('m.status', '=', 'active')
    .where(
      'a.role',
      'in',
      STAFF_ROLES.filter((role) => can(role, 'report.money')),
    )
    .$if('search' in by, (query) => query.where('a.name', 'ilike', containing('search' in by ? by.search : '')))
    .$if('uuids' in by, (query) => query.where('a.uuid', 'in', 'uuids' in by ? [...by.uuids] : []))
    .orderBy('a.name')
    .limit(50)
    .execute()
}

/** Takes one whose time has come, or that was asked for, for a while: no two workers compute the same. */
export async function takeDue(db: DbOrTrx, now: number, leaseMs: number): Promise<ScheduleRow | undefined> {
  const at = new Date(now)
  const { rows } = await sql<ScheduleRow>`
    update report_schedule s set leased_until = ${new Date(now + leaseMs)}
     where s.id = (select d.id from report_schedule d
                    where (d.asked or (not d.paused and d.next_at <= ${at})) and (d.leased_until is null or d.leased_until <= ${at})
                    order by d.next_at limit 1 for update skip locked)
    returning ${COLUMNS}`.execute(db)
  return rows[0]
}

/** Ends a run in the transaction of its mails; false where it was removed or somebody else has run it meanwhile. */
export async function settleRun(
  trx: Trx,
  now: number,
  { id, next_at }: Pick<ScheduleRow, 'id' | 'next_at'>,
  run: { next: Date; sent: number; problem: string },
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('report_schedule')
    .set({
      next_at: run.next,
      asked: false,
      leased_until: null,
      last_at: new Date(now),
      last_sent: run.sent,
      last_problem: run.problem,
    })
    .where('id', '=', id)
    .where('next_at', '=', next_at)
    .where('leased_until', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/**
 * The first time after a moment, by the clock of a zone: an hour of each day, of a weekday, or of a day of the month (the last one
 * where the month is shorter). An hour that the clock skips is the one after it.
 */
export async function nextTime(
  db: DbOrTrx,
  after: number,
  { zone, every, day, hour }: { zone: string; every: ScheduleRow['every']; day: number; hour: number },
): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`
    with here as (select (${new Date(after)}::timestamptz at time zone ${zone})::date as today),
         days as (
           select today + i as day from here, generate_series(0, 62) as i
            where ${every} = 'day'
               or (${every} = 'week' and extract(isodow from today + i) = ${day})
               or (${every} = 'month' and extract(day from today + i)
                    = least(${day}, extract(day from (date_trunc('month', today + i) + interval '1 month - 1 day'))))),
         times as (select ((day + make_interval(hours => ${hour})) at time zone ${zone}) as at from days)
    select min(at) as at from times where at > ${new Date(after)}`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('a schedule has no next time')
  return row.at
}
