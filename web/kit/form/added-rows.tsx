import { ActionIcon, Button, Group } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type RowsProps = {
  add: string
  remove: string
  count: number
  onAdd: () => void
  onRemove: (at: number) => void
  children: (at: number) => ReactNode
}

/** Rows of fields that are added and taken away one by one. */
export function AddedRows({ add, remove, count, onAdd, onRemove, children }: RowsProps) {
  return (
    <div data-wide>
      {Array.from({ length: count }, (_, at) => (
        <Group key={at} align="end" gap="xs" mb="xs" wrap="nowrap">
          <div style={{ flex: 1, minWidth: 0, display: 'grid', gap: 8, gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))' }}>
            {children(at)}
          </div>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={remove} title={remove} onClick={() => onRemove(at)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button variant="default" size="compact-md" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
        {add}
      </Button>
    </div>
  )
}
