import { settingApi } from '#contract/network/setting.ts'
import type { Config } from '#server/platform/config.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { getGeneralSettings } from './setting.queries.ts'
import { saveGeneralSettings } from './setting.service.ts'
import { getTrafficback, saveTrafficback } from './trafficback.queries.ts'

/** Settings of the whole network, and the part of them the web needs before sign-in. */
export function settingRoutes(app: HttpApp, { db, config, version }: { db: Db; config: Config; version: string }): void {
  implement(app, settingApi, {
    runtime: async () => {
      const general = await getGeneralSettings(db)
      return {
        partner_title: general.partner_title,
        logo: general.logo,
        colour: general.colour,
        language: general.language,
        cookies: config.cookies,
        require_signature: config.requireSignature,
        error_reporting_dsn: config.errorReportingDsn,
        tracking_url: config.trackingUrl,
        demo: config.demo,
        version,
      }
    },
    general: () => getGeneralSettings(db),
    updateGeneral: async ({ body, actor }) => {
      await saveGeneralSettings(db, app.clock.now(), actor, body)
      return getGeneralSettings(db)
    },
    trafficback: () => getTrafficback(db),
    updateTrafficback: async ({ body, actor }) => {
      await saveTrafficback(db, app.clock.now(), actor, body)
      return getTrafficback(db)
    },
  })
}
