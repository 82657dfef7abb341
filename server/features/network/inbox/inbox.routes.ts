import { inboxApi } from '#contract/network/inbox.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { countInbox, listInbox } from './inbox.service.ts'

/** What waits for the decision of who asks. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, inboxApi, {
    counts: ({ actor }) => countInbox(db, clock.now(), actor),
    list: ({ body, actor }) => listInbox(db, clock.now(), actor, body.kind),
  })
}
