import { createHash } from 'node:crypto'
import { generalSetting, settingApi, trafficbackSetting } from '#contract/network/setting.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { Config } from '#server/platform/config.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { describeTemplateErrors, parseTemplate } from '#server/rules/macros.ts'
import { serveSetting } from './serve-setting.routes.ts'
import { getGeneralSettings } from './setting.queries.ts'

/** Settings of the whole network, and the part of them the web needs before sign-in. */
export function settingRoutes(app: HttpApp, { db, config, version }: { db: Db; config: Config; version: string }): void {
  implement(
    app,
    { runtime: settingApi.runtime },
    {
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
    },
  )
  serveSetting(app, db, generalSetting, {
    check: (trx, { base_currency }) => requireCurrency(trx, base_currency, 'base_currency'),
    // a picture is too long for the log; its mark tells that it is another one
    logged: (values) => ({ ...values, logo: values.logo === null ? null : `(picture ${markOf(values.logo)})` }),
  })
  serveSetting(app, db, trafficbackSetting, {
    check: (_trx, { url }) => refuseMacros(url),
    saved: (trx) => announce(trx, 'trafficback', ['global']),
  })
}

function refuseMacros(url: string): void {
  if (url === '') return
  const { errors } = parseTemplate(url, 'trafficback')
  if (errors.length > 0) throw new AppError('invalid_input', { fields: { url: describeTemplateErrors(errors) } })
}

function markOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
