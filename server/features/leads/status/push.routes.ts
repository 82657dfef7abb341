import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpApp, RouteParts } from '#server/access/implement.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { keepCall, settleCall, type KeptCall } from '../stuck/keep.service.ts'
import { applyStatus } from './apply-status.service.ts'
import { isPushToken } from '#server/features/leads/product/push-token.ts'
import { readPush } from './read-push.ts'
import { findProduct, findTold } from './status.queries.ts'
import { takeForms } from '#server/platform/http/take-forms.ts'

type Asked = { Params: { product: string; token: string } }
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i
const LARGEST = 65_536

/**
 * Where advertisers tell what became of leads: `/lead-status/<product>/<token>`, by GET or POST, as a query, a form or a flat JSON
 * object with `lead_id` (ours or theirs), `status`, `amount`, `currency` and, of payments, `transaction_id`. A word nobody has mapped is
 * answered 202 and bills nothing; a sale of which nobody can tell how much it is, or which one it is, is refused, and what is refused is
 * kept for a person.
 */
export function routes(app: HttpApp, { db, config, clickhouse }: RouteParts): void {
  const parts = { db, secretKey: config.secretKey, findClick: openClickFinder(clickhouse) }
  const receive = async ({ params, query, body }: FastifyRequest<Asked>, reply: FastifyReply) => {
    const answer = (code: number, said: Record<string, string>) => reply.code(code).send(said)
    const product = UUID.test(params.product) ? await findProduct(db, { uuid: params.product.toLowerCase() }) : undefined
    if (product === undefined || !isPushToken(config.secretKey, product.uuid, params.token))
      return answer(404, { status: 'error', reason: 'unknown_address' })
    const { push, params: all, missing } = readPush(query, body)
    const call: KeptCall = { push, params: all }
    const at = new Date(app.clock.now())
    /** Nothing can be made of it: it is kept for a person. What a person has settled meanwhile is done, however often it is told. */
    const refuse = async (code: number, said: Record<string, string>, reason: string, sendId?: string) => {
      const standing = await keepCall(db, product.id, call, reason, { at, sendId: sendId ?? null })
      return standing === 'settled' ? answer(200, { status: 'success', outcome: 'repeat' }) : answer(code, { status: 'error', ...said })
    }
    if (missing !== '')
      return refuse(422, { reason: 'missing', parameter: missing }, missing === 'status' ? 'status_missing' : 'lead_missing')
    const send = await findTold(db, product.id, push.id)
    if (send === undefined) return refuse(404, { reason: 'unknown_lead' }, 'lead_unknown')
    const told = { raw: push.status, isSale: false, amount: push.amount, transaction: push.transaction }
    const outcome = await applyStatus(parts, send, product.spec, told, 'push', at.getTime())
    if (outcome === 'amount') return refuse(422, { reason: 'unreadable', parameter: 'amount' }, 'amount', send.id)
    if (outcome === 'deposit_unclear') return refuse(422, { reason: 'unclear', parameter: 'transaction_id' }, 'deposit_unclear', send.id)
    if (outcome === 'deposit_taken') return refuse(409, { reason: 'other_lead', parameter: 'transaction_id' }, 'deposit_taken', send.id)
    if (outcome === 'sold_elsewhere') return refuse(409, { reason: 'answered_too_late', parameter: 'lead_id' }, 'sold_elsewhere', send.id)
    await settleCall(db, product.id, call, at)
    return answer(outcome === 'unknown' ? 202 : 200, { status: 'success', outcome })
  }
  void app.server.register(async (scope) => {
    takeForms(scope, LARGEST)
    scope.route<Asked>({
      method: ['GET', 'POST'],
      url: '/lead-status/:product/:token',
      bodyLimit: LARGEST,
      exposeHeadRoute: false,
      handler: receive,
    })
  })
}
