import { ActionIcon, Tooltip } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useLoadingFlag } from '#web/api/loading.ts'
import { AccountMenu } from '#web/shell/layout/account-menu.tsx'
import { Bell } from '#web/shell/layout/bell.tsx'
import { Crumbs } from '#web/shell/layout/crumbs.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'
import classes from '#web/shell/layout/layout.module.css'

type TopBarProps = { me: Profile | undefined; onMenu: (() => void) | undefined; onSearch: () => void }

/** Where one is, search, zone and currency, what happened, and the account. */
export function TopBar({ me, onMenu, onSearch }: TopBarProps) {
  const { t } = useTranslation('layout')
  const loading = useLoadingFlag()
  const apple = useOs() === 'macos'
  return (
    <header className={classes.bar}>
      {loading && <span className={classes.progress} aria-hidden />}
      {onMenu && (
        <ActionIcon variant="subtle" color="gray" size={40} onClick={onMenu} aria-label={t('openNavigation')}>
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      )}
      <Crumbs />
      <div className={classes.tools}>
        <button type="button" className={classes.search} onClick={onSearch} aria-label={t('search')} aria-keyshortcuts="Control+K Meta+K">
          <IconSearch size={16} aria-hidden />
          <span>{t('search')}</span>
          <kbd>{apple ? '⌘ K' : 'Ctrl K'}</kbd>
        </button>
        {me && (
          <Tooltip label={t('zoneHint')}>
            <span className={classes.chip}>
              {me.time_zone.replaceAll('_', ' ')} · {me.currency}
            </span>
          </Tooltip>
        )}
        <Bell />
        <AccountMenu me={me} />
      </div>
    </header>
  )
}
