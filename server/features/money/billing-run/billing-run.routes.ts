import { billingRunApi } from '#contract/money/billing-run.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { dismissRun, makeRun, previewRunOf, retryRun, showOdd, showRuns } from './billing-run.service.ts'

/** Invoices of many affiliates made at once: proposed, previewed, made, tried again. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, billingRunApi, {
    list: ({ body }) => showRuns(db, body),
    preview: ({ params }) => previewRunOf(db, clock.now(), params.uuid),
    failures: ({ params }) => showOdd(db, params.uuid),
    make: ({ params, actor }) => makeRun(db, clock.now(), actor, params.uuid),
    retry: ({ params, actor }) => retryRun(db, clock.now(), actor, params.uuid),
    dismiss: async ({ params, actor }) => {
      await dismissRun(db, clock.now(), actor, params.uuid)
      return {}
    },
  })
}
