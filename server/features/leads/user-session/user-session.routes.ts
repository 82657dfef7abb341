import { userSessionApi } from '#contract/leads/user-session.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { explainSession, showSessions } from './user-session.service.ts'

/** Leads as staff and their affiliates look at them. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey }
  implement(app, userSessionApi, {
    list: ({ body, actor }) => showSessions(parts, app.clock.now(), actor, body),
    detail: ({ params, actor }) => explainSession(parts, actor, params.uuid),
  })
}
