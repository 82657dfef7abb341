import { Popover } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import classes from '#web/kit/list/list.module.css'

type PillProps = {
  label: string
  /** What it is set to; undefined while it is not. */
  summary: ReactNode | undefined
  /** Open at first, where it was just added. */
  opened: boolean
  onClear: () => void
  /** What the menu holds; `close` shuts it. */
  children: (close: () => void) => ReactNode
}

/** A filter that is set or may be: its name, what it is set to, and a menu to change it. */
export function Pill({ label, summary, opened: initially, onClear, children }: PillProps) {
  const { t } = useTranslation('kit')
  const [opened, setOpened] = useState(initially)
  const active = summary !== undefined
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" shadow="md" width={264} trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <span className={classes.pill} data-active={active || undefined}>
          <button
            type="button"
            className={classes.pillButton}
            aria-expanded={opened}
            aria-haspopup="dialog"
            onClick={() => setOpened(!opened)}
          >
            <span>{label}</span>
            {active && <b className="ohma-clip">{summary}</b>}
            {!active && <IconChevronDown size={13} aria-hidden />}
          </button>
          {active && (
            <button type="button" className={classes.pillClear} aria-label={t('filter.remove', { label })} onClick={onClear}>
              <IconX size={13} aria-hidden />
            </button>
          )}
        </span>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu} role="dialog" aria-label={label}>
        {children(() => setOpened(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
