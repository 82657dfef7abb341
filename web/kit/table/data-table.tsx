import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo, useState, type ReactNode } from 'react'
import type { Column, RowAction, SortBy } from '#web/kit/table/column.ts'
import type { Selection } from '#web/kit/table/selection.ts'
import { TableBody } from '#web/kit/table/table-body.tsx'
import { TableHead } from '#web/kit/table/table-head.tsx'
import { useColumnWidths } from '#web/kit/table/column-widths.ts'
import classes from '#web/kit/table/data-table.module.css'

// Filtering, sorting, grouping and paging are the server's work: the table shows their outcome.
const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

export type DataTableProps<Row extends object> = {
  /** Names the table for screen readers and for the remembered column widths. */
  name: string
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  sort?: SortBy
  onSort?: (sort: SortBy) => void
  selection?: Selection
  onSelect?: (selection: Selection) => void
  /** Where a click on the row and its title lead. */
  rowHref?: (row: Row) => string | undefined
  rowActions?: (row: Row) => RowAction[]
  /** Sums of the whole result by column id; they stay visible at the bottom. */
  totals?: Readonly<Record<string, ReactNode>>
  /** The rows are old and new ones are on their way. */
  stale?: boolean
}

/**
 * The one table of the panel: lists and reports both stand on it. Sticky header and totals, columns that can be dragged
 * wider, keyboard (↑ ↓ Home End, Enter opens, x selects), and only the visible rows in the document once there are many.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, totals, stale, label } = props
  // a state and not a ref: the body has to be drawn again once it knows what it scrolls in
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [widths, setWidths] = useColumnWidths(props.name)
  const definitions = useMemo(() => columns.map((column) => ({ id: column.id, size: column.width ?? 120, minSize: 56 })), [columns])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    columnResizeMode: 'onChange',
    state: { columnSizing: widths },
    onColumnSizingChange: setWidths,
  })
  const lead = props.selection ? 40 : 0
  const tail = props.rowActions ? 44 : 0
  const width = columns.reduce((sum, column) => sum + (table.getColumn(column.id)?.getSize() ?? 0), lead + tail)

  return (
    <div ref={setScroller} className={classes.scroller} data-stale={stale || undefined} tabIndex={-1}>
      <table
        className={classes.table}
        style={{ minWidth: width }}
        aria-label={label}
        aria-busy={stale || undefined}
        aria-rowcount={rows.length + 1}
      >
        <colgroup>
          {lead > 0 && <col style={{ width: lead }} />}
          {columns.map((column) => (
            <col
              key={column.id}
              style={column.grow && widths[column.id] === undefined ? undefined : { width: table.getColumn(column.id)?.getSize() }}
            />
          ))}
          {tail > 0 && <col style={{ width: tail }} />}
        </colgroup>
        <TableHead
          columns={columns}
          headers={table.getFlatHeaders()}
          sort={props.sort}
          onSort={props.onSort}
          keys={rows.map(rowKey)}
          selection={props.selection}
          onSelect={props.onSelect}
          menu={tail > 0}
        />
        <TableBody {...props} scroller={scroller} />
        {totals && (
          <tfoot>
            <tr>
              {lead > 0 && <td />}
              {columns.map((column) => (
                <td key={column.id} data-numeric={column.numeric || undefined}>
                  {totals[column.id]}
                </td>
              ))}
              {tail > 0 && <td />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
