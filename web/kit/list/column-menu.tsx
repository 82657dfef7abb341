import { Button, Checkbox, Popover, TextInput } from '@mantine/core'
import { IconColumns3, IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ColumnOrder } from '#web/kit/list/column-order.tsx'
import type { Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/list/list.module.css'

type ColumnMenuProps<Row> = { columns: readonly Column<Row>[]; shown: readonly Column<Row>[]; onShown: (ids: string[] | undefined) => void }

/** From so many columns on they are searched. */
const MANY = 12

/** Which columns the table shows, and in which order; remembered in the address and for the person. */
export function ColumnMenu<Row>({ columns, shown, onShown }: ColumnMenuProps<Row>) {
  const { t } = useTranslation('kit')
  const [search, setSearch] = useState('')
  const groups = [...new Set(columns.map(({ group = '' }) => group))]
  const grouped = groups.length > 1
  const show = (some: readonly Column<Row>[]) => onShown(some.map(({ id }) => id))
  const isFound = ({ header }: Column<Row>) => header.toLocaleLowerCase().includes(search.trim().toLocaleLowerCase())
  const found = columns.filter(isFound)
  const figures = columns.filter(({ numeric, card }) => numeric || card === 'title')
  return (
    <Popover position="bottom-end" shadow="md" width={grouped ? 620 : 420} trapFocus onClose={() => setSearch('')}>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconColumns3 size={15} aria-hidden />}>
          {t('list.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <div className={classes.presets}>
          <Button variant="default" size="compact-sm" onClick={() => onShown(undefined)}>
            {t('list.columnsReset')}
          </Button>
          {figures.length > 3 && (
            <Button variant="default" size="compact-sm" onClick={() => show(figures)}>
              {t('list.columnsFigures')}
            </Button>
          )}
          <Button variant="default" size="compact-sm" onClick={() => show(columns)}>
            {t('list.columnsAll')}
          </Button>
          {columns.length >= MANY && (
            <TextInput
              className={classes.columnSearch}
              size="xs"
              leftSection={<IconSearch size={14} aria-hidden />}
              aria-label={t('list.columnSearch')}
              placeholder={t('list.columnSearch')}
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
            />
          )}
        </div>
        <ColumnOrder shown={shown} onOrder={show} />
        <div className={classes.columns}>
          {found.length === 0 && <span className={classes.nothing}>{t('list.columnsNone')}</span>}
          <div className={classes.grouped} data-many={grouped || undefined}>
            {groups
              .filter((group) => found.some((column) => (column.group ?? '') === group))
              .map((group) => (
                <div key={group} role={grouped ? 'group' : undefined} aria-label={group || undefined} className={classes.columnGroup}>
                  {grouped && <span className={classes.groupName}>{group}</span>}
                  {found
                    .filter((column) => (column.group ?? '') === group)
                    .map((column) => (
                      <Checkbox
                        key={column.id}
                        size="xs"
                        label={column.header}
                        checked={shown.includes(column)}
                        disabled={column.card === 'title'}
                        onChange={() => show(toggledColumn(columns, shown, column))}
                      />
                    ))}
                </div>
              ))}
          </div>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

/** Without the column, or with it: at its own place while all stand in theirs, at the end once somebody moved one. */
function toggledColumn<Row>(columns: readonly Column<Row>[], shown: readonly Column<Row>[], column: Column<Row>): Column<Row>[] {
  if (shown.includes(column)) return shown.filter((one) => one !== column)
  const places = shown.map((one) => columns.indexOf(one))
  const usual = places.every((place, index) => index === 0 || place > (places[index - 1] ?? 0))
  return usual ? columns.filter((one) => one === column || shown.includes(one)) : [...shown, column]
}
