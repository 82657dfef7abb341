import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { UrlTab } from '#web/kit/page/url-tabs.tsx'
import { scrollSides } from '#web/kit/page/scroll-sides.ts'
import own from '#web/kit/page/grouped-tabs.module.css'
import classes from '#web/kit/page/page.module.css'

export type GroupedTab = Omit<UrlTab, 'badge'> & {
  /** What the address says while it is open; `{}` is the one that opens without. */
  address: Readonly<Record<string, string>>
  /** How much waits in it; 0 shows none. */
  waits?: number
  /** Opened by a button and not by the bar. */
  unlisted?: true
}
export type TabGroup = { id: string; label: string; tabs: readonly GroupedTab[] }

type GroupedTabsProps = {
  label: string
  groups: readonly TabGroup[]
  /** What all those that wait are, for who does not see the badge. */
  waiting: (count: number) => string
}

/** Tabs in groups: one bar for the groups, one beneath it for the tabs of the open one. The tab of which the address says most is open. */
export function GroupedTabs({ label, groups, waiting }: GroupedTabsProps) {
  const [search] = useSearchParams()
  const bars = useRef<HTMLDivElement>(null)
  const fits = ({ address }: GroupedTab) => Object.entries(address).every(([name, value]) => search.get(name) === value)
  const open = groups
    .flatMap(({ tabs }) => tabs)
    .filter(fits)
    .toSorted((a, b) => Object.keys(b.address).length - Object.keys(a.address).length)[0]
  const group = groups.find(({ tabs }) => tabs.some((one) => one === open)) ?? groups[0]
  const widths = groups.flatMap(({ tabs }) => tabs.map(({ waits = 0 }) => waits)).join()
  // on a phone the bars scroll: what is open is in view, wherever the address came from, also once the badges have come
  useEffect(() => {
    for (const one of bars.current?.querySelectorAll('[aria-current]') ?? []) one.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [open?.id, widths])
  const listed = group?.tabs.filter(({ unlisted }) => unlisted === undefined) ?? []
  return (
    <>
      <div ref={bars}>
        <nav ref={scrollSides} className={classes.tabs} aria-label={label}>
          {groups.map((one) => (
            <Link key={one.id} to={hrefOf(one.tabs[0])} className={classes.tab} aria-current={one === group ? 'true' : undefined}>
              {one.label}
              <Badge waits={one.tabs.reduce((sum, { waits = 0 }) => sum + waits, 0)} say={waiting} />
            </Link>
          ))}
        </nav>
        {group !== undefined && listed.length > 1 && (
          <nav key={group.id} ref={scrollSides} className={own.views} aria-label={group.label}>
            {listed.map((tab) => (
              <Link key={tab.id} to={hrefOf(tab)} className={own.view} aria-current={tab === open ? 'page' : undefined}>
                {tab.label}
                <Badge waits={tab.waits ?? 0} say={waiting} />
              </Link>
            ))}
          </nav>
        )}
      </div>
      {open?.content as ReactNode}
    </>
  )
}

function Badge({ waits, say }: { waits: number; say: (count: number) => string }) {
  if (waits === 0) return null
  return (
    <span className={`${classes.tabBadge} ${own.count}`}>
      <span aria-hidden>{waits}</span>
      <span className="ohma-silent">{say(waits)}</span>
    </span>
  )
}

function hrefOf(tab: GroupedTab | undefined): string {
  return `?${new URLSearchParams(tab?.address)}`
}
