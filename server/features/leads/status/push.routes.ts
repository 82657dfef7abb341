import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { applyStatus } from './apply-status.service.ts'
import { isPushToken } from './push-token.ts'
import { readPush } from './read-push.ts'
import { findProduct, findSend } from './status.queries.ts'

type Asked = { Params: { product: string; token: string } }
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const LARGEST = 65_536

/**
 * Where advertisers tell what became of leads: `/lead-status/<product>/<token>`, by GET or POST, as a query, a form or a flat JSON
 * object with `lead_id` (ours or theirs), `status`, `amount` and `currency`. A word nobody has mapped is answered 202 and bills nothing;
 * a sale of which nobody can tell how much it is is refused.
 */
export function routes(app: HttpApp, { db, config, clickhouse }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey, findClick: openClickFinder(clickhouse) }
  const receive = async ({ params, query, body }: FastifyRequest<Asked>, reply: FastifyReply) => {
    const answer = (code: number, said: Record<string, string>) => reply.code(code).send(said)
    const product = UUID.test(params.product) ? await findProduct(db, { uuid: params.product.toLowerCase() }) : undefined
    if (product === undefined || !isPushToken(config.secretKey, product.uuid, params.token))
      return answer(404, { status: 'error', reason: 'unknown_address' })
    const told = readPush(query, body)
    if ('missing' in told) return answer(422, { status: 'error', reason: 'missing', parameter: told.missing })
    const send =
      (UUID.test(told.id) ? await findSend(db, product.id, { uuid: told.id }) : undefined) ??
      (await findSend(db, product.id, { externalId: told.id }))
    if (send === undefined) return answer(404, { status: 'error', reason: 'unknown_lead' })
    const outcome = await applyStatus(
      parts,
      send,
      product.spec,
      { raw: told.status, isSale: false, amount: told.amount },
      'push',
      app.clock.now(),
    )
    if (outcome === 'amount') return answer(422, { status: 'error', reason: 'unreadable', parameter: 'amount' })
    return answer(outcome === 'unknown' ? 202 : 200, { status: 'success', outcome })
  }
  // a parser for forms of its own: nothing else here takes them
  void app.server.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: LARGEST }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    )
    scope.route<Asked>({
      method: ['GET', 'POST'],
      url: '/lead-status/:product/:token',
      bodyLimit: LARGEST,
      exposeHeadRoute: false,
      handler: receive,
    })
  })
}
