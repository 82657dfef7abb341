import type { DimensionId } from '#contract/traffic/dimension.ts'
import type { AskedOf } from '#contract/traffic/report.ts'
import { isNumbered } from './expression.ts'
import type { Condition } from './plan.ts'

/** Numbers of entities, words otherwise. */
export type Keys = readonly (number | string)[]

/**
 * A filter as what rows must be and what they must not be. `nothing` are the keys that count as empty, `keys` what its values
 * stand for: where it asks for what nobody may know, no row is left.
 */
export function conditionsFor(
  asked: AskedOf,
  nothing: Keys,
  keys: Record<'is' | 'not', Keys> = asked,
): Pick<Condition, 'is' | 'contains' | 'not'>[] {
  const { contains, empty } = asked
  const unwanted = empty === false ? [...keys.not, ...nothing] : keys.not
  return [
    ...(asked.is.length > 0 || contains !== '' || empty === true
      ? [{ is: empty === true ? [...keys.is, ...nothing] : keys.is, contains }]
      : []),
    ...(unwanted.length > 0 ? [{ is: unwanted, not: true as const }] : []),
  ]
}

/** Whether a filter asks for anything. */
export function isUsed({ is, not, contains, empty }: AskedOf): boolean {
  return is.length > 0 || not.length > 0 || contains !== '' || empty !== null
}

/** The keys of a dimension that say nothing: no entity, no text, a code for what nobody knows. */
export function emptyKeys(dimension: DimensionId): (number | string)[] {
  if (isNumbered(dimension)) return [0]
  if (dimension === 'geo') return ['ZZ']
  return dimension === 'device' || dimension === 'connection' ? ['', 'unknown'] : ['']
}
