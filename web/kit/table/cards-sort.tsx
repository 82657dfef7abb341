import { Button, Menu } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isSortedBy, nextSort, type Column, type SortBy } from '#web/kit/table/column.ts'
import classes from '#web/kit/table/table-cards.module.css'

type CardsSortProps<Row> = { columns: readonly Column<Row>[]; sort: SortBy | undefined; onSort: (sort: SortBy) => void }

/** What the headers of a table are for, where there are none: the order of the cards; the present one once more turns it round. */
export function CardsSort<Row>({ columns, sort, onSort }: CardsSortProps<Row>) {
  const { t } = useTranslation('kit')
  const sortable = columns.filter((column) => column.sort !== undefined)
  const present = sortable.find((column) => isSortedBy(column, sort))
  const arrow = sort?.direction === 'asc' ? <IconArrowUp size={14} aria-hidden /> : <IconArrowDown size={14} aria-hidden />
  return (
    <Menu position="bottom-end" shadow="md" width={240}>
      <Menu.Target>
        <Button
          className={classes.sort}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconArrowsSort size={15} aria-hidden />}
          rightSection={present && arrow}
          aria-label={present ? `${t('list.sortBy')}: ${present.header}, ${t(`list.${sort?.direction ?? 'asc'}`)}` : t('list.sortBy')}
        >
          {present?.header ?? t('list.sortBy')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        <Menu.Label>{t('list.sortBy')}</Menu.Label>
        {sortable.map((column) => (
          <Menu.Item key={column.id} onClick={() => onSort(nextSort(column, sort))} rightSection={column === present && arrow}>
            {column.header}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
