import { Button, Menu } from '@mantine/core'
import { IconArrowsDiff, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { COMPARISONS } from '#contract/traffic/report.ts'
import { daysText } from '#web/period.ts'
import type { ReportState } from '#web/features/traffic/report/use-report.ts'
import { DaysPopover } from '#web/kit/list/days-popover.tsx'

/** What the figures are compared with: a period by its name or days of one's choice, and whether they begin on the same weekday. */
export function CompareMenu({ report: { address, go } }: { report: ReportState }) {
  const { t } = useTranslation('report')
  const kit = useTranslation('kit')
  const [picking, setPicking] = useState(false)
  const { compare, compareDays: days } = address
  return (
    <DaysPopover
      label={t('compare.custom')}
      opened={picking}
      onOpened={setPicking}
      value={days === null ? [null, null] : [days.from, days.to]}
      onChoose={(from, to) => go({ compare: 'custom', compareDays: { from, to } })}
    >
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconArrowsDiff size={14} aria-hidden />}
            rightSection={<IconChevronDown size={13} aria-hidden />}
          >
            {days === null ? t(`compare.${compare}`) : t('compare.days', { days: daysText(days.from, days.to) })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('compare')}>
          <Menu.RadioGroup
            value={compare}
            onChange={(value) =>
              value === 'custom' ? setPicking(true) : go({ compare: COMPARISONS.find((one) => one === value) ?? 'none', compareDays: null })
            }
          >
            {COMPARISONS.map((one) => (
              <Menu.RadioItem key={one} value={one} closeMenuOnClick>
                {one === 'custom' ? kit.t('period.custom') : t(`compare.${one}`)}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.CheckboxItem
            checked={address.matchWeekday}
            disabled={compare === 'none'}
            title={t('matchWeekday.about')}
            onChange={(matchWeekday) => go({ matchWeekday })}
          >
            {t('matchWeekday')}
          </Menu.CheckboxItem>
        </Menu.Dropdown>
      </Menu>
    </DaysPopover>
  )
}
