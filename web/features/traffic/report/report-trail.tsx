import { Anchor, Breadcrumbs } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useKeyLabel } from '#web/features/traffic/report/key-label.ts'
import type { Step } from '#web/features/traffic/report/report-address.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'

/** What was looked into, step by step, with a way back to each. */
export function ReportTrail({ report: { address, nameOf, back } }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const labelOf = useKeyLabel()
  const { trail } = address
  if (trail.length === 0) return null
  const nameOfStep = ({ dimension, value, not }: Step) => {
    const label = labelOf(dimension, { id: value, label: nameOf(dimension, value) ?? value })
    return not ? t('exclude', { value: label }) : label
  }
  const names = [t('trail.all'), ...trail.map(nameOfStep)]
  return (
    <nav aria-label={t('trail')}>
      <Breadcrumbs separator="›" separatorMargin={6} fz={13}>
        {trail.map((_step, index) => (
          // two steps may be called alike
          // oxlint-disable-next-line react/no-array-index-key
          <Anchor key={index} component="button" type="button" fz={13} onClick={() => back(index)}>
            {names[index]}
          </Anchor>
        ))}
        <span aria-current="step">{names.at(-1)}</span>
      </Breadcrumbs>
    </nav>
  )
}
