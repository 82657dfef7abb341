import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { SettingsNav } from './settings/settings-nav.tsx'
import { SettingsPicker } from './settings/settings-picker.tsx'
import { useSettingsEntries } from './settings/use-settings-entries.ts'
import classes from './settings/settings.module.css'

type SettingsPageProps = {
  children: ReactNode
  /** A page of wide tables: the other settings are chosen from a menu in its head, however wide the window is. */
  wide?: boolean
}

/** What every settings page stands in: beside it, or on narrow windows in a menu of its head, are all the settings the person may open. */
export function SettingsPage({ children, wide = false }: SettingsPageProps) {
  const { t } = useTranslation('setting')
  const entries = useSettingsEntries()
  const current = entries.find((entry) => entry.current)
  return (
    <div className={classes.frame} data-wide={wide || undefined}>
      <aside className={classes.aside}>
        <p className={classes.over}>{t('title')}</p>
        <SettingsNav entries={entries} />
      </aside>
      <div className={classes.content}>
        <PageHeader
          title={current?.name ?? t('title')}
          facts={current?.about ? [current.about] : []}
          actions={
            <div className={classes.picker}>
              <SettingsPicker entries={entries} />
            </div>
          }
        />
        {children}
      </div>
    </div>
  )
}
