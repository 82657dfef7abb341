import type { DIALECT_NUMBERS } from '#contract/traffic/dialect.ts'

/** How an advertiser writes amounts, where its dialect says so. */
export type NumberFormat = Exclude<(typeof DIALECT_NUMBERS)[number], 'auto'>
