import { ActionIcon, Avatar, Badge, Tooltip } from '@mantine/core'
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InboxKind } from '#contract/network/inbox.ts'
import { SCREEN_IDS, screenOf, type ScreenId } from '#contract/screens.ts'
import { integer } from '#web/format.ts'
import { useCan, useScreens } from '#web/shell/access.ts'
import { useInboxCounts } from '#web/shell/inbox-counts.ts'
import { pageOf, type Page } from '#web/shell/page.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useCurrentScreen } from '#web/shell/title.ts'
import { NavIcon } from '#web/shell/layout/nav-icon.tsx'
import classes from '#web/shell/layout/sidebar.module.css'

const GROUPS = ['work', 'people', 'insight', 'account'] as const

/** The way to every screen the person may open, by group. Without `onFold` it cannot be folded: inside the drawer. */
export function Sidebar({ folded, onFold }: { folded: boolean; onFold?: () => void }) {
  const { t } = useTranslation('layout')
  const { partner_title, logo } = useRuntime()
  const screens = useScreens()
  const current = useCurrentScreen()
  const here = current && sectionOf(current)

  return (
    <nav className={classes.sidebar} data-folded={folded || undefined} aria-label={t('navigation')}>
      <div className={classes.brand}>
        {logo ? (
          <img src={logo} alt="" className={classes.logo} />
        ) : (
          <Avatar styles={{ placeholder: { fontSize: 15 } }} size={28} radius="md" color="accent" variant="filled" aria-hidden>
            {partner_title.slice(0, 1)}
          </Avatar>
        )}
        {!folded && <span className="ohma-clip">{partner_title}</span>}
      </div>
      <div className={classes.groups}>
        {GROUPS.map((group) => {
          const entries = SCREEN_IDS.filter((id) => screenOf(id).nav === group && screens.has(id))
          if (entries.length === 0) return null
          return (
            <div key={group} role="group" aria-label={t(`group.${group}`)}>
              {folded ? <hr className={classes.rule} /> : <h2 className={classes.group}>{t(`group.${group}`)}</h2>}
              <ul>
                {entries.map((id) => (
                  <li key={id}>
                    <NavEntry id={id} folded={folded} active={id === here} />
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </div>
      {onFold && (
        <div className={classes.foot}>
          <Tooltip label={t(folded ? 'unfold' : 'fold')} position="right">
            <ActionIcon variant="subtle" color="gray" size={34} onClick={onFold} aria-label={t(folded ? 'unfold' : 'fold')}>
              {folded ? (
                <IconLayoutSidebarLeftExpand size={18} stroke={1.7} aria-hidden />
              ) : (
                <IconLayoutSidebarLeftCollapse size={18} stroke={1.7} aria-hidden />
              )}
            </ActionIcon>
          </Tooltip>
        </div>
      )}
    </nav>
  )
}

function NavEntry({ id, folded, active }: { id: ScreenId; folded: boolean; active: boolean }) {
  const { t } = useTranslation('screen')
  const { t: layout } = useTranslation('layout')
  const counts = useInboxCounts()
  const screens = useScreens()
  // what several screens have stands at the last one somebody may open: a manager without the log of postbacks looks at the affiliates'
  const isHere = (kind: InboxKind) => SCREEN_IDS.findLast((one) => screens.has(one) && pageOf(one)?.waiting?.includes(kind)) === id
  const kinds = (pageOf(id)?.waiting ?? []).filter((kind) => counts !== undefined && counts[kind] > 0 && isHere(kind))
  // where both count, what waits for them is what staff look for; affiliates have no inbox
  const hasInbox = useCan()('report.money') && pageOf(id)?.waiting !== undefined
  const unread = hasInbox ? undefined : pageOf(id)?.unread
  const waiting = kinds.reduce((sum, kind) => sum + (counts?.[kind] ?? 0), 0)
  const link = (
    <ScreenLink to={id} className={classes.entry} aria-current={active ? 'page' : undefined} aria-label={folded ? t(id) : undefined}>
      <NavIcon id={id} className={classes.icon} />
      {!folded && <span className="ohma-clip">{t(id)}</span>}
    </ScreenLink>
  )
  return (
    <>
      {folded ? (
        <Tooltip label={t(id)} position="right">
          {link}
        </Tooltip>
      ) : (
        link
      )}
      {unread && <UnreadBadge id={id} of={unread} />}
      {/* leads to where they are decided */}
      {waiting > 0 && (
        <Badge
          component={ScreenLink}
          to="dashboard"
          search={`?tab=${kinds[0]}`}
          size="sm"
          className={classes.badge}
          aria-label={layout('waiting', { count: waiting, number: integer(waiting) })}
        >
          {integer(waiting)}
        </Badge>
      )}
    </>
  )
}

/** How much of a screen the person has not read. */
function UnreadBadge({ id, of }: { id: ScreenId; of: NonNullable<Page['unread']> }) {
  const { t } = useTranslation('layout')
  const { data: count = 0 } = useQuery({ queryKey: [of.key], queryFn: ({ signal }) => of.count(signal), refetchInterval: 60_000 })
  if (count === 0) return null
  const label = t('unread', { count, number: integer(count) })
  return (
    <Badge component={ScreenLink} to={id} size="sm" className={classes.badge} aria-label={label}>
      {integer(count)}
    </Badge>
  )
}

/** The sidebar's entry a screen belongs to: itself, or the nearest of its parents that stands there. */
function sectionOf(id: ScreenId): ScreenId | undefined {
  const screen = screenOf(id)
  if (screen.nav !== undefined) return id
  const parent = SCREEN_IDS.find((one) => one === screen.parent)
  return parent && sectionOf(parent)
}
