import { Link, useSearchParams } from 'react-router'
import { useCurrentInSight } from '#web/kit/page/current-in-sight.ts'
import classes from '#web/kit/page/page.module.css'

type PartTabsProps = {
  label: string
  /** What the screen shows without `?tab=`. */
  first: string
  parts: readonly { tab: string; label: string; waiting?: number }[]
}

/** The parts of one screen, told apart by `?tab=`, in a row of their own: beside the tabs of its neighbours they would move those. */
export function PartTabs({ label, first, parts }: PartTabsProps) {
  const [search] = useSearchParams()
  const shown = parts.find(({ tab }) => tab === search.get('tab'))?.tab ?? ''
  const bar = useCurrentInSight<HTMLElement>(shown)
  return (
    <nav ref={bar} className={classes.tabs} aria-label={label}>
      {[{ tab: '', label: first, waiting: 0 }, ...parts].map(({ tab, label: name, waiting = 0 }) => (
        <Link key={tab} to={tab === '' ? '?' : `?tab=${tab}`} className={classes.tab} aria-current={shown === tab ? 'page' : undefined}>
          {name}
          {waiting > 0 && <span className={classes.tabBadge}>{waiting}</span>}
        </Link>
      ))}
    </nav>
  )
}
