import { Button, Group } from '@mantine/core'
import type { RowAction } from '#web/kit/table/column.ts'

/** What is decided about a row, at once from it; the first is what is mostly done. */
export function RowButtons({ actions, busy = false }: { actions: readonly RowAction[]; busy?: boolean }) {
  if (actions.length === 0) return null
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      {actions.map(({ id, label, onClick, danger }, index) => (
        <Button
          key={id}
          size="compact-sm"
          variant={index === 0 ? 'light' : 'default'}
          {...(danger && { c: 'var(--mantine-color-error)' })}
          disabled={busy}
          onClick={onClick}
        >
          {label}
        </Button>
      ))}
    </Group>
  )
}
