import { Button, Chip, Drawer, Group, Popover, Select, Stack } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronDown, IconColumns3, IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CompareMenu } from '#web/features/traffic/report/compare-menu.tsx'
import { GroupPills } from '#web/features/traffic/report/group-pills.tsx'
import { ReportFilters } from '#web/features/traffic/report/report-filters.tsx'
import { TrafficTypeSelect } from '#web/features/traffic/report/traffic-type-select.tsx'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { PeriodMenu } from '#web/kit/list/period-menu.tsx'
import { ZoneMenu } from '#web/kit/list/zone-menu.tsx'
import { useCan } from '#web/shell/access.ts'
import { useStatisticPart } from '#web/statistic-part.ts'
import { useViewport } from '#web/viewport.ts'

const LAYERS = '[role=dialog], [role=menu], [role=listbox], figure [role=status]:not(:empty)'

/** What is asked: period, comparison, currency, zone and figures in one row, groupings and filters in the next; on a phone all but the period in a sheet. */
export function ReportToolbar({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const kit = useTranslation('kit')
  const mobile = useViewport() === 'mobile'
  const [open, setOpen] = useState(false)
  const { address, go, options } = report
  const active = Object.values(address.filters).filter((values) => values?.some(Boolean)).length
  // what is open, and a chart that is read step by step, closes first
  const isFree = () => ![...document.querySelectorAll(LAYERS)].some((layer) => layer.checkVisibility())
  useHotkeys([['Escape', () => active > 0 && isFree() && go({ filters: {} })]])
  const period = (
    <PeriodMenu
      value={address.period}
      zone={address.zone ?? options.zone}
      whenever={false}
      onChange={(next) => next !== null && go({ period: next })}
    />
  )
  const narrowing = (
    <Group gap={6}>
      <GroupPills report={report} />
      <ReportFilters report={report} />
    </Group>
  )
  if (!mobile)
    return (
      <Stack gap={6} role="toolbar" aria-label={t('toolbar')}>
        <Group gap={6}>
          {period}
          <Settings report={report} />
        </Group>
        {narrowing}
      </Stack>
    )
  return (
    <Group gap={6} role="toolbar" aria-label={t('toolbar')}>
      {period}
      <Button variant="default" size="xs" leftSection={<IconFilter size={14} aria-hidden />} onClick={() => setOpen(true)}>
        {active > 0 ? kit.t('list.filtersCount', { count: active }) : kit.t('list.filters')}
      </Button>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        position="bottom"
        title={t('toolbar')}
        styles={{ content: { height: 'auto', maxHeight: '90dvh' } }}
      >
        <Stack gap="md" pb="md">
          <Group gap={6}>
            <Settings report={report} />
          </Group>
          {narrowing}
          <Button onClick={() => setOpen(false)}>{t('show')}</Button>
        </Stack>
      </Drawer>
    </Group>
  )
}

function Settings({ report }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const can = useCan()
  const part = useStatisticPart()
  const { address, go, options } = report
  return (
    <>
      <CompareMenu report={report} />
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
        w={158}
        aria-label={t('timeBasis')}
        data={[
          { value: 'conversion', label: t('time.conversion') },
          { value: 'click', label: t('time.click') },
        ]}
        value={address.time}
        onChange={(value) => go({ time: value === 'click' ? 'click' : 'conversion' })}
        allowDeselect={false}
      />
      {part.type === 'api' && can('report.money') && <TrafficTypeSelect value={address.traffic} onChange={(traffic) => go({ traffic })} />}
      <Chip size="xs" checked={address.pending} title={t('pending.about')} onChange={(pending) => go({ pending })}>
        {t('pending')}
      </Chip>
    </>
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
