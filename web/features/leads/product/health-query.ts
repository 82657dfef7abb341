import { productHealthApi } from '#contract/leads/product-health.ts'
import { query } from '#web/api/query.ts'

/** The figures of one product over some days; header and figures of its page begin with the same. */
export function healthQuery(uuid: string, days = 7) {
  return query(productHealthApi.list, { body: { product_uuid: [uuid], days } }, { quiet: true })
}
