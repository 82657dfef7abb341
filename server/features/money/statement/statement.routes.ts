import { statementApi } from '#contract/money/statement.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { showStatement, showStatements } from './statement.service.ts'

/** The months of an affiliate's own money. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, statementApi, {
    list: ({ body, actor }) => showStatements(db, affiliateOf(actor), body),
    get: ({ params, actor }) => showStatement(db, affiliateOf(actor), params.uuid),
  })
}
