import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { ScreenId } from '#contract/screens.ts'
import { integer } from '#web/format.ts'
import { useScreens } from '#web/shell/access.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import classes from '#web/features/network/dashboard/dashboard.module.css'

type Waiting = z.output<typeof staffDashboard>['waiting']

/** Where each kind of decision is made. */
const PLACES: readonly { what: keyof Waiting; screen: ScreenId; search: string }[] = [
  { what: 'pending_conversions', screen: 'statisticDirectConversion', search: '?status=pending' },
  { what: 'access_requests', screen: 'offers', search: '' },
  { what: 'affiliates_in_moderation', screen: 'affiliates', search: '?status=moderation' },
]

/** What waits for a decision, each a step away from where it is made. */
export function WaitingCard({ waiting }: { waiting: Waiting }) {
  const { t } = useTranslation('dashboard')
  const open = useScreens()
  const tasks = PLACES.filter(({ what, screen }) => waiting[what] > 0 && open.has(screen))
  return (
    <section className={classes.card} aria-label={t('waiting')}>
      <h2 className={classes.heading}>{t('waiting')}</h2>
      {tasks.length === 0 ? (
        <p className={classes.none}>{t('waiting.none')}</p>
      ) : (
        <ul className={classes.tasks}>
          {tasks.map(({ what, screen, search }) => (
            <li key={what}>
              <ScreenLink to={screen} search={search} className={classes.task}>
                <span className={classes.count}>{integer(waiting[what])}</span> {t(`waiting.${what}`, { count: waiting[what] })}
              </ScreenLink>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
