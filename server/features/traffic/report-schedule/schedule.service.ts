import type { z } from 'zod'
import { MOST_SCHEDULES, type ReportSchedule, type reportScheduleApi } from '#contract/traffic/report-schedule.ts'
import { may, type Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { refuseForbidden, usedFilters } from '../report/question.service.ts'
import {
  changeSchedule,
  deleteSchedule,
  findColleagues,
  insertSchedule,
  listSchedules,
  nextTime,
  type ScheduleRow,
} from './schedule.queries.ts'

/** Schedules a report of the caller's. Throws `forbidden` for what they may not ask, `unknown_reference`, `invalid_input` where there are too many. */
export async function scheduleReport(
  db: Db,
  now: number,
  actor: Actor,
  input: z.output<typeof reportScheduleApi.create.body>,
): Promise<ReportSchedule> {
  const { question, name, every, day, hour, address } = input
  refuseForbidden(actor, [...question.group, ...usedFilters(question.filters)], question.metrics)
  if (every === 'week' && day > 7) throw new AppError('invalid_input', { fields: { day: 'A day from Monday to Sunday' } })
  return db.transaction().execute(async (trx) => {
    const recipients = await recipientsOf(trx, actor, input.recipient_uuids)
    await lockName(trx, `schedules of ${actor.accountId}`)
    if ((await listSchedules(trx, actor.accountId)).length >= MOST_SCHEDULES)
      throw new AppError('invalid_input', { fields: { name: `At most ${MOST_SCHEDULES} scheduled reports` } })
    const next_at = await nextTime(trx, now, { zone: actor.timeZone, every, day, hour })
    const row = { account_id: actor.accountId, name, question, address, every, day, hour, recipients, next_at }
    const uuid = await insertSchedule(trx, now, row)
    const after = { name, every, day, hour, recipients: recipients.length }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'report_schedule', entityId: uuid, after })
    return ownSchedule(trx, actor, uuid)
  })
}

async function recipientsOf(trx: Trx, actor: Actor, uuids: readonly string[]): Promise<number[]> {
  const others = uuids.filter((uuid) => uuid !== actor.uuid)
  const self = uuids.length === 0 || others.length < uuids.length ? [actor.accountId] : []
  if (others.length === 0) return self
  const found = may(actor, 'report.money') ? await findColleagues(trx, { uuids: others }) : []
  if (found.length < new Set(others).size)
    throw new AppError('unknown_reference', { fields: { recipient_uuids: 'Choose colleagues who work here' } })
  return [...self, ...found.map(({ id }) => id)]
}

/** Pauses an own one; one that goes on does so from its next time. Throws `not_found`. */
export function pauseSchedule(db: Db, now: number, actor: Actor, uuid: string, paused: boolean): Promise<ReportSchedule> {
  return db.transaction().execute(async (trx) => {
    const before = await findOwn(trx, actor, uuid)
    const next_at = await nextTime(trx, now, { ...before, zone: actor.timeZone })
    await changeSchedule(trx, actor.accountId, uuid, { paused, next_at })
    const change = { before: { paused: before.paused }, after: { paused } }
    await recordAudit(trx, actor, now, { action: 'pause', entity: 'report_schedule', entityId: uuid, ...change })
    return ownSchedule(trx, actor, uuid)
  })
}

/** Has an own one sent soon, besides its times. Throws `not_found`. */
export function sendSchedule(db: Db, now: number, actor: Actor, uuid: string): Promise<ReportSchedule> {
  return db.transaction().execute(async (trx) => {
    await findOwn(trx, actor, uuid)
    await changeSchedule(trx, actor.accountId, uuid, { asked: true })
    await recordAudit(trx, actor, now, { action: 'send_now', entity: 'report_schedule', entityId: uuid })
    return ownSchedule(trx, actor, uuid)
  })
}

/** Removes an own one. Throws `not_found`. */
export async function removeSchedule(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await deleteSchedule(trx, actor.accountId, uuid)
    if (before === undefined) throw new AppError('not_found')
    await recordAudit(trx, actor, now, { action: 'remove', entity: 'report_schedule', entityId: uuid, before })
  })
}

async function findOwn(trx: Trx, actor: Actor, uuid: string): Promise<ScheduleRow> {
  const [row] = await listSchedules(trx, actor.accountId, uuid)
  if (row === undefined) throw new AppError('not_found')
  return row
}

async function ownSchedule(db: DbOrTrx, actor: Actor, uuid: string): Promise<ReportSchedule> {
  const [row] = await listSchedules(db, actor.accountId, uuid)
  if (row === undefined) throw new AppError('not_found')
  return presentSchedule(row)
}

/** A schedule as its owner sees it. */
export function presentSchedule({ next_at, last_at, ...row }: ScheduleRow): ReportSchedule {
  return { ...row, next_at: next_at.toISOString(), last_at: last_at?.toISOString() ?? null }
}
