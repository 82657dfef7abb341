import { smtpFields, smtpSetting } from '#contract/network/smtp.ts'
import { backupSetting, systemApi } from '#contract/network/system.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { openPanelAddress } from '#server/features/network/domain/address.service.ts'
import { testSmtp } from '#server/features/network/mail/smtp.service.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { AppError } from '#server/platform/errors.ts'
import { openRecentTries } from '#server/platform/recent-tries.ts'
import { refuseFolder } from './backup.service.ts'
import { askRun } from './run.queries.ts'
import { readSystem } from './status.service.ts'

/** Test messages of one person within ten minutes. */
const MOST_TRIES = 5
const TEN_MINUTES = 10 * 60_000

/** How the instance is, and what it is asked to do about itself. */
export function routes(app: HttpApp, { db, clickhouse, config, version }: RouteParts): void {
  const { clock } = app
  const { dataDir, demo, secretKey } = config
  const parts = { db, clickhouse, dataDir, demo, version }
  const limit = openRecentTries(MOST_TRIES, TEN_MINUTES)
  serveSetting(app, db, backupSetting, { check: (_trx, values) => refuseFolder(dataDir, values) })
  const { backup: _backup, updateBackup: _updateBackup, ...own } = systemApi
  implement(app, own, {
    read: ({ actor }) => readSystem(parts, clock.now(), actor),
    check: async ({ actor }) => {
      await askRun(db, clock.now(), 'self_check', actor.accountId)
      return {}
    },
    backUp: async ({ body, actor }) => {
      const { folder } = await getSetting(db, backupSetting)
      if (folder === '') throw new AppError('invalid_input', { fields: { folder: 'Required' } })
      await askRun(db, clock.now(), body.kind, actor.accountId)
      return {}
    },
    testMail: async ({ actor }) => {
      limit(actor.accountId, clock.now())
      const setting = await getSetting(db, smtpSetting)
      const asSet = { ...pickFields(setting, smtpFields), version: setting.version, password: null, dkim_key: null, to: actor.email }
      return testSmtp({ db, secretKey, panel: openPanelAddress(config) }, clock.now(), actor, asSet)
    },
  })
}
