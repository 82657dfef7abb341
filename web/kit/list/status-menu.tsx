import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { List } from '#web/kit/list/use-list.ts'

type StatusMenuProps<Row extends object, Status extends string> = {
  list: List<Row>
  label: string
  statuses: readonly { value: Status; label: string }[]
  onSet: (rows: Row[], status: Status) => Promise<void>
}

/** A bulk action that gives all chosen rows one status; afterwards none is chosen any more. */
export function StatusMenu<Row extends object, Status extends string>({ list, label, statuses, onSet }: StatusMenuProps<Row, Status>) {
  return (
    <Menu position="top-start" shadow="md">
      <Menu.Target>
        <Button size="compact-sm" variant="light" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {statuses.map((status) => (
          <Menu.Item key={status.value} onClick={() => void onSet(list.chosen(), status.value).then(() => list.select(new Set()))}>
            {status.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
