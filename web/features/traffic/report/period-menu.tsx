import { Button, Kbd, Menu } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useHotkeys } from '@mantine/hooks'
import { IconChevronDown } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { day } from '#web/format.ts'
import type { Preset } from '#web/features/traffic/report/report-address.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { dayAt } from '#web/zone-time.ts'

const KEYS: Partial<Record<Preset, string>> = { today: 'D', yesterday: 'E', last_7_days: 'W', this_month: 'M' }

/** The period: presets with single keys, a range of days, and arrows that shift what is shown. */
export function PeriodMenu({ report, icon }: { report: ReportState; icon: ReactNode }) {
  const { t } = useTranslation('report')
  const { address, go, options, run } = report
  const [range, setRange] = useState<[string | null, string | null]>([null, null])
  const [opened, setOpened] = useState(false)
  const choose = (preset: Preset) => go({ preset, from: null, to: null })

  const shift = (by: 1 | -1) => {
    const shown = run.data?.period
    if (shown === undefined) return
    // whole days of the report's own zone; `to` is exclusive
    const [from, to] = [
      dayAt(shown.from, run.data?.zone ?? 'UTC'),
      dayAt(new Date(Date.parse(shown.to) - 1).toISOString(), run.data?.zone ?? 'UTC'),
    ]
    const length = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
    go({ preset: 'custom', from: addDays(from, by * length), to: addDays(to, by * length) })
  }
  useHotkeys([
    ['D', () => choose('today')],
    ['E', () => choose('yesterday')],
    ['W', () => choose('last_7_days')],
    ['M', () => choose('this_month')],
    ['ArrowLeft', () => shift(-1)],
    ['ArrowRight', () => shift(1)],
  ])

  const label =
    address.preset === 'custom' && address.from && address.to ? `${day(address.from)} – ${day(address.to)}` : t(`period.${address.preset}`)
  return (
    <Menu position="bottom-start" shadow="md" opened={opened} onChange={setOpened}>
      <Menu.Target>
        <Button variant="default" size="sm" leftSection={icon} rightSection={<IconChevronDown size={14} aria-hidden />}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.presets
          .filter((preset) => preset !== 'custom')
          .map((preset) => (
            <Menu.Item key={preset} rightSection={KEYS[preset] && <Kbd size="xs">{KEYS[preset]}</Kbd>} onClick={() => choose(preset)}>
              {t(`period.${preset}`)}
            </Menu.Item>
          ))}
        <Menu.Divider />
        <Menu.Label>{t('period.custom')}</Menu.Label>
        <DatePicker
          type="range"
          size="xs"
          p="xs"
          value={range}
          onChange={([from, to]) => {
            setRange([from, to])
            if (from !== null && to !== null) {
              go({ preset: 'custom', from: from.slice(0, 10), to: to.slice(0, 10) })
              setOpened(false)
            }
          }}
        />
      </Menu.Dropdown>
    </Menu>
  )
}

function addDays(text: string, days: number): string {
  return new Date(Date.parse(text) + days * 86_400_000).toISOString().slice(0, 10)
}
