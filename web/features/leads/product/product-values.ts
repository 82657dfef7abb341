import { BREAKER, type Product, type ProductCap, type ProductDetail, type ProductPrice } from '#contract/leads/product.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { hoursIn, hoursText } from '#web/opening/hours-text.ts'

/** What the forms of products hold; of secrets what is typed anew, '' = as it is. */
export type ProductValues = Pick<Product, 'title' | 'host' | 'geos' | 'time_zone' | 'notes'> & {
  /** Open at any time: what is written of the days does not count. */
  always: boolean
  days: string[]
  caps: (Pick<ProductCap, 'period' | 'measure'> & { limit: string })[]
  currency: string
  prices: ProductPrice[]
  breaker_failures: string
  breaker_minutes: string
  credentials: Record<string, string>
}
type Terms = Pick<ProductValues, 'always' | 'days' | 'caps' | 'currency' | 'prices' | 'breaker_failures' | 'breaker_minutes'>
type StoredTerms = Pick<Product, 'hours' | 'caps' | 'currency' | 'prices' | 'breaker_failures' | 'breaker_minutes'>
/** What an integration asks of an account, and whether it is there already. */
export type Credential = Pick<ProductDetail['credentials'][number], 'key' | 'label' | 'secret' | 'required'> & { set: boolean }

/** What is told to the server of an account: a secret that was not typed stays. */
export function toldCredentials(
  credentials: readonly Credential[],
  typed: Readonly<Record<string, string>>,
): Record<string, string | null> {
  return Object.fromEntries(
    credentials.map(({ key, secret, set }) => {
      const value = typed[key] ?? ''
      return [key, secret && set && value === '' ? null : value]
    }),
  )
}

/** What holds for a new product of an advertiser. */
export function blankTerms(currency: string): StoredTerms {
  return { hours: null, caps: [], currency, prices: [], breaker_failures: BREAKER.failures, breaker_minutes: BREAKER.minutes }
}

/** When it is open, how much it takes, what it pays and when it rests, as its form holds it. */
export function termValues({ hours, caps, currency, prices, breaker_failures, breaker_minutes }: StoredTerms): Terms {
  return {
    always: hours === null,
    days: hoursText(hours),
    caps: caps.map(({ limit, ...cap }) => ({ ...cap, limit: String(limit) })),
    currency,
    prices: prices.map((row) => ({ ...row, price: row.price.replace(/\.0+$|(\.\d*[1-9])0+$/, '$1') })),
    breaker_failures: String(breaker_failures),
    breaker_minutes: String(breaker_minutes),
  }
}

/** What the server takes of that. */
export function termBody({ always, days, caps, breaker_failures, breaker_minutes, ...rest }: Terms): StoredTerms {
  return {
    ...rest,
    hours: always ? null : days.map((text) => hoursIn(text) ?? []),
    caps: caps.map(({ limit, ...cap }) => ({ ...cap, limit: typedNumber(limit) })),
    breaker_failures: typedNumber(breaker_failures),
    breaker_minutes: typedNumber(breaker_minutes),
  }
}

/** Days whose hours cannot be read, and limits, prices and numbers of the breaker that are missing, by their fields. */
export function termMistakes({ always, days, ...terms }: Terms, unread: string): Record<string, string> {
  const missing = [
    ...terms.caps.flatMap(({ limit }, at) => (limit === '' ? [`caps.${at}.limit`] : [])),
    ...terms.prices.flatMap(({ price }, at) => (price === '' ? [`prices.${at}.price`] : [])),
    ...(['breaker_failures', 'breaker_minutes'] as const).filter((name) => terms[name] === ''),
  ]
  return Object.fromEntries([
    ...days.flatMap((day, at) => (!always && hoursIn(day) === null ? [[`days.${at}`, unread] as const] : [])),
    ...missing.map((name) => [name, 'Required'] as const),
  ])
}
