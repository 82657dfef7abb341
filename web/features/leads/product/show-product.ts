import { productHealthApi } from '#contract/leads/product-health.ts'
import { productApi } from '#contract/leads/product.ts'

/** Endpoints whose answers show how a product stands. */
export const SHOW_PRODUCT = [productApi.list, productApi.get, productHealthApi.list]
