import { ownDocumentApi } from '#contract/money/own-document.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { showInvoice } from '#server/features/money/invoice/show.service.ts'
import { giveDocument, refuseDocument, showAll, showOwn } from './own-document.service.ts'

/** Invoices that affiliates write themselves for what their statements say. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, ownDocumentApi, {
    own: ({ params, actor }) => showOwn(db, actor, params.uuid),
    give: ({ params, body, actor }) => giveDocument(db, clock.now(), actor, params.uuid, body),
    list: ({ params }) => showAll(db, params.uuid),
    refuse: async ({ params, body, actor }) => {
      await refuseDocument(db, clock.now(), actor, { key: params.uuid, ...body })
      return showInvoice(db, params.uuid)
    },
  })
}
