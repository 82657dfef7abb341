import type { z } from 'zod'
import { MOST_LAYOUTS, MOST_VIEWS, type savedViewApi, type tableLayoutApi } from '#contract/traffic/view.ts'
import { AppError } from '#server/platform/errors.ts'
import { may, type Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { countOtherLayouts, countOtherViews, lockViews, removeView, saveLayout, saveView } from './view.queries.ts'

/** Keeps a view under its name, over the one that had it. Throws `forbidden`, and `invalid_input` where there are too many. */
export async function keepView(db: Db, now: number, actor: Actor, view: z.output<typeof savedViewApi.save.body>) {
  if (view.shared && !may(actor, 'view.shared')) throw new AppError('forbidden')
  return db.transaction().execute(async (trx) => {
    await lockViews(trx, actor.accountId)
    if ((await countOtherViews(trx, actor.accountId, view.screen, view.name)) >= MOST_VIEWS)
      throw new AppError('invalid_input', { fields: { name: `At most ${MOST_VIEWS} views of one screen` } })
    const saved = await saveView(trx, now, actor.accountId, view)
    await recordAudit(trx, actor, now, { action: 'save', entity: 'saved_view', entityId: saved.uuid, after: view })
    return { ...saved, own: true, owner: actor.name }
  })
}

/** Removes an own view, if there is one of that key. */
export async function dropView(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await removeView(trx, actor.accountId, uuid)
    if (before !== undefined) await recordAudit(trx, actor, now, { action: 'remove', entity: 'saved_view', entityId: uuid, before })
  })
}

/** Keeps how the caller has arranged a table, outside of the log: a look changes nothing for anybody else. Throws `invalid_input` where there are too many. */
export async function keepLayout(db: Db, now: number, { accountId }: Actor, layout: z.output<typeof tableLayoutApi.save.body>) {
  await db.transaction().execute(async (trx) => {
    await lockViews(trx, accountId)
    if ((await countOtherLayouts(trx, accountId, layout.list)) >= MOST_LAYOUTS)
      throw new AppError('invalid_input', { fields: { list: `At most ${MOST_LAYOUTS} tables` } })
    await saveLayout(trx, now, accountId, layout)
  })
}
