import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useRef } from 'react'
import { day } from '#web/format.ts'
import { locale } from '#web/notation.ts'
import { CalendarSettings, dayMarks, useCalendarLabels } from '#web/kit/fields/day/calendar-settings.tsx'
import { readDay } from '#web/kit/fields/day/read-day.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

type DayInputProps = Omit<DateInputProps, 'value' | 'onChange' | 'valueFormat' | 'dateParser' | 'withTime'> & {
  /** `YYYY-MM-DD`, with a time `YYYY-MM-DD HH:mm:ss`, or null. */
  value: string | null
  onChange: (value: string | null) => void
  /** Whether a time of day belongs to it. */
  withTime?: boolean
}

/** The one date picker of the product: a day is typed as people write it, or chosen from a calendar. Another day keeps the time of day. */
export function DayInput({ value, onChange, withTime = false, ...input }: DayInputProps) {
  const labels = useCalendarLabels()
  const time = value?.slice(11) || '00:00:00'
  const inCalendar = useRef(false)
  const marksOf = dayMarks(useZone())
  const shown = (text: string) =>
    withTime && text.length > 10 ? `${day(text.slice(0, 10))}, ${text.slice(11, 16)}` : day(text.slice(0, 10))
  return (
    <CalendarSettings>
      <DateInput
        clearable
        clearButtonProps={{ tabIndex: -1, 'aria-hidden': true }}
        ariaLabels={labels}
        leftSection={<IconCalendar size={16} aria-hidden />}
        {...input}
        withTime={withTime}
        // the calendar knows no times, and would set midnight
        getDayProps={(day) => ({ ...marksOf(day), onClick: () => (inCalendar.current = true) })}
        valueFormat={shown}
        dateParser={(typed) => readDay(typed, todayIn('UTC'), locale(), withTime ? time : undefined) ?? null}
        value={value}
        onChange={(chosen) => {
          onChange(withTime && chosen !== null && inCalendar.current ? `${chosen.slice(0, 10)} ${time}` : chosen)
          inCalendar.current = false
        }}
      />
    </CalendarSettings>
  )
}
