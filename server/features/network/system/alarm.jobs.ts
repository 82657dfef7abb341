import { SYSTEM_LINES } from '#contract/network/system.ts'
import { href } from '#contract/screens.ts'
import type { MailQueue } from '#server/features/network/mail/queue.service.ts'
import { tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { ALARM_TEXTS } from './alarm-text.ts'
import { endAlarms, keepersOf, noteAlarms, takeAlarms } from './alarm.queries.ts'
import { judge, type Line } from './judge.ts'
import { lookAround, type SystemParts } from './look.service.ts'

/** What passes by itself within this is no alarm; one that was well for so long may be told again. */
const LASTING_MS = 120_000
const WELL_MS = 600_000

/**
 * Tells those who look after the instance what is wrong with it for longer than a moment: by the bell and by mail, once until it
 * has been well again. All or nothing, so that it is neither lost nor told twice by two workers.
 */
export async function raiseAlarms(parts: SystemParts & { mail: MailQueue; publicUrl: string }, now: number): Promise<void> {
  const { db, mail, publicUrl } = parts
  const lines = judge(await lookAround(parts, now), now).filter(isAlarming)
  await db.transaction().execute(async (trx) => {
    await lockName(trx, 'system alarms')
    const at = new Date(now)
    await noteAlarms(
      trx,
      at,
      lines.map(({ id, subject }) => ({ line: id, subject })),
    )
    await endAlarms(trx, new Date(now - WELL_MS))
    const fresh = await takeAlarms(trx, at, new Date(now - LASTING_MS))
    if (fresh.length === 0) return
    const told = fresh.map(({ line, subject, since }) => ({
      kind: 'system_problem' as const,
      status: line,
      reason: subject,
      once: `system ${line} ${subject} ${since.toISOString()}`,
    }))
    await tellStaff(trx, now, told, { side: 'advertiser', permission: 'system.read', but: null })
    for (const { id: accountId, email, language, name } of await keepersOf(trx)) {
      const problem = SYSTEM_LINES.filter((line) => fresh.some((one) => one.line === line)).map((line) => ALARM_TEXTS[line][language])
      await mail.add(trx, now, {
        event: 'system_problem',
        to: { email, language, accountId },
        values: { name, problem: problem.join('. '), link: `${publicUrl}${href('system')}` },
      })
    }
  })
}

/** Little space is told before it is too late. Domains that fail have a notice of their own. */
function isAlarming({ id, state }: Line): boolean {
  if (id === 'domain') return false
  return state === 'bad' || (id === 'storage' && state === 'warn')
}
