import { createHash } from 'node:crypto'
import { registrationSetting } from '#contract/people/registration.ts'
import { runtimeApi } from '#contract/network/runtime.ts'
import { generalSetting, trafficbackSetting } from '#contract/network/setting.ts'
import { rebaseRates } from '#server/features/money/currency/currency.service.ts'
import { refuseOtherBase } from '#server/features/money/proposal/rules.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { describeTemplateErrors, parseTemplate } from '#server/rules/macros.ts'
import { trackingAddress } from '../domain/address.service.ts'
import { checkGeneral } from './general.service.ts'
import { serveSetting } from './serve-setting.ts'
import { followNetwork, getGeneralSettings, getSetting, leaveLanguages } from './setting.queries.ts'

/** Settings of the whole network, and the part of them the web needs before sign-in. */
export function routes(app: HttpApp, { db, config, version }: RouteParts): void {
  implement(app, runtimeApi, {
    runtime: async () => {
      const [general, { mode }, tracking] = await Promise.all([
        getGeneralSettings(db),
        getSetting(db, registrationSetting),
        trackingAddress(db, config),
      ])
      return {
        partner_title: general.partner_title,
        logo: general.logo,
        colour: general.colour,
        language: general.language,
        languages: general.languages,
        cookies: config.cookies,
        require_signature: config.requireSignature,
        api_origin: config.apiOrigin,
        error_reporting_dsn: config.errorReportingDsn,
        signup: mode === 'open' || mode === 'moderated',
        tracking_url: tracking,
        acme: config.tls.mode === 'acme',
        demo: config.demo,
        version,
      }
    },
  })
  serveSetting(app, db, generalSetting, {
    check: checkGeneral,
    kept: async (trx, values, { actor, before, now }) => {
      if (actor !== null) await refuseOtherBase(trx, now, before.base_currency, values.base_currency)
      return values
    },
    saved: async (trx, { before, after, actor, first }) => {
      await rebaseRates(trx, before.base_currency, after.base_currency)
      await leaveLanguages(trx, after)
      // whoever answers for the network first was made before it had a zone or a language
      if (first && actor !== null) await followNetwork(trx, actor.accountId, before, after)
    },
    // a picture is too long for the log; its mark tells that it is another one
    logged: (values) => ({ ...values, logo: markOf(values.logo), favicon: markOf(values.favicon) }),
  })
  serveSetting(app, db, trafficbackSetting, {
    check: (_trx, addresses) => refuseMacros(addresses),
    saved: (trx) => announce(trx, 'trafficback', ['global']),
  })
}

function refuseMacros(addresses: Readonly<Record<string, string>>): void {
  const fields: Record<string, string> = {}
  for (const [field, url] of Object.entries(addresses)) {
    const errors = url === '' ? [] : parseTemplate(url, 'trafficback').errors
    if (errors.length > 0) fields[field] = describeTemplateErrors(errors)
  }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}

function markOf(picture: string | null): string | null {
  return picture === null ? null : `(picture ${createHash('sha256').update(picture).digest('hex').slice(0, 8)})`
}
