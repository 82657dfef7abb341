import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useCurrentInSight } from '#web/kit/page/current-in-sight.ts'
import classes from '#web/kit/page/page.module.css'

export type UrlTab = { id: string; label: string; /** Drawn only while its tab is open. */ content: ReactNode; badge?: ReactNode }

type UrlTabsProps = {
  label: string
  tabs: readonly UrlTab[]
  /** What they are called in the address. */ name?: 'tab' | 'view'
  /** The tab these stand in, which stays in the address. */ beneath?: string
}

/** Tabs beneath a page header; the open one stands in the address (`?tab=`), the first is the default. One tab alone has no bar. */
export function UrlTabs({ label, tabs, name = 'tab', beneath }: UrlTabsProps) {
  const [search] = useSearchParams()
  const open = tabs.find((tab) => tab.id === search.get(name)) ?? tabs[0]
  // on a phone the bar scrolls; the page does not: below the fold, it would open in its middle
  const bar = useCurrentInSight<HTMLElement>(open?.id)
  return (
    <>
      {tabs.length > 1 && (
        <nav ref={bar} className={classes.tabs} aria-label={label}>
          {tabs.map((tab, index) => (
            <Link
              key={tab.id}
              to={`?${new URLSearchParams({ ...(beneath && { tab: beneath }), ...(index > 0 && { [name]: tab.id }) })}`}
              className={classes.tab}
              aria-current={tab === open ? 'page' : undefined}
            >
              {tab.label}
              {tab.badge !== undefined && <span className={classes.tabBadge}>{tab.badge}</span>}
            </Link>
          ))}
        </nav>
      )}
      {open?.content}
    </>
  )
}
