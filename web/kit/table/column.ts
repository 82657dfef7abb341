import type { ReactNode } from 'react'

/** One column of a table, written in the feature as plain JSX. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  /** The server's name of this column for sorting; without it the header is not a button. */
  sort?: string
  /** Right-aligned with tabular figures, and never cut. */
  numeric?: boolean
  /** Never cut, as badges, ids and times are not; other texts end in "…" where there is no room for them. */
  whole?: boolean
  /** A text that runs on to further lines instead of ending in “…”. Not for tables that show 150 rows at once, which count on their height. */
  wrap?: boolean
  /** Pixels a text has before the table scrolls sideways; 120 when absent. It takes no more than it needs, and more where there is room. */
  width?: number
  /** Off until somebody turns it on. */
  hidden?: boolean
  /** `title` names the row: it is the link to it, always shown, and the heading of its card. The first four `field`s stand on the card, and after them a `foot`: what can be done. */
  card?: 'title' | 'field' | 'foot'
  /** The heading it stands under where columns are chosen. */
  group?: string
  /** What a figure means, on hover of its header. */
  hint?: string
  /** The plain value in an export; a column without it is not exported. */
  csv?: (row: Row) => string | number | null | undefined
  /** Name of the sum in `total`, of a page, that belongs under this column in an export. */
  total?: string
  /** What stands beneath the column, out of the totals of the whole result. */
  sum?: (totals: Readonly<Record<string, unknown>>) => ReactNode
}

export type SortBy = { column: string; direction: 'asc' | 'desc' }

/** One entry of a row's menu. Absent actions are simply not in the array, so that a menu never shows what cannot be done. */
export type RowAction = {
  /** Its own within the menu, whatever the language. */
  id: string
  label: string
  icon?: ReactNode
  onClick: () => void
  danger?: boolean
  /** Shown, though it cannot be done yet. */
  disabled?: boolean
  /** Why it cannot be done yet, and what to do, said by its button in the open. */
  why?: string
}

/** The columns to show, in order: those asked for by id, else all that are not hidden. The title is always among them. */
export function shownColumns<Row>(columns: readonly Column<Row>[], ids: readonly string[] | undefined): Column<Row>[] {
  if (ids === undefined) return columns.filter((column) => !column.hidden)
  const asked = ids.flatMap((id) => columns.find((column) => column.id === id) ?? [])
  const forgotten = columns.filter((column) => column.card === 'title' && !asked.includes(column))
  return asked.length === 0 ? columns.filter((column) => !column.hidden) : [...forgotten, ...asked]
}

/** The first click sorts figures from the top and words from A, the next one the other way round. */
export function nextSort<Row>(column: Column<Row>, sort: SortBy | undefined): SortBy {
  const name = column.sort ?? column.id
  if (sort?.column === name) return { column: name, direction: sort.direction === 'asc' ? 'desc' : 'asc' }
  return { column: name, direction: column.numeric ? 'desc' : 'asc' }
}

/** A list in a fixed order names the column it follows, though nobody can sort by it. */
export function isSortedBy<Row>(column: Column<Row>, sort: SortBy | undefined): boolean {
  return sort?.column === (column.sort ?? column.id)
}

/** Whether there is more than one order to choose from. */
export function isSortable<Row>(columns: readonly Column<Row>[]): boolean {
  return columns.filter((column) => column.sort !== undefined).length > 1
}
