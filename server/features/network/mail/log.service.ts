import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { requeueMail } from './mail.queries.ts'

/** Queues messages once more that did not go, as long as what fills them is of use; others are passed over. Answers how many. */
export async function retryMail(db: Db, now: number, actor: Actor, uuids: readonly string[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const queued = await requeueMail(trx, now, uuids)
    await recordAudit(
      trx,
      actor,
      now,
      queued.map(({ id }) => ({ action: 'retry', entity: 'mail', entityId: id })),
    )
    return queued.length
  })
}
