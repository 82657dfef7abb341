import { href } from '#contract/screens.ts'
import { reportInput } from '#contract/traffic/report.ts'
import { LARGEST_ATTACHMENT } from '#contract/traffic/report-schedule.ts'
import { may } from '#server/access/actor.ts'
import type { Mail, MailQueue } from '#server/features/network/mail/queue.service.ts'
import { isMailSetUp } from '#server/features/network/mail/smtp.queries.ts'
import { actorOfAccount } from '#server/features/people/account/account-actor.service.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { nextTime, settleRun, takeDue, type ScheduleRow } from './schedule.queries.ts'
import { reportCsv } from './report-csv.ts'

const LEASE_MS = 15 * 60_000
export type ScheduleParts = { db: Db; clickhouse: Clickhouse; mail: MailQueue; publicUrl: string }

/**
 * Computes one report that is due, for each recipient with their own rights, and queues its mails with the end of the run in one
 * transaction: a worker that dies sends nothing and another begins anew. Times that passed while nobody worked are one run.
 * Answers how many it was, 0 or 1.
 */
export async function sendScheduled(parts: ScheduleParts, now: number): Promise<number> {
  const { db } = parts
  const schedule = await takeDue(db, now, LEASE_MS)
  if (schedule === undefined) return 0
  const owner = await actorOfAccount(db, schedule.account_id)
  const zone = owner?.timeZone ?? 'UTC'
  const problems: string[] = []
  const mails: Mail<'scheduled_report'>[] = []
  if (!(await isMailSetUp(db))) problems.push('not_set_up')
  // a report of somebody who does not work here any more is nobody's
  else if (owner !== undefined)
    for (const { id } of schedule.recipients) {
      const mail = await mailFor(parts, now, schedule, id).catch((error: unknown) => {
        // what is wrong for a while is tried again when the lease is over
        if (error instanceof AppError && error.code !== 'statistics_away') return error.code
        throw error
      })
      if (typeof mail === 'string') problems.push(mail)
      else mails.push(mail)
    }
  await db.transaction().execute(async (trx) => {
    const { next_at } = schedule
    const next = next_at.getTime() > now ? next_at : await nextTime(trx, now, { ...schedule, zone })
    const run = { next, sent: mails.length, problem: [...new Set(problems)].join(', ') }
    if (!(await settleRun(trx, now, schedule, run))) return
    for (const mail of mails) await parts.mail.add(trx, now, mail)
  })
  return 1
}

/** The mail of one recipient, with the file as they may see it; the name of a problem where they may not, or are gone. */
async function mailFor(
  { db, clickhouse, publicUrl }: ScheduleParts,
  now: number,
  schedule: ScheduleRow,
  accountId: number,
): Promise<Mail<'scheduled_report'> | string> {
  const actor = await actorOfAccount(db, accountId)
  if (actor === undefined || !may(actor, 'report.read')) return 'forbidden'
  const question = reportInput.safeParse(schedule.question)
  if (!question.success) return 'bad_request'
  const { csv, rows, period } = await reportCsv({ db, clickhouse }, { now, actor }, question.data)
  const name = `${schedule.name.replace(/[^\p{L}\p{N} _-]+/gu, '').slice(0, 60) || 'report'}.csv`
  const fits = Buffer.byteLength(csv) <= LARGEST_ATTACHMENT
  return {
    event: 'scheduled_report',
    to: { email: actor.email, language: actor.language, accountId: actor.accountId },
    values: {
      name: actor.name,
      report: schedule.name,
      period,
      rows,
      link: `${publicUrl}${href(question.data.offer_type === 'api' ? 'statisticApiGeneral' : 'statisticDirectGeneral')}${schedule.address === '' ? '' : `?${schedule.address}`}`,
    },
    ...(fits && { attachment: { name, text: csv } }),
  }
}
