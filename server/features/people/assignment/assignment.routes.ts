import { assignmentApi } from '#contract/people/assignment.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { assign, unassign } from './assignment.service.ts'

/** Giving affiliates and advertisers to a manager. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, assignmentApi, {
    assign: async ({ body, actor }) => ({ changed: await assign(db, app.clock.now(), actor, body) }),
    undo: async ({ body, actor }) => ({ changed: await unassign(db, app.clock.now(), actor, body) }),
  })
}
