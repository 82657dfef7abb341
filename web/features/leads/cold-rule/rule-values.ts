import type { CallInput } from '#contract/endpoint.ts'
import {
  COLD_NUMBER_FIELDS,
  COLD_REFERENCE_FIELDS,
  COLD_TEXT_FIELDS,
  type ColdCondition,
  type ColdField,
} from '#contract/leads/cold-audience.ts'
import { UNSOLD_STATUSES } from '#contract/leads/lead-list.ts'
import type { coldRuleApi, ColdRuleDetail, ColdRuleNames, ColdTrigger } from '#contract/leads/cold-rule.ts'
import { typedNumber } from '#web/kit/fields/typed-number.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

export type RuleBody = CallInput<typeof coldRuleApi.create>['body']

/** When it runs, one choice of all there are. */
export const TRIGGERS = ['unsold', 'rejected_by_all', 'call_status', 'returned', 'silent', 'hours', 'daily', 'manual'] as const
type Trigger = (typeof TRIGGERS)[number]

export type ConditionValues = {
  field: ColdField
  op: string
  /** Words, or of references what they are called besides. */
  values: (string | ReferenceRow)[]
  value: string
  day: string | null
  text: string
}
export type GroupValues = { match: string; conditions: ConditionValues[] }

/** A rule as its form holds it: numbers are texts. */
export type RuleValues = {
  title: string
  trigger: { kind: string; call_statuses: string[]; days: string; hours: string; at: string; time_zone: string }
  within_days: string
  audience: { match: string; groups: GroupValues[] }
  action: { kind: string; list_uuid: string | null; template_uuid: string | null }
  per_run: string
  per_day: string
  priority: string
  stops: boolean
}

/** Of what kind the values of a field are. */
export function kindOf(field: ColdField): 'day' | 'number' | 'reference' | 'text' | 'choice' {
  if (field === 'registered') return 'day'
  if (COLD_NUMBER_FIELDS.some((one) => one === field)) return 'number'
  if (COLD_TEXT_FIELDS.some((one) => one === field)) return 'text'
  return COLD_REFERENCE_FIELDS.some((one) => one === field) ? 'reference' : 'choice'
}

const OPERATORS = {
  day: ['from', 'until'],
  number: ['at_least', 'at_most'],
  text: ['is', 'is_not', 'contains', 'contains_not'],
  choice: ['in', 'not_in'],
  reference: ['in', 'not_in'],
} as const

/** How a field may be compared. */
export function operatorsOf(field: ColdField) {
  return OPERATORS[kindOf(field)]
}

/** A condition nothing is compared with yet. */
export function blankCondition(field: ColdField): ConditionValues {
  return { field, op: operatorsOf(field)[0], values: [], value: '', day: null, text: '' }
}

/** What a new rule begins with: leads nobody took, once a day. */
export function blankRule(zone: string): RuleValues {
  return {
    title: '',
    trigger: { kind: 'daily', call_statuses: [], days: '30', hours: '6', at: '09:00', time_zone: zone },
    within_days: '90',
    audience: {
      match: 'all',
      groups: [{ match: 'all', conditions: [{ ...blankCondition('session_status'), values: [...UNSOLD_STATUSES] }] }],
    },
    action: { kind: 'list', list_uuid: null, template_uuid: null },
    per_run: '500',
    per_day: '1000',
    priority: '100',
    stops: false,
  }
}

/** What is stored, as the form holds it. */
export function valuesOfRule({ title, settings, names }: Pick<ColdRuleDetail, 'title' | 'settings' | 'names'>): RuleValues {
  const { trigger, audience, action } = settings
  const blank = blankRule(trigger.kind === 'daily' ? trigger.time_zone : 'UTC').trigger
  return {
    title,
    trigger: {
      ...blank,
      kind: trigger.kind === 'event' ? trigger.event : trigger.kind,
      ...(trigger.kind === 'call_status' && { call_statuses: trigger.call_statuses }),
      ...(trigger.kind === 'silent' && { days: String(trigger.days) }),
      ...(trigger.kind === 'hours' && { hours: String(trigger.hours) }),
      ...(trigger.kind === 'daily' && { at: trigger.at }),
    },
    within_days: String(settings.within_days),
    audience: {
      match: audience.match,
      groups: audience.groups.map(({ match, conditions }) => ({
        match,
        conditions: conditions.map((condition) => conditionValues(condition, names)),
      })),
    },
    action: {
      kind: action.kind,
      list_uuid: action.kind === 'list' ? action.list_uuid : null,
      template_uuid: action.kind === 'list' ? null : action.template_uuid,
    },
    per_run: String(settings.per_run),
    per_day: String(settings.per_day),
    priority: String(settings.priority),
    stops: settings.stops,
  }
}

function conditionValues(condition: ColdCondition, names: ColdRuleNames): ConditionValues {
  const blank = { ...blankCondition(condition.field), op: condition.op }
  if ('day' in condition) return { ...blank, day: condition.day }
  if ('value' in condition) return { ...blank, value: String(condition.value) }
  if ('text' in condition) return { ...blank, text: condition.text }
  return { ...blank, values: named(condition.field, condition.values, names) }
}

/** References with their names; without one is whoever somebody may not know. */
function named(field: ColdField, values: readonly string[], names: ColdRuleNames): (string | ReferenceRow)[] {
  if (kindOf(field) !== 'reference') return [...values]
  const known = names[field as keyof ColdRuleNames]
  return values.map((uuid) => known.find((one) => one.uuid === uuid) ?? { uuid, id: 0, name: '' })
}

/** What the form holds, as it is sent. */
export function ruleBody({ trigger, audience, action, stops, title, ...limits }: RuleValues): RuleBody {
  return {
    title,
    trigger: triggerOf(trigger),
    within_days: typedNumber(limits.within_days),
    audience: {
      match: audience.match as 'all', // one of the choices
      groups: audience.groups.map(({ match, conditions }) => ({
        match: match as 'all', // one of the choices
        conditions: conditions.map(conditionOf),
      })),
    },
    action:
      action.kind === 'list'
        ? { kind: 'list', list_uuid: action.list_uuid ?? '' }
        : { kind: action.kind as 'send', template_uuid: action.template_uuid ?? '' }, // one of the choices
    per_run: typedNumber(limits.per_run),
    per_day: typedNumber(limits.per_day),
    priority: typedNumber(limits.priority),
    stops,
  }
}

function triggerOf({ kind, call_statuses, days, hours, at, time_zone }: RuleValues['trigger']): ColdTrigger {
  switch (kind as Trigger) {
    case 'call_status':
      return { kind: 'call_status', call_statuses } as ColdTrigger // chosen of them
    case 'silent':
      return { kind: 'silent', days: typedNumber(days) }
    case 'hours':
      return { kind: 'hours', hours: typedNumber(hours) }
    case 'daily':
      return { kind: 'daily', at, time_zone }
    case 'manual':
      return { kind: 'manual' }
    default:
      return { kind: 'event', event: kind as 'unsold' } // one of the choices
  }
}

function conditionOf({ field, op, values, value, day, text }: ConditionValues): ColdCondition {
  const by = {
    day: { day: day ?? '' },
    number: { value: typedNumber(value) },
    text: { text },
    choice: { values },
    reference: { values: values.map((one) => (typeof one === 'string' ? one : one.uuid)) },
  }[kindOf(field)]
  return { field, op, ...by } as ColdCondition // what is not one the contract refuses, by its field
}
