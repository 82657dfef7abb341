import { integrityApi } from '#contract/leads/integrity.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { reviewLeads } from './review.service.ts'

/** Leads that wait until somebody has looked at them. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, integrityApi, {
    review: async ({ body, actor }) => ({ changed: await reviewLeads(db, app.clock.now(), actor, body) }),
  })
}
