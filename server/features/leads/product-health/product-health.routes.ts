import { productHealthApi } from '#contract/leads/product-health.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { showHealth } from './product-health.service.ts'

/** How advertisers' systems are doing. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  const { clock } = app
  implement(app, productHealthApi, {
    // one read of all that is shown
    list: ({ body, actor }) => showHealth(db, clock.now(), actor, body),
  })
}
