import { DIMENSIONS, isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import { TOLD_REFUSALS } from '#contract/traffic/refusal.ts'
import type { Parameters } from './parameters.ts'
import type { Condition, Lookups } from './plan.ts'
import type { Step } from './steps.ts'

/** What a statement reads: clicks (raw or rolled up), the facts of conversions, or those of leads. */
export type Side = 'click' | 'fact' | 'lead'

/** The columns of dimensions that are called otherwise, or follow from another column; conversion facts have the same names. */
const OTHER_COLUMNS: Readonly<Partial<Record<DimensionId, string>>> = { currency: 'offer', manager: 'affiliate', language: 'lang' }

/** The column of a click that a dimension needs; null for those of time. */
export function columnOf(dimension: DimensionId): string | null {
  return isFilter(dimension) ? (OTHER_COLUMNS[dimension] ?? dimension) : null
}

/** Whether the keys of a dimension are numbers of entities. */
export function isNumbered(dimension: DimensionId): boolean {
  return DIMENSIONS[dimension].type === 'entity'
}

export type ExpressionContext = {
  side: Side
  /** Seconds since 1970 of the moment a row counts at. */
  seconds: string
  /** First seconds of the steps of a time grouping, and the weekdays of the days, as parameters. */
  steps: (dimension: DimensionId) => { starts: string; weekdays: string }
  lookups: Lookups
  parameters: Parameters
}

/** The SQL of a dimension's key: a number for time, weekday and entities, text otherwise. */
export function keyExpression(dimension: DimensionId, context: ExpressionContext): string {
  const { parameters, lookups } = context
  switch (dimension) {
    case 'hour':
    case 'day':
    case 'week':
    case 'month':
      return `roundDown(${context.seconds}, ${context.steps(dimension).starts})`
    case 'weekday': {
      const { starts, weekdays } = context.steps(dimension)
      return `transform(roundDown(${context.seconds}, ${starts}), ${starts}, ${weekdays}, toUInt8(0))`
    }
    case 'manager':
      return transformed('affiliate', lookups.managerOf, 'Array(UInt32)', 'toUInt32(0)', parameters)
    case 'currency':
      return context.side === 'fact' ? 'toString(currency)' : transformed('offer', lookups.currencyOf, 'Array(String)', `''`, parameters)
    case 'lead_status':
      return 'status'
    case 'lead_reason':
      return 'reason'
    case 'send_outcome':
      return 'outcome'
    case 'goal':
      if (lookups.hiddenGoals.length === 0) return 'goal'
      return `if(goal IN ${parameters.add('Array(UInt32)', lookups.hiddenGoals)}, toUInt32(0), goal)`
    case 'reason':
      if (!lookups.asAffiliate) return 'reason'
      return `transform(reason, ${parameters.add('Array(String)', Object.keys(TOLD_REFUSALS))}, ${parameters.add('Array(String)', Object.values(TOLD_REFUSALS))}, toString(reason))`
    default:
      return columnOf(dimension) ?? `''`
  }
}

/** The SQL of a condition. Values travel as parameters; several conditions are alternatives. */
export function conditionExpression(condition: Condition, context: ExpressionContext): string {
  const { dimension } = condition
  const key = keyExpression(dimension, context)
  return matchExpression(key, isNumbered(dimension) ? 'Array(UInt32)' : 'Array(String)', condition, context.parameters)
}

/** The SQL of a key that is one of some values, or contains a text; or, with `not`, of any other. */
export function matchExpression(
  key: string,
  type: 'Array(UInt32)' | 'Array(String)',
  { is, contains, not }: Pick<Condition, 'is' | 'contains' | 'not'>,
  parameters: Parameters,
): string {
  const conditions: string[] = []
  if (is.length > 0) conditions.push(`${key} IN ${parameters.add(type, is)}`)
  if (contains) conditions.push(`positionCaseInsensitiveUTF8(toString(${key}), ${parameters.add('String', contains)}) > 0`)
  const found = conditions.length === 0 ? '0' : `(${conditions.join(' OR ')})`
  return not ? `NOT ${found}` : found
}

/** Seconds of the steps of days that a step list stands for, for `ExpressionContext.steps`. */
export function startsOf(steps: readonly Step[]): number[] {
  return steps.map((step) => step.start)
}

function transformed(
  column: string,
  map: ReadonlyMap<number, number | string>,
  type: 'Array(UInt32)' | 'Array(String)',
  otherwise: string,
  parameters: Parameters,
): string {
  // the engine refuses to look up in nothing
  if (map.size === 0) return otherwise
  return `transform(${column}, ${parameters.add('Array(UInt32)', [...map.keys()])}, ${parameters.add(type, [...map.values()])}, ${otherwise})`
}
