import { objectionApi } from '#contract/money/objection.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { showInvoice } from '#server/features/money/invoice/show.service.ts'
import { answerObjection, makeObjection, showAll, showOwn, withdrawObjection } from './objection.service.ts'

/** What affiliates object to on their invoices, and what staff answer. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, objectionApi, {
    own: ({ params, actor }) => showOwn(db, clock.now(), actor, params.uuid),
    make: ({ params, body, actor }) => makeObjection(db, clock.now(), actor, params.uuid, body.reason),
    withdraw: ({ params, actor }) => withdrawObjection(db, clock.now(), actor, params.uuid),
    list: ({ params }) => showAll(db, clock.now(), params.uuid),
    answer: async ({ params, body, actor }) => {
      await answerObjection(db, clock.now(), actor, { key: params.uuid, ...body })
      return showInvoice(db, params.uuid)
    },
  })
}
