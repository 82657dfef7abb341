import { Skeleton } from '@mantine/core'
import { isSortable, type Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/table/data-table.module.css'

type TableSkeletonProps<Row> = { columns: readonly Column<Row>[]; label: string; rows?: number; selectable?: boolean; cards?: boolean }

/** The shape of the table that comes, so that nothing jumps when it does. */
export function TableSkeleton<Row>({ columns, label, rows = 12, selectable = false, cards = false }: TableSkeletonProps<Row>) {
  if (cards) {
    return (
      <div role="status" aria-label={label} style={{ display: 'grid', gap: 8 }}>
        {isSortable(columns) && <Skeleton height={26} width={130} ml="auto" />}
        {Array.from({ length: 5 }, (_none, row) => (
          <Skeleton key={row} height={112} radius="md" />
        ))}
      </div>
    )
  }
  return (
    <div className={classes.scroller} role="status" aria-label={label}>
      <table className={classes.table} aria-hidden style={{ minWidth: columns.reduce((sum, column) => sum + widthOf(column), 0) }}>
        <colgroup>
          {selectable && <col style={{ width: 40 }} />}
          {columns.map((column) => (
            <col key={column.id} style={{ width: widthOf(column) }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {selectable && <th />}
            {columns.map((column) => (
              <th key={column.id} data-numeric={column.numeric || undefined}>
                <span className={classes.label}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_none, row) => (
            <tr key={row}>
              {selectable && (
                <td className={classes.box}>
                  <Skeleton height={14} width={14} />
                </td>
              )}
              {columns.map((column, index) => (
                <td key={column.id}>
                  <Skeleton height={11} width={`${40 + ((row * 7 + index * 13) % 5) * 10}%`} ml={column.numeric ? 'auto' : 0} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** About what the column will have: nobody knows what its figures take. */
function widthOf<Row>({ width, numeric, whole }: Column<Row>): number {
  return width ?? (numeric ? 90 : whole ? 110 : 120)
}
