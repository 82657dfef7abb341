import { z } from 'zod'
import { type newsApi, newsStatus } from '#contract/network/news.ts'
import { moment } from '#contract/fields.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { lastOwn, recordAudit } from '#server/features/people/audit/audit.service.ts'
import { lockWritten, updateNews } from './news.queries.ts'
import { storedAs } from './news.service.ts'

/**
 * Gives news what they were before the actor gave them this status, their moment too; those about which anything was changed
 * since stay. Throws `conflict` where none is left. Answers how many changed.
 */
export function undoNewsStatus(db: Db, now: number, actor: Actor, { uuids, status }: z.output<typeof newsApi.undo.body>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockWritten(trx, now, { uuids })
    const asked = locked.filter((one) => one.shown === status)
    const back = await lastOwn(trx, actor, 'news', asked, { action: 'set_status', before: wasBefore })
    if (locked.length > 0 && back.length === 0) throw new AppError('conflict')
    for (const { id, earlier } of back)
      await updateNews(trx, [id], {
        status: storedAs(earlier.status),
        ...(earlier.publish_at !== undefined && { publish_at: earlier.publish_at === null ? null : new Date(earlier.publish_at) }),
        updated_at: new Date(now),
      })
    await recordAudit(
      trx,
      actor,
      now,
      back.map(({ id, shown, publish_at, earlier }) => ({
        action: 'undo',
        entity: 'news',
        entityId: id,
        before: { status: shown, publish_at: publish_at?.toISOString() ?? null },
        after: earlier,
      })),
    )
    return back.length
  })
}

/** The log keeps only what differs: an unchanged moment is not in it. */
const wasBefore = z.object({ status: newsStatus, publish_at: moment.nullable().optional() })
