import type { ReactNode } from 'react'
import type { Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/table/data-table.module.css'

type TableFootProps<Row> = {
  columns: readonly Column<Row>[]
  totals: Readonly<Record<string, ReactNode>>
  label: ReactNode
  /** Columns before and after those with a name. */
  before: number
  after: boolean
}

/** The sticky row of totals; its label stands before the first of them. */
export function TableFoot<Row>({ columns, totals, label, before, after }: TableFootProps<Row>) {
  const first = columns.findIndex((column) => totals[column.id] !== undefined)
  const free = first < 0 ? columns.length : first
  return (
    <tfoot>
      <tr>
        {before + free > 0 && (
          <th scope="row" colSpan={before + free} className={classes.total}>
            <span>{label}</span>
          </th>
        )}
        {columns.slice(free).map((column) => (
          <td key={column.id} data-numeric={column.numeric || undefined}>
            {totals[column.id]}
          </td>
        ))}
        {after && <td className={classes.menu} />}
      </tr>
    </tfoot>
  )
}
