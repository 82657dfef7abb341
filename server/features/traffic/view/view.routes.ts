import { sql } from 'kysely'
import { MOST_VIEWS, savedViewApi } from '#contract/traffic/view.ts'
import { AppError } from '#server/platform/errors.ts'
import { may } from '#server/access/actor.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { countOtherViews, listViews, removeView, saveView } from './view.queries.ts'

/** Views of lists and reports under a name, for oneself or for all staff. */
export function savedViewRoutes(app: HttpApp, { db }: { db: Db }): void {
  const { clock } = app
  implement(app, savedViewApi, {
    list: async ({ body, actor }) => ({
      list: await listViews(db, { accountId: actor.accountId, seesShared: may(actor, 'view.shared') }, body.screen),
    }),

    save: async ({ body, actor }) => {
      if (body.shared && !may(actor, 'view.shared')) throw new AppError('forbidden')
      return db.transaction().execute(async (trx) => {
        // two at once would both find room for one more
        await sql`select pg_advisory_xact_lock(hashtextextended(${`saved_view ${actor.accountId}`}, 0))`.execute(trx)
        if ((await countOtherViews(trx, actor.accountId, body.screen, body.name)) >= MOST_VIEWS)
          throw new AppError('invalid_input', { fields: { name: `At most ${MOST_VIEWS} views of one screen` } })
        const view = await saveView(trx, clock.now(), actor.accountId, body)
        await recordAudit(trx, actor, clock.now(), { action: 'save', entity: 'saved_view', entityId: view.uuid, after: body })
        return { ...view, own: true, owner: actor.name }
      })
    },

    remove: async ({ params, actor }) => {
      await db.transaction().execute(async (trx) => {
        const before = await removeView(trx, actor.accountId, params.uuid)
        if (before === undefined) return
        await recordAudit(trx, actor, clock.now(), { action: 'remove', entity: 'saved_view', entityId: params.uuid, before })
      })
      return {}
    },
  })
}
