import { DateInput, type DateInputProps } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
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

/**
 * The one date picker of the product: a day is typed as people write it, or chosen from a calendar. Another day keeps the time of day.
 * The calendar is asked for by a click, the arrow down or typing: a field that only has the focus covers nothing of its form.
 */
export function DayInput({ value, onChange, onClick, onBlur, onKeyDown, popoverProps, withTime = false, ...input }: DayInputProps) {
  const [asked, setAsked] = useState(false)
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
        popoverProps={{ ...popoverProps, opened: asked }}
        // Escape closes the calendar, not the dialog it stands in
        data-mantine-stop-propagation={asked || undefined}
        onClick={(event) => {
          setAsked(true)
          onClick?.(event)
        }}
        onBlur={(event) => {
          setAsked(false)
          onBlur?.(event)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') event.preventDefault()
          if (event.key === 'ArrowDown' || opensByTyping(event)) setAsked(true)
          if (['Escape', 'Enter', 'Tab'].includes(event.key)) setAsked(false)
          onKeyDown?.(event)
        }}
        // the calendar knows no times, and would set midnight
        getDayProps={(day) => ({
          ...marksOf(day),
          onClick: () => {
            inCalendar.current = true
            setAsked(false)
          },
        })}
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

/** What is typed changes the day, so that the calendar shows which it is. */
function opensByTyping({ key, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLInputElement>): boolean {
  return !ctrlKey && !metaKey && !altKey && (key.length === 1 || key === 'Backspace' || key === 'Delete')
}
