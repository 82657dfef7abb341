import { dashboardApi, firstStepsSetting } from '#contract/network/dashboard.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { whenGone } from '#server/platform/http/when-gone.ts'
import { storeSetting } from '#server/features/network/setting/setting.queries.ts'
import { readFirstSteps } from './first-steps.service.ts'
import { makeAffiliateDashboard, makeStaffDashboard } from './dashboard.service.ts'
import { readHealth } from './health.service.ts'

/** The first screen of every role, and how the instance itself is. */
export function routes(app: HttpApp, parts: RouteParts): void {
  const { clock } = app
  implement(app, dashboardApi, {
    staff: async ({ body, actor, reply }) => makeStaffDashboard(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
    affiliate: async ({ body, actor, reply }) => makeAffiliateDashboard(parts, { now: clock.now(), actor, signal: whenGone(reply) }, body),
    firstSteps: () => readFirstSteps(parts),
    dismissFirstSteps: async () => {
      await storeSetting(parts.db, clock.now(), firstStepsSetting.key, { dismissed: true })
      return {}
    },
    health: async () => readHealth({ ...parts, dataDir: parts.config.dataDir, demo: parts.config.demo }, clock.now()),
  })
}
