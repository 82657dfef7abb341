import { Button, Popover } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SettingsNav } from './settings-nav.tsx'
import type { SettingsEntry } from './use-settings-entries.ts'
import classes from './settings.module.css'

/** The other settings, behind a button, where there is no room for them beside the page. */
export function SettingsPicker({ entries }: { entries: readonly SettingsEntry[] }) {
  const { t } = useTranslation('setting')
  const [open, setOpen] = useState(false)
  if (entries.length < 2) return null
  return (
    <Popover opened={open} onChange={setOpen} position="bottom-end" width={340} trapFocus withRoles={false} returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          rightSection={<IconChevronDown size={16} aria-hidden />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {t('nav.choose')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.dropdown}>
        <SettingsNav entries={entries} told onChoose={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}
