import { retentionApi, retentionSetting } from '#contract/leads/retention.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { previewRetention } from './retention.service.ts'

/** After how many days people are forgotten. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  serveSetting(app, db, retentionSetting)
  implement(app, retentionApi, {
    preview: ({ body }) => previewRetention(db, app.clock.now(), body),
  })
}
