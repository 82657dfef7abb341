import { exchangeApi, rateFeedSetting, rateTableApi } from '#contract/money/currency-rate.ts'
import { currencyApi, currencyRateApi } from '#contract/money/currency.ts'
import { implement, type HttpApp, type RouteParts } from '#server/access/implement.ts'
import { serveSetting } from '#server/features/network/setting/serve-setting.ts'
import { listCurrencies } from './currency.queries.ts'
import { changeCurrency, createCurrency, setCurrencyActive } from './currency.service.ts'
import { quoteExchange } from './exchange.service.ts'
import { beginFeed, checkFeed, fetchNow, showFeed } from './feed.service.ts'
import { importRates, previewRates } from './import.service.ts'
import { removeRate, setRates, showHistory, showMonth, showRatesOn } from './rate.service.ts'

/** The table of currencies, and rates against the base currency, day by day. */
export function routes(app: HttpApp, { db, config }: RouteParts): void {
  implement(app, currencyApi, {
    list: async () => ({ list: await listCurrencies(db) }),
    create: ({ body, actor }) => createCurrency(db, app.clock.now(), actor, body),
    update: ({ body, actor }) => changeCurrency(db, app.clock.now(), actor, body),
    setActive: ({ body, actor }) => setCurrencyActive(db, app.clock.now(), actor, body.code, body.active),
  })

  implement(app, currencyRateApi, {
    list: ({ body }) => showRatesOn(db, body.day),
    set: async ({ body, actor }) => ({ changed: await setRates(db, app.clock.now(), actor, body.day, body.rates) }),
  })

  implement(app, exchangeApi, {
    quote: ({ body }) => quoteExchange(db, body),
  })

  const feed = { db, policy: { allow: config.outboundAllow } }
  serveSetting(app, db, rateFeedSetting, {
    check: (_trx, asked) => checkFeed(feed.policy, asked),
    saved: (trx, { after }) => beginFeed(trx, app.clock.now(), after),
  })
  implement(app, rateTableApi, {
    month: ({ body }) => showMonth(db, app.clock.now(), body.month),
    history: ({ body }) => showHistory(db, app.clock.now(), body),
    remove: async ({ body, actor }) => ({ changed: await removeRate(db, app.clock.now(), actor, body) }),
    previewImport: ({ body }) => previewRates(db, app.clock.now(), body.content),
    import: ({ body, actor }) => importRates(db, app.clock.now(), actor, body.content),
    feedState: () => showFeed(db),
    fetchNow: () => fetchNow(feed, app.clock.now()),
  })
}
