import type { Product, ProductCap, ProductDetail } from '#contract/leads/product.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import { hoursIn, hoursText } from '#web/opening/hours-text.ts'

/** What the forms of products hold; of secrets what is typed anew, '' = as it is. */
export type ProductValues = Pick<Product, 'title' | 'host' | 'geos' | 'time_zone' | 'notes'> & {
  /** Open at any time: what is written of the days does not count. */
  always: boolean
  days: string[]
  caps: (Pick<ProductCap, 'period' | 'measure'> & { limit: string })[]
  credentials: Record<string, string>
}
type Opening = Pick<ProductValues, 'always' | 'days' | 'caps'>
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

/** When it is open and how much it takes, as its form holds it. */
export function openingValues({ hours, caps }: Pick<Product, 'hours' | 'caps'>): Opening {
  return { always: hours === null, days: hoursText(hours), caps: caps.map(({ limit, ...cap }) => ({ ...cap, limit: String(limit) })) }
}

/** What the server takes of that. */
export function openingBody({ always, days, caps }: Opening): Pick<Product, 'hours' | 'caps'> {
  return {
    hours: always ? null : days.map((text) => hoursIn(text) ?? []),
    caps: caps.map(({ limit, ...cap }) => ({ ...cap, limit: typedNumber(limit) })),
  }
}

/** Days whose hours cannot be read and limits without a number, by their fields. */
export function openingMistakes({ always, days, caps }: Opening, unread: string): Record<string, string> {
  return Object.fromEntries([
    ...days.flatMap((day, at) => (!always && hoursIn(day) === null ? [[`days.${at}`, unread] as const] : [])),
    ...caps.flatMap(({ limit }, at) => (limit === '' ? [[`caps.${at}.limit`, 'Required'] as const] : [])),
  ])
}
