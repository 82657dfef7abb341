import { Checkbox } from '@mantine/core'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useNavigate } from 'react-router'
import type { Column, RowAction } from '#web/kit/table/column.ts'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import classes from '#web/kit/table/data-table.module.css'

type TableRowProps<Row> = {
  row: Row
  rowKey: string
  index: number
  columns: readonly Column<Row>[]
  chosen: boolean | undefined
  onChoose: ((key: string, range: boolean) => void) | undefined
  /** Why it cannot be chosen. */
  blocked: string | undefined
  focusable: boolean
  onFocus: (key: string) => void
  /** Moves the focus to another row; answers whether the key was one for that. */
  onMove: (event: KeyboardEvent<HTMLTableRowElement>) => boolean
  href: string | undefined
  actions: ((row: Row) => RowAction[]) | undefined
}

/** One row. Only one row of a table is in the tab order; the arrow keys move from it. */
export function TableRow<Row>({
  row,
  rowKey,
  index,
  columns,
  chosen,
  onChoose,
  blocked,
  focusable,
  onFocus,
  onMove,
  href,
  actions,
}: TableRowProps<Row>) {
  const { t } = useTranslation('kit')
  const navigate = useNavigate()

  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' && href) void navigate(href)
    else if ((event.key === 'x' || event.key === 'X') && onChoose && blocked === undefined) onChoose(rowKey, event.shiftKey)
    else if (!onMove(event)) return
    event.preventDefault()
  }

  const onClick = (event: MouseEvent<HTMLTableRowElement>) => {
    if (!href || isControl(event.target) || window.getSelection()?.toString()) return
    if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener')
    else void navigate(href)
  }

  return (
    <tr
      data-index={index}
      data-row={rowKey}
      aria-rowindex={index + 2}
      data-chosen={chosen || undefined}
      data-opens={href ? true : undefined}
      tabIndex={focusable ? 0 : -1}
      onFocus={() => onFocus(rowKey)}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {onChoose && (
        <td className={classes.box} data-pinned title={blocked}>
          <Checkbox
            size="xs"
            tabIndex={-1}
            disabled={blocked !== undefined}
            aria-label={blocked ?? t('table.selectRow')}
            checked={chosen ?? false}
            onClick={(event) => {
              event.stopPropagation()
              onChoose(rowKey, event.shiftKey)
            }}
            onChange={() => {}}
          />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.id}
          data-numeric={column.numeric || undefined}
          data-wrap={column.wrap || undefined}
          data-title={column.card === 'title' || undefined}
        >
          {column.card === 'title' && href ? (
            <Link to={href} className={classes.title} tabIndex={-1}>
              {column.cell(row)}
            </Link>
          ) : (
            column.cell(row)
          )}
        </td>
      ))}
      {actions && (
        <td className={classes.menu}>
          <RowMenu actions={actions(row)} />
        </td>
      )}
    </tr>
  )
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [role=menu], [data-portal]') !== null
}
