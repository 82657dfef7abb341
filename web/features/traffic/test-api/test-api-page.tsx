import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** What each tab of /settings/test-api stands in. */
export function TestApiPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('testApi')
  return (
    <SettingsPage>
      <Stack gap={16} miw={0}>
        <ScreenTabs below="/settings/test-api" label={t('tabs')} />
        {children}
      </Stack>
    </SettingsPage>
  )
}
