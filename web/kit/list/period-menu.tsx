import { ActionIcon, Button, Group, Kbd, Menu } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconCalendar, IconChevronDown, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PERIOD_PRESETS } from '#contract/traffic/period.ts'
import { DaysPopover } from '#web/kit/list/days-popover.tsx'
import { useCommands } from '#web/kit/page/commands.ts'
import { daysText, shifted, type AskedPeriod, type Preset } from '#web/period.ts'
import { todayIn } from '#web/zone-time.ts'

const KEYS: Partial<Record<Preset, string>> = { today: 'D', yesterday: 'E', last_7_days: 'W', this_month: 'M' }

const NAMED = PERIOD_PRESETS.filter((preset) => preset !== 'custom')

/** The value of the row for days of one's choice. */
const CUSTOM = 'custom' satisfies Preset
/** The value of the row for rows of whenever. */
const WHENEVER = 'whenever'

type PeriodMenuProps = {
  /** null = whenever. */
  value: AskedPeriod | null
  /** Whose days they are. */
  zone: string
  /** Whether rows of whenever can be asked for. */
  whenever: boolean
  onChange: (period: AskedPeriod | null) => void
}

/** The period: presets with single keys, a range of days, and arrows to the one before and after. */
export function PeriodMenu({ value, zone, whenever, onChange }: PeriodMenuProps) {
  const { t } = useTranslation('kit')
  const [picking, setPicking] = useState(false)
  const choose = (preset: Preset) => onChange({ preset, from: null, to: null })
  const shift = (by: 1 | -1) => value !== null && onChange(shifted(value, by, todayIn(zone)))
  useHotkeys([
    ['D', () => choose('today')],
    ['E', () => choose('yesterday')],
    ['W', () => choose('last_7_days')],
    ['M', () => choose('this_month')],
    ['C', () => setPicking(true)],
    ['ArrowLeft', () => shift(-1)],
    ['ArrowRight', () => shift(1)],
  ])
  useCommands('period', [
    ...NAMED.map((preset) => ({ id: preset, label: `${t('period')}: ${t(`period.${preset}`)}`, run: () => choose(preset) })),
    { id: 'custom', label: `${t('period')}: ${t('period.custom')}`, run: () => setPicking(true) },
  ])
  return (
    <Group gap={2} wrap="nowrap" role="group" aria-label={t('period')}>
      {value !== null && (
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('period.before')} onClick={() => shift(-1)}>
          <IconChevronLeft size={16} />
        </ActionIcon>
      )}
      <DaysPopover
        label={t('period.custom')}
        opened={picking}
        onOpened={setPicking}
        value={value?.preset === 'custom' ? [value.from, value.to] : [null, null]}
        onChoose={(from, to) => onChange({ preset: 'custom', from, to })}
      >
        {menu()}
      </DaysPopover>
      {value !== null && (
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('period.after')} onClick={() => shift(1)}>
          <IconChevronRight size={16} />
        </ActionIcon>
      )}
    </Group>
  )

  function menu() {
    return (
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCalendar size={14} aria-hidden />}
            rightSection={<IconChevronDown size={13} aria-hidden />}
          >
            {labelOf(value)}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.RadioGroup
            value={value?.preset ?? WHENEVER}
            onChange={(preset) => (preset === CUSTOM ? setPicking(true) : preset === WHENEVER ? onChange(null) : choose(preset as Preset))}
          >
            {whenever && (
              <Menu.RadioItem value={WHENEVER} closeMenuOnClick>
                {t('period.whenever')}
              </Menu.RadioItem>
            )}
            {NAMED.map((preset) => (
              <Menu.RadioItem
                key={preset}
                value={preset}
                closeMenuOnClick
                rightSection={KEYS[preset] && <Kbd size="xs">{KEYS[preset]}</Kbd>}
              >
                {t(`period.${preset}`)}
              </Menu.RadioItem>
            ))}
            <Menu.RadioItem value={CUSTOM} closeMenuOnClick rightSection={<Kbd size="xs">C</Kbd>}>
              {t('period.custom')}
            </Menu.RadioItem>
          </Menu.RadioGroup>
        </Menu.Dropdown>
      </Menu>
    )
  }

  function labelOf(period: AskedPeriod | null): string {
    if (period === null) return t('period.whenever')
    if (period.preset !== 'custom' || !period.from || !period.to) return t(`period.${period.preset}`)
    return daysText(period.from, period.to)
  }
}
