import type { FastifyReply, FastifyRequest } from 'fastify'
import { ERRORS } from '#contract/errors.ts'
import { leadApi } from '#contract/leads/lead.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import type { Actor } from '#server/access/actor.ts'
import { admit, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { takeForms } from '#server/platform/http/take-forms.ts'
import { ownerOf } from '../lead-api/lead-owner.ts'
import { takeLead } from '../lead-api/take.service.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { listRegistered, type Registered, type Told } from './sender.queries.ts'
import { irevDialect } from './irev.present.ts'
import { trackBoxDialect } from './trackbox.present.ts'
import { bodyOf, mistakesOf, readSent } from './read-sent.ts'
import type { SenderDialect } from './dialect.ts'

const LARGEST = 65_536
const DIALECTS: readonly SenderDialect[] = [trackBoxDialect, irevDialect]

/**
 * Where systems that push leads to another network change only the host: each dialect is read, answered and asked as its documentation
 * says, by the rules of the lead API and with a key of the affiliate.
 */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const parts = routeSendParts(app, routeParts)
  const panel = openPanelAddress(routeParts.config)
  void app.server.register(async (scope) => {
    takeForms(scope, LARGEST)
    for (const dialect of DIALECTS) {
      const who = (request: FastifyRequest, endpoint: Endpoint) => actorOf(app, request, dialect.keyOf(request.headers), endpoint)
      const send = async (request: FastifyRequest, reply: FastifyReply) => {
        const body = bodyOf(request.body)
        const { names, ...read } = dialect.read(body)
        try {
          const owner = ownerOf(await who(request, leadApi.send))
          const input = readSent({ ...read, names }, owner.affiliateId, { field: dialect.affiliate, value: body[dialect.affiliate] })
          const { row, entry } = await takeLead(parts, panel, owner, input)
          return dialect.answer(reply, row, entry ?? '')
        } catch (error) {
          return refuse(dialect, reply, error, names)
        }
      }
      const pull = async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          const owner = ownerOf(await who(request, leadApi.list))
          const asked = dialect.asked(request, app.clock.now())
          const told: { list: Told[]; all: number } = await listRegistered(routeParts.db, { ...asked, ...owner } satisfies Registered)
          return dialect.tell(reply, told, asked)
        } catch (error) {
          return refuse(dialect, reply, error, {})
        }
      }
      const constants = async (request: FastifyRequest, reply: FastifyReply) => {
        try {
          ownerOf(await who(request, leadApi.list))
          return reply.send(dialect.constants?.list)
        } catch (error) {
          return refuse(dialect, reply, error, {})
        }
      }
      for (const url of dialect.constants?.urls ?? []) scope.route({ method: 'GET', url, exposeHeadRoute: false, handler: constants })
      for (const url of dialect.sendTo) scope.route({ method: 'POST', url, bodyLimit: LARGEST, handler: send })
      for (const url of dialect.pullFrom.urls)
        scope.route({ method: dialect.pullFrom.method, url, bodyLimit: LARGEST, exposeHeadRoute: false, handler: pull })
    }
  })
}

/** Whose key a request carries where its dialect puts it. */
async function actorOf(app: HttpApp, request: FastifyRequest, key: string, endpoint: Endpoint): Promise<Actor> {
  request.headers.authorization = `Bearer ${key}`
  const actor = await admit(app, request, endpoint)
  if (actor === undefined || actor.key === null) throw new AppError('unauthorized')
  return actor
}

function refuse(dialect: SenderDialect, reply: FastifyReply, error: unknown, names: Readonly<Record<string, string>>) {
  if (!(error instanceof AppError)) throw error
  // 403 is about the key to such systems, not about an offer
  const status = error.code === 'lead_offer_closed' ? ERRORS.invalid_input.status : ERRORS[error.code].status
  return dialect.refuse(reply, status, error.code, mistakesOf(error, names))
}
