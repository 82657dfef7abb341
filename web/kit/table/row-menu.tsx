import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { RowAction } from '#web/kit/table/column.ts'

type RowMenuProps = {
  actions: readonly RowAction[]
  size?: 'sm' | 'md'
  /** The button that opens it, in place of ⋯. */
  target?: ReactNode
}

/** The ⋯ menu of a row, a card or a page header. Nothing is drawn when there is nothing to do. */
export function RowMenu({ actions, size = 'sm', target }: RowMenuProps) {
  const { t } = useTranslation('kit')
  if (actions.length === 0) return null
  return (
    <Menu position={target === undefined ? 'bottom-end' : 'bottom-start'} width={220} shadow="md">
      <Menu.Target>
        {target ?? (
          <ActionIcon
            variant={size === 'md' ? 'default' : 'subtle'}
            color="gray"
            size={size === 'md' ? 34 : 26}
            aria-label={t('table.actions')}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        )}
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item
            key={action.id}
            leftSection={action.icon}
            // what it opens gives the focus back to the menu's button: the item is gone by then
            onClick={({ currentTarget }) => {
              document.getElementById(currentTarget.closest('[role=menu]')?.getAttribute('aria-labelledby') ?? '')?.focus()
              action.onClick()
            }}
            disabled={action.disabled ?? action.why !== undefined}
            {...(action.danger && { c: 'var(--mantine-color-error)' })}
          >
            {action.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
