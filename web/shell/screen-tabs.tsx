import { Fragment, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { useScreens, type ScreenParams } from './access.ts'
import { ScreenLink } from './screen-link.tsx'
import { useCurrentScreen } from './title.ts'
import classes from '#web/kit/page/page.module.css'

/**
 * Tabs that are screens of their own: those below an address (one step further) that the person may open. One alone has no bar.
 * The text is `tab.<id>` of the namespace `screen` where the sidebar calls the screen something else. `parts` of a screen, told apart by
 * `?tab=`, are tabs beside it, so that there is one row of them. `carried` is what of the address goes along to each.
 */
export function ScreenTabs({ below, label, params, parts = {}, carried = '' }: ScreenTabsProps) {
  const { t } = useTranslation('screen')
  const open = useScreens()
  const current = useCurrentScreen()
  const [search] = useSearchParams()
  const bar = useRef<HTMLElement>(null)
  const part = search.get('tab')
  // on a narrow screen the one that is open would be out of sight
  useEffect(() => {
    const [row, shown] = [bar.current?.getBoundingClientRect(), bar.current?.querySelector('[aria-current]')?.getBoundingClientRect()]
    if (row !== undefined && shown !== undefined && (shown.right > row.right || shown.left < row.left))
      bar.current?.scrollBy({ left: shown.left - row.left - (row.width - shown.width) / 2 })
  }, [current, part])
  const tabs = SCREEN_IDS.filter((id) => open.has(id) && isTab(id, below))
  if (tabs.length + tabs.flatMap((id) => parts[id] ?? []).length < 2) return null
  return (
    <nav ref={bar} className={classes.tabs} aria-label={label}>
      {tabs.map((id) => {
        const shown = id === current && (parts[id]?.find(({ tab }) => tab === part)?.tab ?? '')
        return (
          <Fragment key={id}>
            <ScreenLink to={id} params={params} search={carried} className={classes.tab} aria-current={shown === '' ? 'page' : undefined}>
              {t([`tab.${id}`, id] as unknown as [typeof id]) /* the first exists only for some screens */}
            </ScreenLink>
            {parts[id]?.map(({ tab, label: name }) => (
              <ScreenLink
                key={tab}
                to={id}
                search={`?tab=${tab}`}
                className={classes.tab}
                aria-current={shown === tab ? 'page' : undefined}
              >
                {name}
              </ScreenLink>
            ))}
          </Fragment>
        )
      })}
    </nav>
  )
}

type ScreenTabsProps = {
  below: string
  label: string
  /** What the address names. */
  params?: ScreenParams
  carried?: string
  parts?: Partial<Record<ScreenId, readonly { tab: string; label: string }[]>>
}

function isTab(id: ScreenId, below: string): boolean {
  const { path, redirect } = screenOf(id)
  const rest = path.startsWith(`${below}/`) ? path.slice(below.length + 1) : ''
  return redirect === undefined && /^[a-z-]+$/.test(rest)
}
