import { Button, Chip, Group, Menu, Select, Stack, Switch } from '@mantine/core'
import { IconCalendar, IconChevronDown, IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { GroupPills } from '#web/features/traffic/report/group-pills.tsx'
import { PeriodMenu } from '#web/features/traffic/report/period-menu.tsx'
import { ReportFilters } from '#web/features/traffic/report/report-filters.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'

/** What is asked: period, comparison, groupings, figures, currency, and the filters as chips. */
export function ReportToolbar({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const { address, go, options, run } = report
  return (
    <Stack gap={10} role="toolbar" aria-label={t('toolbar')}>
      <Group gap="xs">
        <PeriodMenu report={report} icon={<IconCalendar size={16} aria-hidden />} />
        <Switch
          size="sm"
          mx={6}
          label={t('compare')}
          checked={address.compare}
          onChange={(event) => go({ compare: event.currentTarget.checked })}
        />
        <Select
          size="sm"
          w={110}
          aria-label={t('currency')}
          data={[
            ...options.currencies.map((code) => ({ value: code as string, label: code as string })),
            { value: 'each', label: t('eachCurrency') },
          ]}
          value={address.currency ?? options.currency}
          onChange={(value) => go({ currency: options.currencies.find((code) => code === value) ?? (value === 'each' ? 'each' : null) })}
          allowDeselect={false}
        />
        <MetricsMenu report={report} />
        <Select
          size="sm"
          w={210}
          aria-label={t('timeBasis')}
          data={[
            { value: 'conversion', label: t('time.conversion') },
            { value: 'click', label: t('time.click') },
          ]}
          value={address.time}
          onChange={(value) => go({ time: value === 'click' ? 'click' : 'conversion' })}
          allowDeselect={false}
        />
        <span className="ohma-soft">{run.data?.zone ?? options.zone}</span>
      </Group>
      <GroupPills report={report} />
      <ReportFilters report={report} />
    </Stack>
  )
}

function MetricsMenu({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const metric = useTranslation('metric')
  const { address, go, options } = report
  return (
    <Menu closeOnItemClick={false} position="bottom-start" shadow="md" width={320}>
      <Menu.Target>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconColumns3 size={16} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {t('metrics')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown p="sm">
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
      </Menu.Dropdown>
    </Menu>
  )
}
