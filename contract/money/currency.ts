import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day, line, requiredLine, version } from '#contract/fields.ts'
import { currency, MONEY_SCALE } from './amount.ts'

/** 1 unit of the currency in units of the base currency. */
export const rate = z.string().regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,8})?$/, 'A number above 0 with at most eight decimals')

const DECIMALS_MISTAKE = `A whole number from 0 to ${MONEY_SCALE}`

/** A rate holds on its day and the six after it, or until the next one. Without one in force nothing is converted. */
export const RATE_DAYS = 7

export const FIRST_RATE_DAY = '2000-01-01'

/** A currency of the network's own: a stablecoin, points. */
export const ownCurrency = z.object({
  code: currency,
  name: requiredLine(60),
  /** Written instead of the code; '' = the code. */
  sign: line(4),
  /** Those of invoices and of what people read. */
  decimals: z.number(DECIMALS_MISTAKE).int(DECIMALS_MISTAKE).min(0, DECIMALS_MISTAKE).max(MONEY_SCALE, DECIMALS_MISTAKE),
})

/** A row of the table of currencies. `active` ones can be chosen; `in_use` ones stay active and keep their decimals. */
export const currencyRow = ownCurrency.extend({ kind: z.enum(['iso', 'own']), active: z.boolean(), in_use: z.boolean(), version })

export const currencyApi = {
  list: endpoint({
    method: 'GET',
    path: '/api/currency/v1/list',
    access: 'currency.rate',
    summary: 'All currencies: those of ISO 4217 and the own ones.',
    response: z.object({ list: z.array(currencyRow) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/currency/v1/create',
    access: 'currency.rate',
    summary: 'Adds a currency of the own; it is active at once and never deleted.',
    body: ownCurrency,
    response: currencyRow,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/currency/v1/update',
    access: 'currency.rate',
    summary: 'Changes a currency of the own; the code stays, and so do the decimals of one in use.',
    body: ownCurrency.extend({ version }),
    response: currencyRow,
  }),
  setActive: endpoint({
    method: 'POST',
    path: '/api/currency/v1/set-active',
    access: 'currency.rate',
    summary: 'Offers a currency in pickers or no longer; one in use stays active.',
    body: z.object({ code: currency, active: z.boolean() }),
    response: currencyRow,
  }),
}

/** A rate holds on its day and the six after it, or until the next one. */
export const currencyRateApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/list',
    access: 'currency.rate',
    reads: true,
    summary: 'The rates in force on a day, of active currencies; where none is, the day of the last one there was.',
    body: z.object({ day }),
    response: z.object({ base: currency, list: z.array(z.object({ currency, rate: z.string().nullable(), day: day.nullable() })) }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/set',
    access: 'currency.rate',
    summary:
      'Sets rates of one day, from 2000 to today in the zone of the network; those of the same day are replaced. What was converted before stays.',
    body: z.object({
      day: day.refine((text) => text >= FIRST_RATE_DAY, 'From 2000-01-01 on'),
      rates: z
        .array(z.object({ currency, rate }))
        .min(1)
        .max(200)
        .superRefine((rates, context) => {
          for (const [index, { currency: code }] of rates.entries())
            if (rates.findIndex((one) => one.currency === code) < index)
              context.addIssue({ code: 'custom', path: [index, 'currency'], message: 'This currency stands here twice' })
        }),
    }),
    response: z.object({ changed: z.int() }),
  }),
}
