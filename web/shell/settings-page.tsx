import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Texts } from '#web/i18n/texts.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { ScreenTabs } from '#web/shell/screen-tabs.tsx'

/** The parts of the general settings beside the first: those the texts name, as `tab.<part>`. */
export type SettingsPart = Extract<keyof Texts['setting'], `tab.${string}`> extends `tab.${infer Part}` ? Part : never

/** The head every settings page has: its tabs are the settings the person may open. */
export function SettingsPage({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation('setting')
  const texts: Record<string, string> = i18n.getResourceBundle(i18n.language, 'setting')
  const parts = Object.entries(texts).flatMap(([key, label]) => (key.startsWith('tab.') ? [{ tab: key.slice(4), label }] : []))
  return (
    <>
      <PageHeader title={t('title')} />
      <ScreenTabs below="/settings" label={t('title')} parts={{ settingsGeneral: parts }} />
      {children}
    </>
  )
}
