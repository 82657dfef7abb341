import { ActionIcon, Button, Group, Kbd, Text, Tooltip } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLoadingFlag } from '#web/api/loading.ts'
import { AccountMenu } from '#web/shell/layout/account-menu.tsx'
import { Bell } from '#web/shell/layout/bell.tsx'
import { Crumbs } from '#web/shell/layout/crumbs.tsx'
import { DemoBadge } from '#web/shell/layout/demo-badge.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'
import classes from '#web/shell/layout/layout.module.css'

type TopBarProps = { me: Profile | undefined; onMenu: (() => void) | undefined; onSearch: () => void; onKeys: () => void }

/** Where one is, search, zone and currency, what happened, and the account. */
export function TopBar({ me, onMenu, onSearch, onKeys }: TopBarProps) {
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
      <Group gap={6} wrap="nowrap" flex="none">
        <DemoBadge />
        <Button
          visibleFrom="sm"
          variant="default"
          size="xs"
          mr={6}
          fw={400}
          fz={13}
          c="dimmed"
          bg="var(--ohma-sunken)"
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={
            <Kbd size="xs" fw={400}>
              {apple ? '⌘ K' : 'Ctrl K'}
            </Kbd>
          }
          onClick={onSearch}
          aria-label={t('search')}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Text span inherit miw={96} ta="left">
            {t('search')}
          </Text>
        </Button>
        <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size={40} onClick={onSearch} aria-label={t('search')}>
          <IconSearch size={18} aria-hidden />
        </ActionIcon>
        {me && (
          <Tooltip label={t('zoneHint')}>
            <Text visibleFrom="xl" px="xs" fz={13} c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              {me.time_zone.replaceAll('_', ' ')} · {me.currency}
            </Text>
          </Tooltip>
        )}
        <Bell />
        <AccountMenu me={me} onKeys={onKeys} />
      </Group>
    </header>
  )
}
