import { quarantineApi } from '#contract/leads/quarantine.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { routeSendParts } from '../send/send-parts.ts'
import { acceptSend, lookUpSend, rejectSend, showCalls } from './quarantine.service.ts'

/** Leads whose advertiser answered unclearly. */
export function routes(app: HttpApp, routeParts: RouteParts): void {
  const parts = routeSendParts(app, routeParts)
  const lookUps = openRecentTries(30, 60_000)
  implement(app, quarantineApi, {
    calls: ({ params, actor }) => showCalls(parts, actor, params.uuid),
    accept: ({ params, body, actor }) => acceptSend(parts, actor, params.uuid, body),
    reject: ({ params, body, actor }) => rejectSend(parts, actor, params.uuid, body),
    lookUp: ({ params, actor }) => {
      lookUps(actor.accountId, app.clock.now())
      return lookUpSend(parts, actor, params.uuid)
    },
  })
}
