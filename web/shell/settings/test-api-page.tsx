import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScreenTabs } from '../screen-tabs.tsx'
import { SettingsPage } from '../settings-page.tsx'

/** What each tab of /settings/test-api stands in. */
export function TestApiPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('screen')
  return (
    <SettingsPage>
      <Stack gap={16} miw={0}>
        <ScreenTabs below="/settings/test-api" label={t('settingsTestApi')} />
        {children}
      </Stack>
    </SettingsPage>
  )
}
