import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { listCurrencies, ratesOn } from './currency.queries.ts'
import { changeCurrency, createCurrency, setCurrencyActive, setRates } from './currency.service.ts'

/** The table of currencies, and rates against the base currency, day by day. */
export function routes(app: HttpApp, { db }: RouteParts): void {
  implement(app, currencyApi, {
    list: async () => ({ list: await listCurrencies(db) }),
    create: ({ body, actor }) => createCurrency(db, app.clock.now(), actor, body),
    update: ({ body, actor }) => changeCurrency(db, app.clock.now(), actor, body),
    setActive: ({ body, actor }) => setCurrencyActive(db, app.clock.now(), actor, body.code, body.active),
  })

  implement(app, currencyRateApi, {
    list: async ({ body }) => {
      const { base_currency: base } = await getGeneralSettings(db)
      const [currencies, rates] = await Promise.all([listCurrencies(db), ratesOn(db, base, body.day)])
      const list = currencies
        .filter(({ active }) => active)
        .map(({ code }) => ({ currency: code, rate: rates.get(code)?.rate ?? null, day: rates.get(code)?.day ?? null }))
      return { base, list }
    },
    set: async ({ body, actor }) => ({ changed: await setRates(db, app.clock.now(), actor, body.day, body.rates) }),
  })
}
