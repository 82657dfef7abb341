import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { day } from '#contract/fields.ts'
import { currency } from './amount.ts'

/** 1 unit of the currency in units of the base currency. */
export const rate = z.string().regex(/^(?=.*[1-9])\d{1,9}(\.\d{1,8})?$/, 'A number above 0 with at most eight decimals')

/** A rate holds from its day until the next day that has one. */
export const currencyRateApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/list',
    access: 'currency.rate',
    summary: 'The rates in force on a day.',
    body: z.object({ day }),
    response: z.object({ base: currency, list: z.array(z.object({ currency, rate: z.string().nullable(), day: day.nullable() })) }),
  }),
  set: endpoint({
    method: 'POST',
    path: '/api/currency-rate/v1/set',
    access: 'currency.rate',
    summary: 'Sets rates of one day; those of the same day are replaced. What was converted before stays.',
    body: z.object({ day, rates: z.array(z.object({ currency, rate })).min(1).max(200) }),
    response: z.object({ changed: z.int() }),
  }),
}
