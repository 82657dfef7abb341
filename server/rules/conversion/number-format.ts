import { isMinorName, type DIALECT_NUMBERS, type DialectNumbers } from '#contract/traffic/dialect.ts'
import type { ParameterKind } from './postback-names.ts'

/** How an advertiser writes amounts, where its dialect says so. */
export type NumberFormat = Exclude<(typeof DIALECT_NUMBERS)[number], 'auto'>

/** How an amount is written: as its dialect says where it is sure to be one, else as its name says by itself. */
export function writtenAs(kind: ParameterKind, name: string, numbers: DialectNumbers | 'unsaid' | undefined): DialectNumbers | 'unsaid' {
  if (kind === 'amount' && numbers !== undefined) return numbers
  return (kind === 'amount' || kind === 'amount?') && isMinorName(name) ? 'minor' : 'auto'
}
