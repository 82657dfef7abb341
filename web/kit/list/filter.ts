import type { Endpoint } from '#contract/endpoint.ts'
import type { z } from 'zod'
import { PERIOD_KEYS, periodBody, readPeriod, readZone } from '#web/kit/list/asked-period.ts'
import { askedOf, conditionKeys, type Held } from '#web/kit/list/condition.ts'
import type { AskedPeriod } from '#web/period.ts'

export type Option = { value: string; label: string }
export type ReferenceRow = { uuid: string; id: number; name: string }
/** An endpoint that answers some rows for what was typed: at most 50 references, or values with their labels. */
export type FoundEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType<unknown, { search?: string }>, z.ZodType<{ list: Row[] }>>
export type OptionsEndpoint = FoundEndpoint<ReferenceRow>

/** How a filter looks and which shape it sends. The key it stands under is the field of the request's body. */
export type Filter = FilterKind & {
  /** Offered in the menu of further filters until it is used. */
  rare?: true
  /** Belongs to a screen beside this one: what an address asks by it is shown as not used here. */
  foreign?: true
}
/** Something that rows are compared with: one or some of its values, none of them, a part of one, or none at all. */
export type ConditionFilter = {
  kind: 'condition'
  label: string
  /** The heading it stands under in the menu. */
  group: string
  values: ValueSource
  /** Whether a part of a value can be asked for. */
  partly: boolean
}
/** Where the values of a condition come from; `find` answers those a text is found in. */
export type ValueSource =
  | Extract<FilterKind, { kind: 'choice' | 'reference' | 'texts' }>
  | { kind: 'found'; find: (search: string) => { queryKey: readonly unknown[]; queryFn: () => Promise<Option[]> } }
type FilterKind =
  | { kind: 'search'; label: string }
  | { kind: 'choice'; label: string; options: readonly Option[]; multiple: boolean }
  | { kind: 'reference'; label: string; endpoint: OptionsEndpoint; only: object }
  | { kind: 'texts'; label: string }
  | { kind: 'period'; label: string; usual: AskedPeriod | null }
  | ConditionFilter
  | { kind: 'days'; label: string; to: string }

/** A text to look for; it stands first and is typed into, all others are chosen from a menu. */
export const searchFilter = (label: string): Filter => ({ kind: 'search', label })

/** Any of a few known values; sends an array, or one value when `multiple` is false. */
export const choiceFilter = (label: string, options: readonly Option[], multiple = true): Filter => ({
  kind: 'choice',
  label,
  options,
  multiple,
})

/** People or things found by typing; sends their uuids. `only` narrows what the endpoint answers. */
export const referenceFilter = <Of extends OptionsEndpoint>(
  label: string,
  endpoint: Of,
  only: Partial<z.input<Of['body']>> = {},
): Filter => ({
  kind: 'reference',
  label,
  endpoint,
  only,
})

/** Free words such as tags; sends an array. */
export const textsFilter = (label: string): Filter => ({ kind: 'texts', label })

/** A range of days: its key is the first day's field, `to` the last day's; both are `YYYY-MM-DD`. */
export const daysFilter = (label: string, to: string): Filter => ({ kind: 'days', label, to })

/** A period and the zone of its days, as statistics have them; sends both. `usual` is meant while the address names none, null = whenever. */
export const periodFilter = (label: string, usual: AskedPeriod | null): Filter => ({ kind: 'period', label, usual })

/** What a filter stands under in an address: its key, or, where it compares, what its key names (`_city`) behind each operator. */
export function addressKeys(key: string, filter: Filter): string[] {
  if (filter.kind === 'period') return [...PERIOD_KEYS]
  return filter.kind === 'condition' ? conditionKeys(key.slice(1)) : [key]
}

/** Turns what the URL holds for one filter into fields of the request's body; an empty filter adds none. */
export function filterBody(key: string, filter: Filter, held: Held): Record<string, unknown> {
  if (filter.foreign) return {}
  if (filter.kind === 'condition') {
    const asked = askedOf(key.slice(1), held)
    return asked === undefined ? {} : { [key]: asked }
  }
  if (filter.kind === 'period') {
    const period = readPeriod(held) ?? filter.usual
    return { ...(period && { period: periodBody(period) }), ...(readZone(held) !== null && { zone: readZone(held) }) }
  }
  const values = held[key] ?? []
  const [first = '', second = ''] = values
  if (filter.kind === 'days') return { ...(first && { [key]: first }), ...(second && { [filter.to]: second }) }
  if (values.length === 0 || first === '') return {}
  const single = filter.kind === 'search' || (filter.kind === 'choice' && !filter.multiple)
  return { [key]: single ? first : values }
}
