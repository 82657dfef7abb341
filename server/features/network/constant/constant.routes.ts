import { paymentSetting } from '#contract/money/payment.ts'
import { constantApi } from '#contract/network/constant.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { listCurrencies } from '#server/features/money/currency/currency.queries.ts'
import { getGeneralSettings, getSetting } from '../setting/setting.queries.ts'
import { CONSTANTS, COUNTRIES_BY_PREFIX } from './constant.data.ts'
import { trackDomains } from '../domain/address.service.ts'
import { constantsFor } from './constant.service.ts'

/** Reference data for the panel and for guest pages. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  implement(app, constantApi, {
    all: async ({ actor }) => {
      const [general, currencies, domains, payments] = await Promise.all([
        getGeneralSettings(db),
        listCurrencies(db),
        trackDomains(db, config, actor.scope.kind === 'affiliate' ? actor.scope.affiliateId : null),
        getSetting(db, paymentSetting),
      ])
      return constantsFor(actor.role, general, currencies, domains, payments, app.clock.now())
    },
    guest: async () => ({
      verticals: CONSTANTS.verticals,
      geos: CONSTANTS.geos,
      traffic: CONSTANTS.traffic,
      country_code_phone: COUNTRIES_BY_PREFIX,
    }),
  })
}
