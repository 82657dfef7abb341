import { Checkbox } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { CardsSort } from '#web/kit/table/cards-sort.tsx'
import { isSortable } from '#web/kit/table/column.ts'
import type { DataTableProps } from '#web/kit/table/table-props.ts'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { toggled } from '#web/kit/table/selection.ts'
import classes from '#web/kit/table/table-cards.module.css'

/** The same rows for a narrow screen: each a card with its title and the four most telling fields. */
export function TableCards<Row extends object>({
  rows,
  columns,
  rowKey,
  rowHref,
  rowActions,
  sort,
  onSort,
  selection,
  onSelect,
  blocked,
  label,
  stale,
  totals,
  totalsLabel,
}: DataTableProps<Row>) {
  const { t } = useTranslation('kit')
  const title = columns.find((column) => column.card === 'title') ?? columns[0]
  const on = (card: string) => columns.filter((column) => column.card === card)
  const fields = [...on('field').slice(0, 4), ...on('foot')]
  return (
    <>
      {onSort && isSortable(columns) && <CardsSort columns={columns} sort={sort} onSort={onSort} />}
      <ul className={classes.cards} aria-label={label} data-stale={stale || undefined}>
        {rows.map((row) => {
          const key = rowKey(row)
          const href = rowHref?.(row)
          return (
            <li key={key} className={classes.card} data-chosen={selection?.has(key) || undefined}>
              <div className={classes.top}>
                {selection && (
                  <Checkbox
                    size="sm"
                    disabled={blocked?.(row) !== undefined}
                    aria-label={blocked?.(row) ?? t('table.selectRow')}
                    checked={selection.has(key)}
                    onChange={() => onSelect?.(toggled(selection, key))}
                  />
                )}
                <span className={classes.title}>{href ? <Link to={href}>{title?.cell(row)}</Link> : title?.cell(row)}</span>
                {rowActions && <RowMenu actions={rowActions(row)} size="md" />}
              </div>
              <dl className={classes.fields}>
                {fields.map((column) => (
                  <div key={column.id} data-foot={column.card === 'foot' || undefined}>
                    <dt>{column.header}</dt>
                    <dd data-numeric={column.numeric || undefined}>{column.cell(row)}</dd>
                  </div>
                ))}
              </dl>
            </li>
          )
        })}
        {totals && (
          <li className={classes.card}>
            <div className={classes.title}>{totalsLabel}</div>
            <dl className={classes.fields}>
              {columns
                .filter((column) => totals[column.id] !== undefined)
                .map((column) => (
                  <div key={column.id}>
                    <dt>{column.header}</dt>
                    <dd data-numeric={column.numeric || undefined}>{totals[column.id]}</dd>
                  </div>
                ))}
            </dl>
          </li>
        )}
      </ul>
    </>
  )
}
