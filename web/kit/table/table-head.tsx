import { Checkbox, Tooltip } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isSortedBy, nextSort, type Column, type SortBy } from '#web/kit/table/column.ts'
import { toggledAll, type Selection } from '#web/kit/table/selection.ts'
import classes from '#web/kit/table/data-table.module.css'

type ResizableHeader = { id: string; getResizeHandler: () => (event: unknown) => void }

type TableHeadProps<Row> = {
  columns: readonly Column<Row>[]
  headers: readonly ResizableHeader[]
  keys: readonly string[]
  sort?: SortBy | undefined
  onSort?: ((sort: SortBy) => void) | undefined
  selection?: Selection | undefined
  onSelect?: ((selection: Selection) => void) | undefined
  menu: boolean
}

/** The sticky header: sorting by click, width by dragging the right edge, all rows of the page by the box. */
export function TableHead<Row>({ columns, headers, keys, sort, onSort, selection, onSelect, menu }: TableHeadProps<Row>) {
  const { t } = useTranslation('kit')
  const chosen = selection ? keys.filter((key) => selection.has(key)).length : 0
  return (
    <thead>
      <tr>
        {selection && (
          <th className={classes.box} scope="col" data-pinned>
            <Checkbox
              size="xs"
              aria-label={t('table.selectPage')}
              disabled={keys.length === 0}
              checked={chosen > 0 && chosen === keys.length}
              indeterminate={chosen > 0 && chosen < keys.length}
              onChange={() => onSelect?.(toggledAll(selection, keys))}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            data-numeric={column.numeric || undefined}
            data-title={column.card === 'title' || undefined}
            aria-sort={ariaSort(column, sort)}
          >
            <HeaderLabel column={column} sort={sort} onSort={onSort} />
            <span className={classes.grip} aria-hidden onMouseDown={grip(headers, column.id)} onTouchStart={grip(headers, column.id)} />
          </th>
        ))}
        {menu && (
          <th className={classes.menu} scope="col" data-menu>
            <span className={classes.silent}>{t('table.actions')}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function HeaderLabel<Row>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>
  sort: SortBy | undefined
  onSort: ((sort: SortBy) => void) | undefined
}) {
  const active = isSortedBy(column, sort)
  const Arrow = active && sort?.direction === 'asc' ? IconArrowUp : IconArrowDown
  const look = {
    className: classes.label,
    'data-active': active || undefined,
    'data-hint': column.hint !== undefined || undefined,
  }
  const text = <span>{column.header}</span>
  const arrow = active && <Arrow className={classes.arrow} size={13} aria-hidden />
  const label =
    column.sort === undefined || onSort === undefined ? (
      <span {...look}>{text}</span>
    ) : (
      <button type="button" {...look} onClick={() => onSort(nextSort(column, sort))}>
        {text}
        {arrow}
      </button>
    )
  return column.hint === undefined ? (
    label
  ) : (
    <Tooltip label={column.hint} multiline maw={280} openDelay={250} events={{ hover: true, focus: true, touch: true }}>
      {label}
    </Tooltip>
  )
}

function ariaSort<Row>(column: Column<Row>, sort: SortBy | undefined): 'ascending' | 'descending' | 'none' | undefined {
  if (isSortedBy(column, sort)) return sort?.direction === 'asc' ? 'ascending' : 'descending'
  return column.sort === undefined ? undefined : 'none'
}

function grip(headers: readonly ResizableHeader[], id: string) {
  return headers.find((header) => header.id === id)?.getResizeHandler()
}
