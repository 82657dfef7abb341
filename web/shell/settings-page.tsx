import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

/** The head every settings page has: its tabs are the settings the person may open. */
export function SettingsPage({ children }: { children: ReactNode }) {
  const { t } = useTranslation('setting')
  return (
    <>
      <PageHeader title={t('title')} />
      <ScreenTabs below="/settings" label={t('title')} />
      {children}
    </>
  )
}
