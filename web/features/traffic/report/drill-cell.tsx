import { ActionIcon, UnstyledButton } from '@mantine/core'
import { IconFilterMinus } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isFilter, type DimensionId } from '#contract/traffic/dimension.ts'
import type { ReportRow, ReportState } from '#web/features/traffic/report/use-report.ts'
import { isNumberless, runsNow } from '#web/features/traffic/report/key-label.ts'
import { compared } from '#web/kit/list/condition.ts'
import { Flag } from '#web/kit/show/flag.tsx'
import classes from '#web/features/traffic/report/report.module.css'

type DrillCellProps = { dimension: DimensionId; value: ReportRow['keys'][number] | undefined; label: string; report: ReportState }

/** A value of a grouping, that which still runs marked; a click narrows the report to it, the sign beside it leaves it out, and Back returns. */
export function DrillCell({ dimension, value, label, report }: DrillCellProps) {
  const { t } = useTranslation('report')
  const { address, go } = report
  const { zone } = report.run.data ?? {}
  const running = zone !== undefined && value !== undefined && runsNow(dimension, value.id, zone)
  const shown = (
    <>
      {label}
      {running && <span className={classes.soFar}> {t('soFar')}</span>}
    </>
  )
  const day = dimension === 'day' ? value?.id : dimension === 'hour' ? value?.id.slice(0, 10) : undefined
  if (value === undefined || (!isFilter(dimension) && day === undefined)) return shown
  const compare = (operator: 'is' | 'not') => {
    const key = isNumberless(dimension, value.id) ? '' : value.id
    const filters = { ...address.filters, ...compared(dimension, operator, key, address.filters) }
    go({ filters }, { dimension, value: value.id, not: operator === 'not' })
  }
  const narrow = () => {
    if (day === undefined) compare('is')
    else
      go(
        { period: { preset: 'custom', from: day, to: day }, group: address.group.map((id) => (id === 'day' ? 'hour' : id)) },
        { dimension: 'day', value: day, not: false },
      )
  }
  return (
    <span className={classes.drillCell}>
      <UnstyledButton className={classes.drill} title={t('drill', { value: label })} onClick={narrow}>
        {dimension === 'geo' && <Flag country={value.id} />} {shown}
      </UnstyledButton>
      {day === undefined && (
        <ActionIcon
          className={classes.exclude}
          size={20}
          variant="subtle"
          color="gray"
          title={t('exclude', { value: label })}
          aria-label={t('exclude', { value: label })}
          onClick={() => compare('not')}
        >
          <IconFilterMinus size={14} />
        </ActionIcon>
      )}
    </span>
  )
}
