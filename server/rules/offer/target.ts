import type { TargetSet } from './snapshot.ts'

/** Whether a value passes an include or exclude list; no list passes everything. */
export function passesTarget(set: TargetSet | undefined, value: string): boolean {
  return !set || set.values.includes(value) === (set.mode === 'include')
}

const CONDITION = /^(.+) (>=|<|=) (\S+)$/

type Condition = { os: string; operator: '>=' | '<' | '='; version: string }

/** The parts of a condition on the version of a system, such as `Android >= 10`; null for text that is none. */
export function readVersionCondition(text: string): Condition | null {
  const [, os, operator, version] = CONDITION.exec(text) ?? []
  if (os === undefined || version === undefined || (operator !== '>=' && operator !== '<' && operator !== '=')) return null
  return { os, operator, version }
}

/**
 * Whether a system passes conditions on versions. A system no condition names passes: which systems there may be is
 * another list. Of one that is named a condition must hold (`include`), or none may (`exclude`); one that does not tell
 * its version fulfils none.
 */
export function passesVersions(set: TargetSet | undefined, os: string, version: string): boolean {
  const conditions = set?.values.map(readVersionCondition).filter((condition) => condition?.os === os) ?? []
  if (!set || conditions.length === 0) return true
  return conditions.some((condition) => condition !== null && fulfils(version, condition)) === (set.mode === 'include')
}

/** A version that may be one of several (`10/11`) fulfils what each of them does. */
function fulfils(version: string, condition: Condition): boolean {
  return version.split('/').every((one) => fulfilsAlone(one, condition))
}

function fulfilsAlone(version: string, { operator, version: limit }: Condition): boolean {
  if (operator === '=' && version === limit) return true
  const order = compareVersions(version, limit)
  return order !== null && (operator === '=' ? order === 0 : order >= 0 === (operator === '>='))
}

/** Number by number, so that 10 is above 9.3; null where one is not made of numbers. `17` is equal to `17.0`. */
function compareVersions(a: string, b: string): number | null {
  if (![a, b].every((text) => /^\d+(\.\d+)*$/.test(text))) return null
  const [left, right] = [a, b].map((text) => text.split('.').map(Number)) as [number[], number[]] // of two come two
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
