import { useTranslation } from '#web/i18n/use-translation.ts'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { useScreens, type ScreenParams } from './access.ts'
import { useCurrentInSight } from '#web/kit/page/current-in-sight.ts'
import { ScreenLink } from './screen-link.tsx'
import { useCurrentScreen } from './title.ts'
import classes from '#web/kit/page/page.module.css'

/**
 * Tabs that are screens of their own: those below an address (one step further) that the person may open. One alone has no bar.
 * The text is `tab.<id>` of the namespace `screen` where the sidebar calls the screen something else. `carried` is what of the address goes along to each.
 */
export function ScreenTabs({ below, label, params, carried = '' }: ScreenTabsProps) {
  const { t } = useTranslation('screen')
  const open = useScreens()
  const current = useCurrentScreen()
  const bar = useCurrentInSight<HTMLElement>(current)
  const tabs = SCREEN_IDS.filter((id) => open.has(id) && isTab(id, below))
  if (tabs.length < 2) return null
  return (
    <nav ref={bar} className={classes.tabs} aria-label={label}>
      {tabs.map((id) => (
        <ScreenLink
          key={id}
          to={id}
          {...(params && { params })}
          search={carried}
          className={classes.tab}
          aria-current={id === current ? 'page' : undefined}
        >
          {t([`tab.${id}`, id] as unknown as [typeof id]) /* the first exists only for some screens */}
        </ScreenLink>
      ))}
    </nav>
  )
}

type ScreenTabsProps = {
  below: string
  label: string
  /** What the address names. */
  params?: ScreenParams
  carried?: string
}

function isTab(id: ScreenId, below: string): boolean {
  const { path, redirect } = screenOf(id)
  const rest = path.startsWith(`${below}/`) ? path.slice(below.length + 1) : ''
  return redirect === undefined && /^[a-z-]+$/.test(rest)
}
