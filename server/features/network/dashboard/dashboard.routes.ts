import { dashboardApi } from '#contract/network/dashboard.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { makeAffiliateDashboard, makeStaffDashboard } from './dashboard.service.ts'
import { readHealth } from './health.service.ts'

/** The first screen of every role, and how the instance itself is. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { clock } = app
  implement(app, dashboardApi, {
    staff: async ({ body, actor, reply }) => makeStaffDashboard(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
    affiliate: async ({ body, actor, reply }) => makeAffiliateDashboard(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
    health: async () => readHealth({ ...parts, dataDir: parts.config.dataDir }, clock.now()),
  })
}
