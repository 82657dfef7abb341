import { MOST_A_NIGHT, retentionSetting } from '#contract/leads/retention.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { forgetPerson } from '../person/erase.service.ts'
import { limitsOf, listExpired, mayForget } from './retention.queries.ts'

const BATCH = 100

/**
 * Forgets people whose days are over, as whoever asks for it is forgotten; answers how many. Each in a transaction of their own, which
 * looks once more: a night that is cut short is gone on with in the next. One who cannot be forgotten keeps nobody else.
 */
export async function forgetExpired(
  { db, secretKey }: { db: Db; secretKey: string | null },
  now: number,
  most = MOST_A_NIGHT,
): Promise<number> {
  const limits = limitsOf(await getSetting(db, retentionSetting), now)
  if (limits === undefined) return 0
  let forgotten = 0
  for (let after = { at: new Date(0), id: '0' }; ;) {
    const people = await listExpired(db, limits, after, Math.min(BATCH, most - forgotten))
    for (const { uuid, id, last_seen_at } of people) {
      after = { at: last_seen_at, id }
      try {
        if (await forgetPerson({ db, secretKey }, now, uuid, (trx) => mayForget(trx, limits, id))) forgotten += 1
      } catch (error) {
        log.error({ err: error, person: id }, 'somebody could not be forgotten')
      }
    }
    if (people.length === 0 || forgotten >= most) return forgotten
  }
}
