import type { Product, ProductDetail } from '#contract/leads/product.ts'

/** What the forms of products hold; of secrets what is typed anew, '' = as it is. */
export type ProductValues = Pick<Product, 'title' | 'host' | 'geos' | 'time_zone' | 'notes'> & { credentials: Record<string, string> }
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
