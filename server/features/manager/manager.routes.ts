import { managerApi } from '#contract/manager.ts'
import type { HttpApp } from '#server/platform/http/app.ts'
import { implement } from '#server/platform/http/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { listManagerOptions } from './manager.queries.ts'

/** Managers: the people of the network. */
export function managerRoutes(app: HttpApp, { db }: { db: Db }): void {
  implement(app, managerApi, {
    options: async ({ body, actor }) => ({ list: await listManagerOptions(db, actor.scope, body.search) }),
  })
}
