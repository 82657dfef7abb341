import type { FastifyReply } from 'fastify'
import { affiliateStatementApi, statementApi } from '#contract/money/statement.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { findOwner } from '#server/features/money/ledger/entry.service.ts'
import type { File } from '#server/features/money/document/keep.service.ts'
import { attachmentOf } from '#server/platform/files/document.ts'
import { readStatementPdf } from './print.service.ts'
import { showStatement, showStatements } from './statement.service.ts'

/** The months of an affiliate's money, for itself and for staff who see money. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const saved =
    (reply: FastifyReply) =>
    ({ name, bytes }: File) => {
      reply.type('application/pdf').headers({ 'content-disposition': attachmentOf(name), 'cache-control': 'private, no-store' })
      return new Uint8Array(bytes)
    }
  implement(app, statementApi, {
    list: ({ body, actor }) => showStatements(db, affiliateOf(actor), body),
    get: ({ params, actor }) => showStatement(db, affiliateOf(actor), params.uuid),
    pdf: ({ params, actor, reply }) => readStatementPdf(db, affiliateOf(actor), params.uuid).then(saved(reply)),
  })
  implement(app, affiliateStatementApi, {
    list: async ({ body: { affiliate_uuid, ...body }, actor }) =>
      showStatements(db, await findOwner(db, actor.scope, 'affiliate', affiliate_uuid), body),
    get: async ({ body, actor }) => showStatement(db, await findOwner(db, actor.scope, 'affiliate', body.affiliate_uuid), body.uuid),
    pdf: async ({ body, actor, reply }) =>
      readStatementPdf(db, await findOwner(db, actor.scope, 'affiliate', body.affiliate_uuid), body.uuid).then(saved(reply)),
  })
}
