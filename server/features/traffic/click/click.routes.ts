import { clickApi } from '#contract/traffic/click.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { explainClick, listClicks } from './click.service.ts'

/** Raw clicks, and what came of one. */
export function routes(app: HttpApp, parts: RouteParts): void {
  implement(app, clickApi, {
    list: async ({ body, actor, reply }) => listClicks(parts, { now: app.clock.now(), actor, signal: whenGone(reply) }, body),
    get: async ({ params, actor, reply }) => explainClick(parts, { actor, signal: whenGone(reply) }, params.uuid),
  })
}
