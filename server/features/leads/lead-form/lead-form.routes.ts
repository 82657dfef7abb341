import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS } from '#contract/errors.ts'
import { CONSENT_MISSING } from '#contract/leads/integrity.ts'
import { leadFormApi } from '#contract/leads/lead-form.ts'
import { affiliateOf } from '#server/access/actor.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeForms } from '#server/platform/http/take-forms.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { answerMistakes, answerThanks } from './answer-form.ts'
import { readFormToken } from './form-token.ts'
import { buildAffiliateForm, buildForm, countTrapped, limitForm, takeForm } from './lead-form.service.ts'
import { readPosted } from './read-form.ts'

/** What the person may set right, and learns nothing of others by. */
const MENDABLE: ReadonlySet<string> = new Set(['invalid_phone', 'invalid_email', CONSENT_MISSING])

type Asked = { Params: { token: string } }
const LARGEST = 65_536

/**
 * Forms that landings post directly, to `/lead-form/<token>`: as a form, answered by a redirect or a page, or by a script, as a flat JSON
 * object, answered in JSON to whichever page asks.
 */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const { db, config } = routeParts
  const { clock } = app
  const parts = routeSendParts(app, routeParts)
  const panel = openPanelAddress(config)

  implement(app, leadFormApi, {
    own: ({ params, body, actor }) => buildForm(db, config, clock.now(), affiliateOf(actor), params.uuid, body),
    ofAffiliate: ({ params, body, actor }) => buildAffiliateForm(db, config, clock.now(), actor, params.uuid, body),
  })

  const receive = async (request: FastifyRequest<Asked>, reply: FastifyReply) => {
    const ip = request.ip.replace(/^::ffff:(?=\d+\.)/, '')
    try {
      const posted = readPosted(request.body)
      const form = readFormToken(config.secretKey, request.params.token, posted.thankYouUrl)
      if (form === null) throw new AppError('not_found')
      await limitForm(db, clock.now(), request.params.token, ip)
      if (posted.trapped) {
        await countTrapped(db, clock.now(), form)
        return answerThanks(request, reply, posted.thankYouUrl)
      }
      const entry = await takeForm(parts, form, posted, { ip, userAgent: request.headers['user-agent'] ?? '' })
      return answerThanks(request, reply, entry === null ? posted.thankYouUrl : `${await panel(db)}${entry}`)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // whoever is asked for may be known here: a stranger must not find that out by a form
      if (error.code === 'lead_refused' && !MENDABLE.has(error.values?.code ?? ''))
        return answerThanks(request, reply, readPosted(request.body).thankYouUrl)
      if (error.retryAfter !== undefined) reply.header('retry-after', String(error.retryAfter))
      return answerMistakes(request, reply, ERRORS[error.code].status, error)
    }
  }
  void app.server.register(async (scope) => {
    takeForms(scope, LARGEST)
    scope.route<Asked>({ method: 'POST', url: '/lead-form/:token', bodyLimit: LARGEST, handler: receive })
    scope.route<Asked>({
      method: 'OPTIONS',
      url: '/lead-form/:token',
      handler: async (_request, reply) =>
        reply
          .code(204)
          .header('access-control-allow-origin', '*')
          .header('access-control-allow-methods', 'POST')
          .header('access-control-allow-headers', 'content-type, accept')
          .header('access-control-max-age', '86400')
          .send(),
    })
  })
}
