import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { List } from '#web/kit/list/use-list.ts'

type BulkMenuProps<Row extends object, Value extends string> = {
  list: List<Row>
  label: string
  options: readonly { value: Value; label: string }[]
  /** Answers false when it was not done after all. */
  onChoose: (rows: Row[], value: Value) => Promise<unknown>
}

/** A bulk action that gives all chosen rows one value; once it is done none is chosen any more. */
export function BulkMenu<Row extends object, Value extends string>({ list, label, options, onChoose }: BulkMenuProps<Row, Value>) {
  return (
    <Menu position="top-start" shadow="md">
      <Menu.Target>
        <Button size="compact-sm" variant="light" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(({ value, label: name }) => (
          <Menu.Item
            key={value}
            onClick={() => void onChoose(list.chosen(), value).then((done) => done !== false && list.select(new Set()))}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
