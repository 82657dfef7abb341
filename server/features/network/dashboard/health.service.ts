import type { z } from 'zod'
import type { systemHealth } from '#contract/network/dashboard.ts'
import { problemIn } from '#server/features/network/mail/mail.present.ts'
import { judge, judgeProcess, worst } from '#server/features/network/system/judge.ts'
import { lookAround, type SystemParts } from '#server/features/network/system/look.service.ts'

/** How this instance is, in a few figures: what the system page says at length, from the same source. */
export async function readHealth(parts: SystemParts, now: number): Promise<z.output<typeof systemHealth>> {
  const seen = await lookAround(parts, now)
  const lines = judge(seen, now)
  const { postbacks, mail, statistics } = seen
  return {
    at: new Date(now).toISOString(),
    state: worst(lines.map(({ state }) => state)),
    processes: seen.files.map((file) => ({ ...file, state: judgeProcess(file, now) })),
    ingest_lag_s: lines.find(({ id }) => id === 'lag')?.seconds ?? null,
    outbox: { rows: seen.outbox.rows, oldest_s: lines.find(({ id }) => id === 'outbox')?.seconds ?? null },
    postbacks: {
      waiting: postbacks.waiting,
      last_at: postbacks.last_at?.toISOString() ?? null,
      deliveries_due: postbacks.deliveries_due,
      deliveries_dead: postbacks.deliveries_dead,
    },
    mail: { waiting: mail.waiting, last_problem: mail.last_error === null ? null : problemIn(mail.last_error).detail },
    statistics: { state: statistics.ms === null ? 'bad' : 'ok', ms: statistics.ms },
    last_backup_at: seen.backup_at,
    places_of: seen.places_of,
  }
}
