import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useSession } from '#web/shell/session.ts'
import type { SettingsEntry } from './use-settings-entries.ts'
import classes from './settings.module.css'

/** So few are found at a glance. */
const FEW = 6

type SettingsNavProps = {
  entries: readonly SettingsEntry[]
  /** Says of each what stands there. */
  told?: boolean
  onChoose?: () => void
}

/** All settings in their groups, searched by name and by what stands in them. */
export function SettingsNav({ entries, told = false, onChoose }: SettingsNavProps) {
  const { t } = useTranslation('setting')
  const grouped = useSession().role !== 'affiliate'
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLocaleLowerCase()
  const found = entries.filter(({ name, about, words }) => `${name} ${about} ${words}`.toLocaleLowerCase().includes(wanted))
  const groups = [...new Set(found.map(({ group }) => group))]
  return (
    <nav className={classes.nav} aria-label={t('nav.label')}>
      {entries.length > FEW && (
        <TextInput
          type="search"
          size="xs"
          aria-label={t('nav.search')}
          placeholder={t('nav.search')}
          leftSection={<IconSearch size={14} aria-hidden />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      {found.length === 0 && (
        <p className="ohma-soft" role="status">
          {t('nav.none')}
        </p>
      )}
      {groups.map((group) => (
        <div key={group} className={classes.group}>
          {grouped && group !== 'other' && <p className={classes.groupName}>{t(`group.${group}`)}</p>}
          <ul>
            {found
              .filter((entry) => entry.group === group)
              .map(({ key, screen, search, name, about, part, current }) => (
                <li key={key}>
                  <ScreenLink
                    to={screen}
                    search={search}
                    className={classes.entry}
                    data-part={(part && wanted === '') || undefined}
                    aria-current={current ? 'page' : undefined}
                    onClick={onChoose}
                  >
                    {name}
                    {(told || wanted !== '') && about !== '' && <span className={classes.entryAbout}>{about}</span>}
                  </ScreenLink>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
