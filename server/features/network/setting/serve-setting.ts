import type { Setting } from '#contract/network/define-setting.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { tellSetting } from './setting.queries.ts'
import { saveSetting, type SettingRules } from './setting.service.ts'

/** Serves a section of the settings: reading it, and saving it with its rules. */
export function serveSetting<Values extends object>(
  app: HttpApp,
  db: Db,
  setting: Setting<Values>,
  rules: SettingRules<NoInfer<Values>> = {},
): void {
  implement(
    app,
    { read: setting.read, update: setting.update },
    {
      read: () => tellSetting(db, setting),
      update: ({ body, actor }) => saveSetting(db, app.clock.now(), actor, setting, body, rules),
    },
  )
}
