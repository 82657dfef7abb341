import type { Endpoint } from '#contract/endpoint.ts'
import type { z } from 'zod'
import { readTexts } from '#web/kit/list/text-values.ts'

export type Option = { value: string; label: string }
export type ReferenceRow = { uuid: string; id: number; name: string }
/** An endpoint that answers some rows for what was typed: at most 50 references, or values with their labels. */
export type FoundEndpoint<Row> = Endpoint<z.ZodType, z.ZodType, z.ZodType<unknown, { search?: string }>, z.ZodType<{ list: Row[] }>>
export type OptionsEndpoint = FoundEndpoint<ReferenceRow>

/** How a filter looks and which shape it sends. The key it stands under is the field of the request's body. */
export type Filter = FilterKind & {
  /** Offered in the menu of further filters until it is used. */
  rare?: true
}
type FilterKind =
  | { kind: 'search'; label: string }
  | { kind: 'choice'; label: string; options: readonly Option[]; multiple: boolean }
  | { kind: 'reference'; label: string; endpoint: OptionsEndpoint; only: object }
  | { kind: 'texts'; label: string }
  | { kind: 'text'; label: string }
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

/** A text that is one of some, or has a part; sends `{ is, contains }`. */
export const textFilter = (label: string): Filter => ({ kind: 'text', label })

/** A range of days: its key is the first day's field, `to` the last day's; both are `YYYY-MM-DD`. */
export const daysFilter = (label: string, to: string): Filter => ({ kind: 'days', label, to })

/** Turns what the URL holds for one filter into fields of the request's body; an empty filter adds none. */
export function filterBody(key: string, filter: Filter, values: readonly string[]): Record<string, unknown> {
  const [first = '', second = ''] = values
  if (filter.kind === 'days') return { ...(first && { [key]: first }), ...(second && { [filter.to]: second }) }
  if (values.length === 0 || first === '') return {}
  if (filter.kind === 'text') return { [key]: readTexts(values) }
  const single = filter.kind === 'search' || (filter.kind === 'choice' && !filter.multiple)
  return { [key]: single ? first : values }
}
