import { columnResizingFeature, columnSizingFeature, tableFeatures, useTable } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { DataTableProps } from '#web/kit/table/table-props.ts'
import { NARROWEST } from '#web/kit/table/column-widths.ts'
import { TableBody } from '#web/kit/table/table-body.tsx'
import { TableFoot } from '#web/kit/table/table-foot.tsx'
import { TableHead } from '#web/kit/table/table-head.tsx'
import { useTableLayout } from '#web/kit/table/table-layout.ts'
import { useColumnWidths } from '#web/kit/table/use-column-widths.ts'
import { useEdges } from '#web/kit/table/use-edges.ts'
import classes from '#web/kit/table/data-table.module.css'

// Filtering, sorting, grouping and paging are the server's work: the table shows their outcome.
const features = tableFeatures({ columnSizingFeature, columnResizingFeature })

/**
 * The one table of the panel: lists and reports both stand on it. Columns as wide as what they hold, that can be dragged wider;
 * sticky header, totals, title and menu, with a shadow where others go under; keyboard (↑ ↓ Home End, Enter opens, x selects), and only the visible rows in the document once there are many.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { columns, rows, rowKey, totals, stale, label } = props
  // a state and not a ref: the body has to be drawn again once it knows what it scrolls in
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [{ widths: dragged }, arrange] = useTableLayout(props.name)
  const lead = props.selection ? 40 : 0
  const tail = props.rowActions ? 44 : 0
  const widths = useColumnWidths(scroller, props, dragged, lead + tail)
  const widthOf = (id: string) => widths[id] ?? 0
  // a drag begins at what is on the screen
  const definitions = useMemo(() => columns.map(({ id }) => ({ id, size: widths[id] ?? 0, minSize: NARROWEST })), [columns, widths])
  const data = useMemo(() => [...rows], [rows])
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    columnResizeMode: 'onChange',
    state: { columnSizing: dragged },
    onColumnSizingChange: (change) => arrange({ widths: whole(typeof change === 'function' ? change(dragged) : change) }),
  })
  const width = columns.reduce((sum, column) => sum + widthOf(column.id), lead + tail)
  const title = columns.find((column) => column.card === 'title')
  // what stays in place leaves at least half of the room to what is scrolled
  const pinned = title && lead + widthOf(title.id) + tail <= (scroller?.clientWidth ?? 0) / 2
  useEdges(scroller)

  return (
    <div className={classes.frame}>
      <div ref={setScroller} className={classes.scroller} data-stale={stale || undefined} tabIndex={-1}>
        <table
          className={classes.table}
          style={{ minWidth: width }}
          data-pinned={pinned || undefined}
          aria-label={label}
          aria-busy={stale || undefined}
          aria-rowcount={rows.length + 1}
        >
          <colgroup>
            {lead > 0 && <col style={{ width: lead }} />}
            {columns.map((column) => (
              <col key={column.id} style={{ width: widthOf(column.id) }} />
            ))}
            {tail > 0 && <col style={{ width: tail }} />}
          </colgroup>
          <TableHead
            columns={columns}
            headers={table.getFlatHeaders()}
            sort={props.sort}
            onSort={props.onSort}
            keys={rows.filter((row) => props.blocked?.(row) === undefined).map(rowKey)}
            selection={props.selection}
            onSelect={props.onSelect}
            menu={tail > 0}
          />
          <TableBody {...props} scroller={scroller} />
          {totals && <TableFoot columns={columns} totals={totals} label={props.totalsLabel} before={lead > 0 ? 1 : 0} after={tail > 0} />}
        </table>
      </div>
    </div>
  )
}

/** Widths as they are kept: a drag makes fractions, and knows no end. */
function whole(widths: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(widths).map(([id, width]) => [id, Math.round(Math.min(2000, Math.max(NARROWEST, width)))]))
}
