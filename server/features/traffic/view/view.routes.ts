import { savedViewApi, tableLayoutApi } from '#contract/traffic/view.ts'
import { may } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listLayouts, listViews } from './view.queries.ts'
import { dropView, keepLayout, keepView } from './view.service.ts'

/** Views of lists and reports under a name, for oneself or for all staff; how people arrange their tables. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, savedViewApi, {
    list: async ({ body, actor }) => ({
      list: await listViews(db, { accountId: actor.accountId, seesShared: may(actor, 'view.shared') }, body.screen),
    }),

    save: ({ body, actor }) => keepView(db, clock.now(), actor, body),

    remove: async ({ params, actor }) => {
      await dropView(db, clock.now(), actor, params.uuid)
      return {}
    },
  })

  implement(app, tableLayoutApi, {
    list: async ({ actor }) => ({ list: await listLayouts(db, actor.accountId) }),

    save: async ({ body, actor }) => {
      // whoever acts as somebody else leaves their tables as they are
      if (actor.acting === null) await keepLayout(db, clock.now(), actor, body)
      return {}
    },
  })
}
