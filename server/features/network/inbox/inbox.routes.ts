import { billingWaitingApi } from '#contract/money/billing.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { countInbox, dismissPostbacks, listInbox } from './inbox.service.ts'
import { billingWaiting } from './money.queries.ts'

/** What waits for the decision of who asks. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, billingWaitingApi, {
    waiting: () => billingWaiting(db, clock.now()),
  })
  implement(app, inboxApi, {
    counts: ({ actor }) => countInbox(db, clock.now(), actor),
    dismiss: async ({ body, actor }) => ({ changed: await dismissPostbacks(db, clock.now(), actor, body) }),
    list: ({ body, actor }) => listInbox(db, clock.now(), actor, body),
  })
}
