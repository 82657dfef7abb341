import { Button, Checkbox, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Column } from '#web/kit/table/column.ts'
import classes from '#web/kit/list/list.module.css'

type ColumnMenuProps<Row> = { columns: readonly Column<Row>[]; shown: readonly Column<Row>[]; onShown: (ids: string[] | undefined) => void }

/** Which columns the table shows; remembered in the address and in this browser. */
export function ColumnMenu<Row>({ columns, shown, onShown }: ColumnMenuProps<Row>) {
  const { t } = useTranslation('kit')
  const groups = [...new Set(columns.map(({ group = '' }) => group))]
  const grouped = groups.length > 1
  const toggle = (column: Column<Row>) =>
    onShown(columns.filter((one) => (one === column ? !shown.includes(one) : shown.includes(one))).map((one) => one.id))
  return (
    <Popover position="bottom-end" shadow="md" width={grouped ? 620 : 240} trapFocus>
      <Popover.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<IconColumns3 size={15} aria-hidden />}>
          {t('list.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        <div className={classes.columns}>
          <div className={grouped ? classes.grouped : undefined}>
            {groups.map((group) => (
              <div key={group} role={grouped ? 'group' : undefined} aria-label={group || undefined} className={classes.columnGroup}>
                {grouped && <span className={classes.groupName}>{group}</span>}
                {columns
                  .filter((column) => (column.group ?? '') === group)
                  .map((column) => (
                    <Checkbox
                      key={column.id}
                      size="xs"
                      label={column.header}
                      checked={shown.includes(column)}
                      disabled={column.card === 'title'}
                      onChange={() => toggle(column)}
                    />
                  ))}
              </div>
            ))}
          </div>
        </div>
        <Button variant="subtle" size="compact-sm" onClick={() => onShown(undefined)}>
          {t('list.columnsReset')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  )
}
