import type { ReactNode } from 'react'
import type { Column, RowAction, SortBy } from '#web/kit/table/column.ts'
import type { Selection } from '#web/kit/table/selection.ts'

/** What a table and its cards on a phone both take. */
export type DataTableProps<Row extends object> = {
  /** Names the table for screen readers and in how people arrange tables. */
  name: string
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  sort?: SortBy
  onSort?: (sort: SortBy) => void
  selection?: Selection
  onSelect?: (selection: Selection) => void
  /** Why a row cannot be chosen; undefined where it can. */
  blocked?: ((row: Row) => string | undefined) | undefined
  /** Where a click on the row and its title lead. */
  rowHref?: (row: Row) => string | undefined
  rowActions?: (row: Row) => RowAction[]
  /** Sums of the whole result by column id; they stay visible at the bottom. */
  totals?: Readonly<Record<string, ReactNode>> | undefined
  /** What they are sums of: "Total of 1,284". */
  totalsLabel?: ReactNode
  /** The rows are old and new ones are on their way. */
  stale?: boolean
}
