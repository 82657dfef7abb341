import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useLayoutEffect, useMemo, useState } from 'react'
import type { DataTableProps } from '#web/kit/table/table-props.ts'
import { useRemembered } from '#web/kit/remembered.ts'
import { TableBody } from '#web/kit/table/table-body.tsx'
import { TableHead } from '#web/kit/table/table-head.tsx'
import classes from '#web/kit/table/data-table.module.css'

// Filtering, sorting, grouping and paging are the server's work: the table shows their outcome.
const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

/**
 * The one table of the panel: lists and reports both stand on it. Sticky header and totals, columns that can be dragged
 * wider, keyboard (↑ ↓ Home End, Enter opens, x selects), and only the visible rows in the document once there are many.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, totals, stale, label } = props
  // a state and not a ref: the body has to be drawn again once it knows what it scrolls in
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [widths = NO_WIDTHS, setWidths] = useRemembered(`widths.${props.name}`, isWidths)
  const definitions = useMemo(() => columns.map((column) => ({ id: column.id, size: column.width ?? 120, minSize: 56 })), [columns])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    columnResizeMode: 'onChange',
    state: { columnSizing: widths },
    onColumnSizingChange: (change) => setWidths(typeof change === 'function' ? change(widths) : change),
  })
  const lead = props.selection ? 40 : 0
  const tail = props.rowActions ? 44 : 0
  const needed = useFigureWidths(scroller, props)
  const sizeOf = (id: string) => Math.max(table.getColumn(id)?.getSize() ?? 0, needed[id] ?? 0)
  const width = columns.reduce((sum, column) => sum + sizeOf(column.id), lead + tail)

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
            <col key={column.id} style={column.grow && widths[column.id] === undefined ? undefined : { width: sizeOf(column.id) }} />
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

/** The widths that columns of figures need beyond their own, by id: a figure that is cut reads as another one. */
function useFigureWidths<Row extends object>(scroller: HTMLElement | null, { columns, rows, totals, selection }: DataTableProps<Row>) {
  const [needed, setNeeded] = useState(NO_WIDTHS)
  useLayoutEffect(() => {
    const wider: Widths = {}
    for (const cell of scroller?.querySelectorAll<HTMLTableCellElement>('td[data-numeric]') ?? []) {
      const id = columns[cell.cellIndex - (selection ? 1 : 0)]?.id
      if (id === undefined || cell.scrollWidth <= cell.clientWidth) continue
      wider[id] = Math.max(wider[id] ?? 0, cell.scrollWidth + PADDING)
    }
    // what a figure takes is known only once it is laid out; the next pass finds nothing more
    // oxlint-disable-next-line react/set-state-in-effect
    if (Object.keys(wider).length > 0) setNeeded((before) => ({ ...before, ...wider }))
  }, [scroller, columns, rows, totals, selection])
  return needed
}

/** What scrollWidth leaves out of a cell: the space behind its text. */
const PADDING = 10

type Widths = Record<string, number>
const NO_WIDTHS: Widths = {}

function isWidths(value: unknown): value is Widths {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((width) => typeof width === 'number' && width >= 40 && width <= 2000)
  )
}
