import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DIMENSIONS, isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import type { ReportRow, ReportState } from '#web/features/traffic/report/use-report.ts'
import { wholeText } from '#web/kit/list/text-values.ts'
import { Flag } from '#web/kit/show/flag.tsx'
import classes from '#web/features/traffic/report/report.module.css'

type DrillCellProps = { dimension: DimensionId; value: ReportRow['keys'][number] | undefined; label: string; report: ReportState }

/** A value of a grouping; a click narrows the report to it, and Back returns. */
export function DrillCell({ dimension, value, label, report }: DrillCellProps) {
  const { t } = useTranslation('report')
  const day = dimension === 'day' ? value?.id : dimension === 'hour' ? value?.id.slice(0, 10) : undefined
  if (value === undefined || (!isFilter(dimension) && day === undefined)) return label
  const narrow = () =>
    day === undefined
      ? report.go({
          filters: {
            ...report.address.filters,
            [dimension]: [isFilter(dimension) && DIMENSIONS[dimension].type === 'text' ? wholeText(value.id) : value.id],
          },
        })
      : report.go({ preset: 'custom', from: day, to: day, group: report.address.group.map((id) => (id === 'day' ? 'hour' : id)) })
  return (
    <UnstyledButton className={classes.drill} title={t('drill', { value: label })} onClick={narrow}>
      {dimension === 'geo' && <Flag country={value.id} />} {label}
    </UnstyledButton>
  )
}
