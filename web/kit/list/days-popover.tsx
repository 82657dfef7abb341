import { Box, Popover } from '@mantine/core'
import { DatePicker } from '@mantine/dates'
import { useState, type ReactNode } from 'react'
import { CalendarSettings, dayMarks, useCalendarLabels } from '#web/kit/fields/day/calendar-settings.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

type DaysPopoverProps = {
  label: string
  opened: boolean
  onOpened: (opened: boolean) => void
  /** The range chosen so far, `YYYY-MM-DD`, both inclusive. */
  value: readonly [string | null, string | null]
  onChoose: (from: string, to: string) => void
  /** What it opens beneath. */
  children: ReactNode
}

/** A calendar in which two clicks choose a range of days, as a layer over the page. */
export function DaysPopover({ label, opened, onOpened, value, onChoose, children }: DaysPopoverProps) {
  const labels = useCalendarLabels()
  const zone = useZone()
  const [range, setRange] = useState<[string | null, string | null]>([null, null])
  return (
    <Popover position="bottom-start" shadow="md" opened={opened} onChange={onOpened} trapFocus withRoles={false}>
      <Popover.Target>
        <Box>{children}</Box>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <CalendarSettings>
          <DatePicker
            type="range"
            size="xs"
            ariaLabels={labels}
            getDayProps={dayMarks(zone, true)}
            value={range[0] === null ? [...value] : range}
            onChange={([from, to]) => {
              setRange([from, to])
              if (from === null || to === null) return
              onChoose(from.slice(0, 10), to.slice(0, 10))
              setRange([null, null])
              onOpened(false)
            }}
          />
        </CalendarSettings>
      </Popover.Dropdown>
    </Popover>
  )
}
