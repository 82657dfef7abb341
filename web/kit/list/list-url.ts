import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from '#contract/paging.ts'
import { filterBody, type Filter } from '#web/kit/list/filter.ts'

export const PAGE_SIZES = [DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE] as const

const OWN_KEYS = ['page', 'count', 'sort', 'direction', 'columns'] as const

/** What the address says about a list. Absent parts are the list's defaults, so a fresh list has a clean address. */
export type ListUrl = {
  page: number
  count: number
  sort: string | undefined
  direction: 'asc' | 'desc' | undefined
  columns: string[] | undefined
  filters: Record<string, string[]>
}

/** Reads the address of a list; anything malformed falls back to the default instead of breaking a shared link. */
export function readListUrl(search: URLSearchParams, filterKeys: readonly string[]): ListUrl {
  const direction = search.get('direction')
  const filters: Record<string, string[]> = {}
  for (const key of filterKeys) {
    const values = search.getAll(key)
    if (values.some((value) => value !== '')) filters[key] = values
  }
  return {
    page: wholeNumber(search.get('page')) ?? 1,
    count: PAGE_SIZES.find((size) => String(size) === search.get('count')) ?? DEFAULT_PAGE_SIZE,
    sort: search.get('sort') ?? undefined,
    direction: direction === 'asc' || direction === 'desc' ? direction : undefined,
    columns: search.get('columns')?.split(',').filter(Boolean),
    filters,
  }
}

/** Writes the address of a list and keeps parameters that are not the list's own. */
export function writeListUrl(search: URLSearchParams, url: ListUrl, filterKeys: readonly string[]): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const key of [...filterKeys, ...OWN_KEYS]) next.delete(key)
  for (const key of filterKeys) for (const value of url.filters[key] ?? []) next.append(key, value)
  if (url.page > 1) next.set('page', String(url.page))
  if (url.count !== DEFAULT_PAGE_SIZE) next.set('count', String(url.count))
  if (url.sort) next.set('sort', url.sort)
  if (url.direction) next.set('direction', url.direction)
  if (url.columns) next.set('columns', url.columns.join(','))
  return next
}

/** What an address asks by names that neither the list nor `others` (panels over it, screens beside it) know. */
export function unknownKeys(search: URLSearchParams, filterKeys: readonly string[], others: readonly string[]): string[] {
  const known = new Set([...filterKeys, ...others, ...OWN_KEYS, 'tab'])
  return [...new Set(search.keys())].filter((key) => !known.has(key))
}

/** The filters and the sorting of an address as fields of the request's body; paging is added by whoever asks. */
export function listBody(url: ListUrl, filters: Readonly<Record<string, Filter>>): Record<string, unknown> {
  const parts = Object.entries(filters).map(([key, filter]) => filterBody(key, filter, url.filters))
  return Object.assign({}, ...parts, url.sort && { sort: url.sort }, url.direction && { direction: url.direction })
}

function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined
}
