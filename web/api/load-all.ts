import { MAX_PAGE_SIZE } from '#contract/paging.ts'
import { CallError } from './call-error.ts'
import { addDecimals, isDecimal } from './decimal.ts'

export type Totals = Record<string, string | number>
export type ListPage<Row> = {
  list: Row[]
  total?: Readonly<Record<string, unknown>>
  summary?: { rows: number }
  /** Figures of the whole result, where the server tells them: rates and estimates cannot be added up from pages. */
  whole?: Readonly<Record<string, unknown>>
  /** Of raw lists: the moment the first page was taken, and the cursor of the next one. */
  until?: string
  after?: string | null
}

/** What a page is asked by: `until` and `after` where the pages before named them, so that later ones neither skip nor repeat rows. */
export type Paging = { count: number; page: number; until?: string; after?: string }

/** Answers one page of at most `count` rows; throws when it cannot. */
export type FetchPage<Row> = (paging: Paging, signal: AbortSignal | undefined) => Promise<ListPage<Row>>

/** A run of rows, both ends counted from one and included. */
export type RowRange = { from: number; to: number }

export type LoadAll<Row> = {
  /** Loads what has not been loaded yet: everything at first, afterwards only what failed. Says how many requests failed this time. */
  run(options?: {
    signal?: AbortSignal
    onProgress?: (progress: { loaded: number; rows: number | undefined }) => void
  }): Promise<{ failed: number }>
  /** All rows so far, in order. */
  rows(): Row[]
  /** The figures of the whole result, or the numeric totals of the pages so far, added up exactly. */
  totals(): Totals
  /** The rows that are not there yet, as far as the first page told how many there are: what failed, and what was not asked for any more. */
  missing(): RowRange[]
}

/** After this many failures in a row the rest is left for a later try: the connection is gone, not one answer. */
const GIVE_UP_AFTER = 3

/**
 * The specification's list loader: pages of 100 until a page returns fewer rows than that or its status is not success.
 * A request that never got a proper answer is counted and, where the first page told how many rows there are, the pages
 * after it are loaded all the same; a second `run` asks only for what is missing.
 */
export function loadAll<Row>(fetchPage: FetchPage<Row>): LoadAll<Row> {
  const pages = new Map<number, ListPage<Row>>()
  let lastPage: number | undefined // known once a short page came

  return {
    async run({ signal, onProgress } = {}) {
      let failed = 0
      let inARow = 0
      for (let page = 1; lastPage === undefined || page <= lastPage; page++) {
        if (pages.has(page)) continue
        if (failed > 0 && page > expectedPages()) break
        try {
          const answer = await fetchPage(pagingOf(page), signal)
          pages.set(page, answer)
          inARow = 0
          if (answer.list.length < MAX_PAGE_SIZE) lastPage = page
          onProgress?.({ loaded: rowCount(), rows: expectedRows() })
        } catch (error) {
          if (signal?.aborted) throw error
          failed++
          inARow++
          if (isRefusal(error) || expectedRows() === undefined || inARow >= GIVE_UP_AFTER) break
        }
      }
      return { failed }
    },
    rows: () => inOrder().flatMap((page) => page.list),
    totals() {
      const whole = inOrder()[0]?.whole
      return whole !== undefined ? addTotals({}, whole) : inOrder().reduce<Totals>((sum, page) => addTotals(sum, page.total ?? {}), {})
    },
    missing() {
      const ranges: RowRange[] = []
      for (let page = 1; page <= expectedPages(); page++) {
        if (pages.has(page)) continue
        const [from, to] = [(page - 1) * MAX_PAGE_SIZE + 1, Math.min(page * MAX_PAGE_SIZE, expectedRows() ?? 0)]
        const last = ranges.at(-1)
        if (last?.to === from - 1) last.to = to
        else ranges.push({ from, to })
      }
      return ranges
    },
  }

  /** Behind a page that failed there is no cursor: the number of the page has to do. */
  function pagingOf(page: number): Paging {
    const until = pages.get(1)?.until
    const after = pages.get(page - 1)?.after
    return { count: MAX_PAGE_SIZE, page, ...(until && { until }), ...(after && { after }) }
  }

  function inOrder(): ListPage<Row>[] {
    return [...pages].sort(([left], [right]) => left - right).map(([, page]) => page)
  }

  function rowCount(): number {
    return inOrder().reduce((sum, page) => sum + page.list.length, 0)
  }

  function expectedRows(): number | undefined {
    return inOrder()[0]?.summary?.rows
  }

  /** Past a failed page only the expected rows say where to stop. */
  function expectedPages(): number {
    return Math.ceil((expectedRows() ?? 0) / MAX_PAGE_SIZE)
  }
}

/** Adds the numeric columns of two totals; what is no number is left out. */
export function addTotals(left: Totals, right: Readonly<Record<string, unknown>>): Totals {
  const sum: Totals = { ...left }
  for (const [name, value] of Object.entries(right)) {
    const before = sum[name]
    if (typeof value === 'number')
      sum[name] = typeof before === 'string' ? addDecimals(before, String(value)) : addNumbers(before ?? 0, value)
    else if (typeof value === 'string' && isDecimal(value)) sum[name] = addDecimals(String(before ?? '0'), value)
  }
  return sum
}

/** Numbers with decimals are added as decimals, so that 0.1 and 0.2 make 0.3. */
function addNumbers(left: number, right: number): number {
  const texts = [String(left), String(right)] as const
  return texts.every(isDecimal) ? Number(addDecimals(...texts)) : left + right
}

/** The server answered, and its answer was not success: the specification's loader ends there. */
function isRefusal(error: unknown): boolean {
  return error instanceof CallError && Object.keys(error.codes).length > 0
}
