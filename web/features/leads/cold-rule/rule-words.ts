import type { ColdAudience, ColdCondition } from '#contract/leads/cold-audience.ts'
import {
  COLD_RULE_SKIPS,
  type ColdRuleNames,
  type ColdRuleSettings,
  type ColdRuleSkip,
  type ColdTrigger,
} from '#contract/leads/cold-rule.ts'
import { countryName, day, integer } from '#web/format.ts'
import type { Words } from '#web/kit/status/status-look.ts'

const list = (values: readonly string[], t: Words, of: string) => values.map((value) => t(`userSession:${of}.${value}`)).join(', ')

/** When a rule runs. */
export function triggerWords(trigger: ColdTrigger, t: Words): string {
  switch (trigger.kind) {
    case 'event':
      return t(`trigger.${trigger.event}`)
    case 'call_status':
      return t('trigger.call_statusOf', { statuses: list(trigger.call_statuses, t, 'call') })
    case 'silent':
      return t('trigger.silentFor', { count: trigger.days })
    case 'hours':
      return t('trigger.everyHours', { count: trigger.hours })
    case 'daily':
      return t('trigger.dailyAt', { at: trigger.at, zone: trigger.time_zone.replaceAll('_', ' ') })
    case 'manual':
      return t('trigger.manual')
  }
}

/** Whom it takes: groups apart, and in them conditions. */
export function audienceWords({ match, groups }: ColdAudience, names: ColdRuleNames, t: Words): string {
  if (groups.length === 0) return t('audience.everybody')
  const parts = groups.map((group) => {
    const said = group.conditions.map((condition) => conditionWords(condition, names, t)).join(t(`audience.${group.match}Joins`))
    return groups.length > 1 && group.conditions.length > 1 ? `(${said})` : said
  })
  return parts.join(t(`audience.${match}Joins`))
}

/** One thing it asks. */
export function conditionWords(condition: ColdCondition, names: ColdRuleNames, t: Words): string {
  const [field, value] = [fieldWords(condition.field, t), valueWords(condition, names, t)]
  // of several values “is” would read as all of them
  return 'values' in condition ? t(`said.${condition.op}`, { field, value }) : `${field} ${t(`op.${condition.op}`)} ${value}`
}

/** What a field is called; ten of them only count. */
export function fieldWords(field: ColdCondition['field'], t: Words): string {
  return field.startsWith('sub') ? t('field.sub', { number: field.slice(3) }) : t(`field.${field}`)
}

function valueWords(condition: ColdCondition, names: ColdRuleNames, t: Words): string {
  if ('day' in condition) return day(condition.day)
  if ('value' in condition) return integer(condition.value)
  if ('text' in condition) return t('quoted', { text: condition.text })
  const { field } = condition
  const known: readonly { uuid: string; name: string }[] | undefined = field in names ? names[field as keyof ColdRuleNames] : undefined
  if (known !== undefined)
    return condition.values.map((uuid) => known.find((one) => one.uuid === uuid)?.name ?? t('somebodyUnknown')).join(' / ')
  return condition.values.map((value) => choiceWords(field, value, t)).join(' / ')
}

/** What a choice of a field is called. */
export function choiceWords(field: ColdCondition['field'], value: string, t: Words): string {
  if (value === 'none') return t('none')
  switch (field) {
    case 'country':
      return countryName(value)
    case 'session_status':
      return t(`userSession:status.${value}`)
    case 'call_status':
      return t(`userSession:call.${value}`)
    case 'gender':
      return t(`userSession:gender.${value}`)
    case 'device':
      return t(`userSession:deviceKind.${value}`, { defaultValue: value })
    case 'conversion_status':
      return t(`conversion:status.${value}`)
    case 'integration_type':
      return t(`kind.${value}`)
    default:
      return value
  }
}

/** What it does with them. */
export function actionWords({ action }: Pick<ColdRuleSettings, 'action'>, names: ColdRuleNames, t: Words): string {
  if (action.kind === 'list')
    return t('action.listOf', { name: names.list.find(({ uuid }) => uuid === action.list_uuid)?.name ?? t('somebodyUnknown') })
  return t(`action.${action.kind}Of`, {
    name: names.template.find(({ uuid }) => uuid === action.template_uuid)?.name ?? t('somebodyUnknown'),
  })
}

/** Why people are not taken, those reasons that hold for somebody. */
export function skippedWords(skipped: Partial<Record<ColdRuleSkip, number>>, t: Words): string {
  return COLD_RULE_SKIPS.flatMap((reason) => {
    const people = skipped[reason] ?? 0
    return people === 0 ? [] : [`${t(`skip.${reason}`)} ${integer(people)}`]
  }).join(' · ')
}

/** How many were not taken for whatever reason. */
export function skippedOf(skipped: Partial<Record<ColdRuleSkip, number>>): number {
  return Object.values(skipped).reduce((sum, people) => sum + people, 0)
}
