import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import { useCurrentInSight } from '#web/kit/page/current-in-sight.ts'
import { useFitting } from '#web/kit/page/use-fitting.ts'
import classes from '#web/kit/page/page.module.css'

type Part = { tab: string; label: string; waiting?: number }
type PartTabsProps = {
  label: string
  /** What the screen shows without `?tab=`. */
  first: string
  parts: readonly Part[]
}

/**
 * The parts of one screen, told apart by `?tab=`, in a row of their own: beside the tabs of its neighbours they would move those. One
 * line: what does not fit stands in a menu at its end, which is called like the part of it that is open; a phone scrolls them.
 */
export function PartTabs({ label, first, parts }: PartTabsProps) {
  const { t } = useTranslation('kit')
  const [search] = useSearchParams()
  const shown = parts.find(({ tab }) => tab === search.get('tab'))?.tab ?? ''
  const all: readonly Part[] = [{ tab: '', label: first }, ...parts]
  const said = all.map((part) => `${part.label} ${part.waiting ?? ''}`).join()
  // what waits is told later, and moves those behind it
  const row = useCurrentInSight<HTMLElement>(`${shown} ${said}`)
  const fits = useFitting(row, all.length, said)
  const rest = all.slice(fits)
  const open = rest.find(({ tab }) => tab === shown)
  const hidden = rest.reduce((sum, { waiting = 0 }) => sum + waiting, 0)
  return (
    <nav ref={row} className={`${classes.tabs} ${classes.oneLine}`} aria-label={label}>
      {all.map(({ tab, label: name, waiting = 0 }, at) => (
        <Link
          key={tab}
          to={hrefOf(tab)}
          className={classes.tab}
          aria-current={shown === tab ? 'page' : undefined}
          data-hidden={at >= fits || undefined}
        >
          {name}
          {waiting > 0 && <span className={classes.tabBadge}>{waiting}</span>}
        </Link>
      ))}
      {rest.length > 0 && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <UnstyledButton className={classes.tab} aria-current={open === undefined ? undefined : 'page'}>
              {open?.label ?? t('tabs.more')}
              {hidden > 0 && <span className={classes.tabBadge}>{hidden}</span>}
              <IconChevronDown size={14} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {rest.map(({ tab, label: name, waiting = 0 }) => (
              <Menu.Item
                key={tab}
                component={Link}
                to={hrefOf(tab)}
                aria-current={shown === tab ? 'page' : undefined}
                rightSection={waiting > 0 ? <span className={classes.tabBadge}>{waiting}</span> : undefined}
              >
                {name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </nav>
  )
}

function hrefOf(tab: string): string {
  return tab === '' ? '?' : `?tab=${tab}`
}
