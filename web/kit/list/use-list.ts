import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import type { z } from 'zod'
import { call } from '#web/api/call.ts'
import { loadAll, type LoadAll } from '#web/api/load-all.ts'
import { query } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { addressKeys, type Filter } from '#web/kit/list/filter.ts'
import { listBody, readListUrl, unknownKeys, writeListUrl, type ListUrl } from '#web/kit/list/list-url.ts'
import { shownColumns, type Column, type SortBy } from '#web/kit/table/column.ts'
import type { Selection } from '#web/kit/table/selection.ts'
import { ChosenFirstDay } from '#web/first-day.ts'
import { useTableLayout } from '#web/kit/table/table-layout.ts'

type Sums = Readonly<Record<string, unknown>>
/** An endpoint that answers `listOf` something. */
export type ListEndpoint = Endpoint<
  z.ZodType,
  z.ZodType,
  z.ZodType,
  z.ZodType<{
    list: object[]
    total?: Sums
    summary: { rows: number; more?: boolean | undefined; since?: string | undefined; totals?: Sums }
  }>
>
export type RowOf<E extends ListEndpoint> = CallOutput<E>['list'][number]
type BodyOf<E extends ListEndpoint> = z.input<E['body']>

type ListOptions<E extends ListEndpoint> = {
  /** Names the list in how people arrange it, and its export: the feature's word. */
  name: string
  columns: readonly Column<RowOf<E>>[]
  rowKey: (row: RowOf<E>) => string
  /** The request's own order, shown while the address names none. */
  sort: SortBy
  filters: { readonly [Field in keyof BodyOf<E> | `_${string}`]?: Filter }
  /** What the request's path names, where its rows are those of one thing. */
  path?: z.input<E['params']>
  /** Fields of the request that people cannot change here, such as the offer whose conversions these are. */
  fixed?: Partial<BodyOf<E>>
  /** Turns what the filters hold into the request where a filter is no field of its own, such as days that become moments. */
  toBody?: (body: Record<string, unknown>) => Record<string, unknown>
  /** Rows the list leaves out until its filter asks for them, such as archived ones: told of where it is empty without them. */
  leftOut?: { status: string }
  /** Further names of its address: of a panel over it, of screens beside it; any other is shown as not used. undefined = the list is a part of a page whose names it cannot know. */
  otherKeys?: readonly string[]
  /** The whole result is loaded in the request's own order: in any other each page would be looked for in all of it. */
  loadedInOwnOrder?: true
  /** What others decide shows by itself: it is loaded anew when somebody looks at the page again. */
  live?: true
}

/** A list as its page sees it. */
export type List<Row extends object> = {
  name: string
  url: ListUrl
  /** Changes the address. Anything but the page itself leads back to page one. */
  go: (change: Partial<ListUrl>) => void
  filters: Readonly<Record<string, Filter>>
  filtered: boolean
  /** Names of the address that mean nothing here. */
  unknown: readonly string[]
  /** Takes such a name out of the address. */
  forget: (key: string) => void
  columns: readonly Column<Row>[]
  shown: readonly Column<Row>[]
  setShown: (ids: string[] | undefined) => void
  sort: SortBy
  rowKey: (row: Row) => string
  /** How many it leaves out are found where nothing else is, by the value of the status that shows them. */
  leftOut: { status: string; count: number } | undefined
  /** undefined until the first answer. */
  rows: readonly Row[] | undefined
  count: number
  /** `count` as it is shown: with a + where there are more than were counted. */
  counted: string
  /** Nothing older was looked through, though some may fit. */
  since: string | undefined
  totals: Sums | undefined
  stale: boolean
  error: unknown
  retry: () => void
  selection: Selection
  select: (selection: Selection) => void
  /** The rows that are chosen, also those of other pages. */
  chosen: () => Row[]
  /** Chooses the whole result; answers whether all of it could be loaded. */
  selectAll: () => Promise<boolean>
  /** What the present filters ask for, as the endpoint's body has it. */
  asked: Readonly<Record<string, unknown>>
  /** Loads the whole result with the present filters, page by page. */
  loader: () => LoadAll<Row>
}

/** What other features need of a list to do something with the chosen rows. */
export type Chosen = Pick<List<{ uuid: string }>, 'chosen' | 'select'>

/**
 * Everything a list needs but its looks: filters, sorting, page and columns in the address, the rows, the selection.
 * Types of rows and filters flow from the endpoint. Lay it out with `<ListPage>`.
 */
