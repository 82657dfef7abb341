import type { CallOutput } from '#contract/endpoint.ts'
import { MOST_EXPIRED_COUNTED, type Retention, type retentionApi } from '#contract/leads/retention.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { countExpired, countForgotten, limitsOf } from './retention.queries.ts'

const DAY = 86_400_000

/** Whom these days would forget tonight. */
export async function previewRetention(db: Db, now: number, days: Retention): Promise<CallOutput<typeof retentionApi.preview>> {
  const limits = limitsOf(days, now)
  const [found, last_night] = await Promise.all([
    limits === undefined ? null : countExpired(db, limits),
    countForgotten(db, new Date(now - DAY)),
  ])
  if (found === null) return { people: 0, more: false, oldest: null, kept: { restricted: 0, open: 0, unpaid: 0, unbilled: 0 }, last_night }
  const { people, oldest, ...kept } = found
  const looked = people + kept.restricted + kept.open + kept.unpaid + kept.unbilled
  return { people, more: looked > MOST_EXPIRED_COUNTED, oldest: oldest?.toISOString() ?? null, kept, last_night }
}
