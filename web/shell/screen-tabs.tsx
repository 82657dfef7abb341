import { useTranslation } from 'react-i18next'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { useScreens } from './access.ts'
import { ScreenLink } from './screen-link.tsx'
import { useCurrentScreen } from './title.ts'
import classes from '#web/kit/page/page.module.css'

/**
 * Tabs that are screens of their own: those below an address (one step, no parameter) that the person may open. One alone has no bar.
 * The text is `tab.<id>` of the namespace `screen` where the sidebar calls the screen something else.
 */
export function ScreenTabs({ below, label }: { below: string; label: string }) {
  const { t } = useTranslation('screen')
  const open = useScreens()
  const current = useCurrentScreen()
  const tabs = SCREEN_IDS.filter((id) => open.has(id) && isTab(id, below))
  if (tabs.length < 2) return null
  return (
    <nav className={classes.tabs} aria-label={label}>
      {tabs.map((id) => (
        <ScreenLink key={id} to={id} className={classes.tab} aria-current={id === current ? 'page' : undefined}>
          {t([`tab.${id}`, id] as unknown as [typeof id]) /* the first exists only for some screens */}
        </ScreenLink>
      ))}
    </nav>
  )
}

function isTab(id: ScreenId, below: string): boolean {
  const { path, redirect } = screenOf(id)
  const rest = path.startsWith(`${below}/`) ? path.slice(below.length + 1) : ''
  return redirect === undefined && /^[a-z-]+$/.test(rest)
}
