import { suppressionApi } from '#contract/leads/suppression.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import {
  addSuppression,
  importSuppressions,
  liftSuppressions,
  previewSuppressions,
  showSuppressions,
  tellSuppressions,
} from './suppression.service.ts'

/** Whom nobody may offer again. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const { clock } = app
  const parts = { db, secretKey: config.secretKey }
  // a file is read for a second or two
  const limit = openRecentTries(20, 60_000)
  implement(app, suppressionApi, {
    list: ({ body }) => showSuppressions(parts, body),
    add: ({ body, actor }) => addSuppression(parts, clock.now(), actor, body),
    remove: async ({ body, actor }) => ({ changed: await liftSuppressions(db, clock.now(), actor, body) }),
    tell: ({ body, actor }) => tellSuppressions(parts, clock.now(), actor, body),
    preview: ({ query, body, actor }) => {
      limit(actor.accountId, clock.now())
      return previewSuppressions(parts, clock.now(), query, body)
    },
    import: ({ query, body, actor }) => {
      limit(actor.accountId, clock.now())
      return importSuppressions(parts, clock.now(), actor, query, body)
    },
  })
}
