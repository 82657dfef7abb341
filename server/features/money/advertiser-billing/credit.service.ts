import { receivableSetting } from '#contract/money/advertiser-billing.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { tellCredit } from '#server/features/network/notification/tell.queries.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { noteTurn, takeTurns } from './credit.queries.ts'

/** So many are judged in one transaction. */
const AT_ONCE = 100

/**
 * Holds what advertisers owe against their limits (money.md 2, no. 31): whoever is near one is told of, at it the clicks of the advertiser
 * go to trafficback, and below it that ends by itself. Offers keep their status, and postbacks of earlier clicks count. Answers how many
 * turned.
 */
export async function judgeCredit(db: Db, now: number): Promise<number> {
  const { warn_percent } = await getSetting(db, receivableSetting)
  return db.transaction().execute(async (trx) => {
    const turns = await takeTurns(trx, warn_percent, AT_ONCE)
    for (const turn of turns) {
      const { advertiser_id, uuid, name, currency, used_percent, blocked, was_blocked, near, was_near } = turn
      await noteTurn(trx, turn, new Date(now))
      if ((blocked && !was_blocked) || (near && !was_near)) {
        const kind = blocked ? ('credit_blocked' as const) : ('credit_near' as const)
        const once = `${kind} ${advertiser_id} ${currency} ${now}`
        await tellCredit(trx, now, { kind, status: uuid, reason: `${name} · ${currency}`, count: used_percent, once }, advertiser_id)
      }
      if (blocked === was_blocked) continue
      const change = { before: { credit_blocked: was_blocked }, after: { credit_blocked: blocked, currency } }
      await recordAudit(trx, null, now, { action: 'set_status', entity: 'advertiser', entityId: advertiser_id, ...change })
      await announce(trx, 'advertiser', [advertiser_id])
    }
    return turns.length
  })
}
