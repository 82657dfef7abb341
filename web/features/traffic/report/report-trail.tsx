import { Anchor, Breadcrumbs } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { trailIn } from '#web/features/traffic/report/use-report.ts'

/** What was looked into, step by step, with a way back to each. */
export function ReportTrail() {
  const { t } = useTranslation('report')
  const { state } = useLocation()
  const navigate = useNavigate()
  const trail = trailIn(state)
  if (trail.length === 0) return null
  const before = trail.map(({ search }, index) => ({
    name: trail[index - 1]?.name ?? t('trail.all'),
    go: () => void navigate({ search }, { state: { trail: trail.slice(0, index) } }),
  }))
  return (
    <nav aria-label={t('trail')}>
      <Breadcrumbs separator="›" separatorMargin={6} fz={13}>
        {before.map(({ name, go }, index) => (
          // two steps may be called alike
          // oxlint-disable-next-line react/no-array-index-key
          <Anchor key={index} component="button" type="button" fz={13} onClick={go}>
            {name}
          </Anchor>
        ))}
        <span aria-current="step">{trail.at(-1)?.name}</span>
      </Breadcrumbs>
    </nav>
  )
}
