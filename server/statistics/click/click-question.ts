import type { CLICK_KINDS } from '#contract/traffic/click.ts'
import type { FilterId } from '#contract/traffic/dimension.ts'
import type { DetailFilter } from '#contract/traffic/click-column.ts'
import { conditionExpression, matchExpression, type ExpressionContext } from '../expression.ts'
import type { Parameters } from '../parameters.ts'
import type { Range } from '../period.ts'
import type { Condition, OfType, RowScope } from '../plan.ts'
import { scopeExpression, typeExpression } from '../restriction.ts'

/** Where a page ended: the sort key of its last row. */
export type ClickCursor = { at: number; affiliate: number; random: number }

/** Beside what reports know, the details of single clicks, which no roll-up holds. */
export type ClickCondition = Condition | ({ detail: DetailFilter } & Pick<Condition, 'is' | 'contains' | 'not'>)

/** By the moment, the kind, or a column; the entities behind numbers in the order of `ranks`, others last or first. */
export type ClickOrder = { by: 'at' | 'kind' | FilterId; direction: 'asc' | 'desc'; ranks: ReadonlyMap<number, number> | undefined }

export type ClickQuestion = {
  range: Range
  scope: RowScope
  /** Absent = of offers of whatever type. */
  ofType?: OfType | undefined
  conditions: readonly ClickCondition[]
  kinds: readonly (typeof CLICK_KINDS)[number][]
  /** Exactly this click, whatever the period. */
  only: ClickCursor | null
  /** The affiliate's own id, or that of an ad network, whole; '' = any. */
  foreignId: string
  after: ClickCursor | null
  /** Newest first where absent. */
  order?: ClickOrder
  limit: number
  offset: number
}

/** What raw clicks must be to answer a question. */
export function clickWhere(question: ClickQuestion, bound: Parameters): string[] {
  const { range, only } = question
  const type = typeExpression(question.ofType, bound)
  const moment = (ms: number) => `fromUnixTimestamp64Milli(${bound.add('Int64', ms)}, 'UTC')`
  return [
    ...partnerWhere(question, bound),
    ...(type === null ? [] : [type]),
    ...(only === null
      ? [`ts >= ${moment(range.from)} AND ts < ${moment(range.to)}`]
      : [`affiliate = ${bound.add('UInt32', only.affiliate)} AND ts = ${moment(only.at)} AND rnd = ${bound.add('UInt32', only.random)}`]),
    ...(question.foreignId === '' ? [] : [`${bound.add('String', question.foreignId)} IN (aff_click_id, ad_id)`]),
    `(${kindCondition(question.kinds)})`,
  ]
}

/** The scope and the filters of a question: all that does not look at the time and the kind. */
export function partnerWhere({ scope, conditions }: Pick<ClickQuestion, 'scope' | 'conditions'>, bound: Parameters): string[] {
  const expressions: ExpressionContext = {
    side: 'click',
    seconds: 'toUnixTimestamp(ts)',
    steps: () => ({ starts: '[]', weekdays: '[]' }),
    lookups: { managerOf: new Map(), currencyOf: new Map(), hiddenGoals: [], leadGoals: [], asAffiliate: scope.kind === 'affiliate' },
    parameters: bound,
  }
  const scoped = scopeExpression(scope, bound)
  const conditionOf = (condition: ClickCondition) =>
    'detail' in condition
      ? matchExpression(condition.detail, 'Array(String)', condition, bound)
      : conditionExpression(condition, expressions)
  return [...(scoped === null ? [] : [scoped]), ...conditions.map(conditionOf)]
}

/** What rows of a kind are. */
export const KIND_CONDITIONS = {
  counted: `bitAnd(flags, 15) = 0 AND reason = ''`,
  refused: `bitAnd(flags, 15) = 0 AND reason != ''`,
  filtered: 'bitAnd(flags, 8) = 0 AND bitAnd(flags, 7) != 0',
  test: 'bitAnd(flags, 8) != 0',
} as const

function kindCondition(kinds: ClickQuestion['kinds']): string {
  if (kinds.length === 0) return '0'
  // both together need not look at the reason
  if (kinds.includes('counted') && kinds.includes('refused'))
    return [
      'bitAnd(flags, 15) = 0',
      ...kinds.filter((kind) => kind !== 'counted' && kind !== 'refused').map((kind) => KIND_CONDITIONS[kind]),
    ].join(' OR ')
  return kinds.map((kind) => KIND_CONDITIONS[kind]).join(' OR ')
}
