import { blacklistApi } from '#contract/leads/blacklist.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import {
  addToBlacklist,
  importBlacklist,
  previewBlacklist,
  removeFromBlacklist,
  showBlacklist,
  showImports,
  undoBlacklist,
} from './blacklist.service.ts'

/** By whom and what leads are refused. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey }
  // a file is read for a second or two
  const limit = openRecentTries(20, 60_000)
  implement(app, blacklistApi, {
    list: ({ body }) => showBlacklist(parts, body),
    add: ({ body, actor }) => addToBlacklist(parts, clock.now(), actor, body),
    remove: async ({ body, actor }) => ({ changed: await removeFromBlacklist(db, clock.now(), actor, body.uuids) }),
    preview: ({ query, body, actor }) => {
      limit(actor.accountId, clock.now())
      return previewBlacklist(parts, clock.now(), query, body)
    },
    import: ({ query, body, actor }) => {
      limit(actor.accountId, clock.now())
      return importBlacklist(parts, clock.now(), actor, query, body)
    },
    imports: () => showImports(db, clock.now()),
    undo: async ({ body, actor }) => ({ changed: await undoBlacklist(db, clock.now(), actor, body.uuid) }),
  })
}
