import { Button, Chip, Group, Popover, Select } from '@mantine/core'
import { IconChevronDown, IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { COMPARISONS } from '#contract/traffic/report.ts'
import { GroupPills } from '#web/features/traffic/report/group-pills.tsx'
import { ReportFilters } from '#web/features/traffic/report/report-filters.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { PeriodMenu } from '#web/kit/list/period-menu.tsx'
import { ZoneMenu } from '#web/kit/list/zone-menu.tsx'

/** What is asked: period, comparison, currency, zone, figures, groupings and filters, in one row that breaks where it must. */
export function ReportToolbar({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const { address, go, options } = report
  return (
    <Group gap={6} role="toolbar" aria-label={t('toolbar')}>
      <PeriodMenu
        value={address.period}
        zone={address.zone ?? options.zone}
        whenever={false}
        onChange={(period) => period !== null && go({ period })}
      />
      <Select
        size="xs"
        w={142}
        aria-label={t('compare')}
        data={COMPARISONS.map((value) => ({ value: value as string, label: t(`compare.${value}`) }))}
        value={address.compare}
        onChange={(value) => go({ compare: COMPARISONS.find((one) => one === value) ?? 'none' })}
        allowDeselect={false}
      />
      <Select
        size="xs"
        w={84}
        aria-label={t('currency')}
        data={[
          ...options.currencies.map((code) => ({ value: code as string, label: code as string })),
          { value: 'each', label: t('eachCurrency') },
        ]}
        value={address.currency ?? options.currency}
        onChange={(value) => go({ currency: options.currencies.find((code) => code === value) ?? (value === 'each' ? 'each' : null) })}
        allowDeselect={false}
      />
      <ZoneMenu value={address.zone} own={options.zone} onChange={(zone) => go({ zone })} />
      <MetricsMenu report={report} />
      <Select
        size="xs"
        w={150}
        aria-label={t('timeBasis')}
        data={[
          { value: 'conversion', label: t('time.conversion') },
          { value: 'click', label: t('time.click') },
        ]}
        value={address.time}
        onChange={(value) => go({ time: value === 'click' ? 'click' : 'conversion' })}
        allowDeselect={false}
      />
      <GroupPills report={report} />
      <ReportFilters report={report} />
    </Group>
  )
}

function MetricsMenu({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const metric = useTranslation('metric')
  const { address, go, options } = report
  return (
    <Popover position="bottom-start" shadow="md" width={320} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconColumns3 size={14} aria-hidden />}
          rightSection={<IconChevronDown size={13} aria-hidden />}
        >
          {t('metrics')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label={t('metrics')}>
        <Group gap={6}>
          {options.metrics.map(({ id }) => {
            const on = address.metrics.includes(id)
            // in the order of the table, whichever was chosen last
            const next = options.metrics.map((one) => one.id).filter((one) => (one === id ? !on : address.metrics.includes(one)))
            return (
              <Chip
                key={id}
                size="xs"
                checked={on}
                title={metric.t(`about.${id}`)}
                disabled={on && address.metrics.length === 1}
                onChange={() => go({ metrics: next })}
              >
                {metric.t(id)}
              </Chip>
            )
          })}
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}