export function useList<E extends ListEndpoint>(endpoint: E, options: ListOptions<E>): List<RowOf<E>> {
  const { name, columns, rowKey, sort, fixed, toBody = asItIs } = options
  const filters = options.filters as Readonly<Record<string, Filter>> // an absent filter has no key
  const [search, setSearch] = useSearchParams()
  useContext(ChosenFirstDay)
  const keys = useMemo(() => Object.entries(filters).flatMap(([key, filter]) => addressKeys(key, filter)), [filters])
  const url = useMemo(() => readListUrl(search, keys), [search, keys])
  // rows are chosen out of one result: another one, however the address came to ask for it, begins with none
  const result = JSON.stringify([url.filters, url.count])
  const [chosen, choose] = useState({ result, selection: NOTHING })
  const selection = chosen.result === result ? chosen.selection : NOTHING
  const select = (rows: Selection) => choose({ result, selection: rows })
  const body = { ...toBody(listBody(url, filters)), ...fixed }
  const inputFor = (paging: { count: number; page: number }, more?: object) =>
    ({ ...(options.path !== undefined && { params: options.path }), body: { ...body, ...paging, ...more } }) as unknown as CallInput<E> // fields are checked by the server; filters are keyed by the body's own fields
  const { data, error, isPlaceholderData, refetch } = useQuery({
    ...query(endpoint, inputFor({ count: url.count, page: url.page })),
    placeholderData: keepPreviousData,
    ...(options.live && { refetchOnWindowFocus: 'always' }),
  })
  const nothing = data?.summary.rows === 0 && !isPlaceholderData && url.filters.status === undefined
  const others = useQuery({
    ...query(endpoint, inputFor({ count: 1, page: 1 }, options.leftOut && { status: [options.leftOut.status] }), { quiet: true }),
    enabled: nothing && options.leftOut !== undefined,
  })
  const [layout, arrange] = useTableLayout(name)

  // rows that were on the screen once: bulk actions need more of a chosen row than its key
  const seen = useRef(new Map<string, RowOf<E>>())
  const noteRows = (rows: readonly RowOf<E>[]) => rows.forEach((row) => seen.current.set(rowKey(row), row))
  useEffect(() => noteRows(data?.list ?? []))
  const loader = () =>
    loadAll<RowOf<E>>((paging, signal) =>
      call(endpoint, inputFor({ ...paging, ...(options.loadedInOwnOrder && OWN_ORDER) }), { signal, quiet: true }),
    )

  const go = useCallback(
    (change: Partial<ListUrl>) => {
      setSearch((before) => writeListUrl(before, { ...readListUrl(before, keys), page: 1, ...change }, keys), {
        replace: change.page === undefined,
        flushSync: true, // the next click changes what this one made; drawn later, it would undo it
      })
    },
    [keys, setSearch],
  )

  return {
    name,
    url,
    go,
    filters,
    filtered: Object.keys(url.filters).length > 0,
    unknown: options.otherKeys === undefined ? [] : unknownKeys(search, keys, options.otherKeys),
    forget: (key) =>
      setSearch((before) => new URLSearchParams([...before].filter(([name]) => name !== key)), { replace: true, flushSync: true }),
    columns,
    shown: shownColumns(columns, url.columns ?? layout.columns ?? undefined),
    setShown: (ids) => {
      arrange({ columns: ids ?? null })
      go({ columns: ids, page: url.page })
    },
    sort: { column: url.sort ?? sort.column, direction: url.direction ?? (url.sort ? 'desc' : sort.direction) },
    rowKey,
    leftOut: nothing && options.leftOut && others.data?.summary.rows ? { ...options.leftOut, count: others.data.summary.rows } : undefined,
    rows: data?.list,
    count: data?.summary.rows ?? 0,
    counted: `${integer(data?.summary.rows ?? 0)}${data?.summary.more ? '+' : ''}`,
    since: data?.summary.since,
    totals: data?.summary.totals,
    stale: isPlaceholderData,
    error: error ?? undefined,
    retry: () => void refetch(),
    selection,
    select,
    chosen: () => [...selection].flatMap((key) => seen.current.get(key) ?? []),
    selectAll: async () => {
      const all = loader()
      const { failed } = await all.run()
      if (failed > 0) return false
      noteRows(all.rows())
      select(new Set(all.rows().map(rowKey)))
      return true
    },
    asked: body,
    loader,
  }
}

const OWN_ORDER = { sort: undefined, direction: undefined }
const NOTHING: Selection = new Set()
const asItIs = (body: Record<string, unknown>) => body
