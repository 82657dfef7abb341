import { currencyRateApi } from '#contract/money/currency.ts'
import { CURRENCY_CODES } from '#contract/money/amount.ts'
import { AppError } from '#server/platform/errors.ts'
import { implement, type HttpApp } from '#server/access/implement.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '#server/features/people/audit/audit.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { ratesOn, setRates } from './currency.queries.ts'

/** Rates against the base currency, day by day. */
export function currencyRateRoutes(app: HttpApp, { db }: { db: Db }): void {
  implement(app, currencyRateApi, {
    list: async ({ body }) => {
      const { base_currency: base } = await getGeneralSettings(db)
      const rates = await ratesOn(db, base, body.day)
      const list = CURRENCY_CODES.map((currency) => ({
        currency,
        rate: rates.get(currency)?.rate ?? null,
        day: rates.get(currency)?.day ?? null,
      }))
      return { base, list }
    },

    set: async ({ body, actor }) => {
      const { base_currency: base } = await getGeneralSettings(db)
      if (body.rates.some((one) => one.currency === base))
        throw new AppError('invalid_input', { fields: { rates: `${base} is the base currency` } })
      const changed = await db.transaction().execute(async (trx) => {
        const rows = await setRates(trx, base, body.day, body.rates)
        await recordAudit(trx, actor, app.clock.now(), {
          action: 'set',
          entity: 'currency_rate',
          entityId: body.day,
          after: Object.fromEntries(body.rates.map((one) => [one.currency, one.rate])),
        })
        return rows
      })
      return { changed }
    },
  })
}
