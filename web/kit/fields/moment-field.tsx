import { DateTimePicker } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import '@mantine/dates/styles.css'

/** A date with a time of day, or null. The value is a clock's `YYYY-MM-DD HH:mm:ss`: `momentAt` of `#web/zone-time.ts` says which moment that is in a zone. */
export const MomentField = drawnAlone(function MomentField<Values>({
  placeholder,
  ...field
}: FieldProps<Values> & { placeholder?: string }) {
  return (
    <DateTimePicker
      {...fieldProps(field)}
      clearable
      placeholder={placeholder}
      valueFormat="D MMM YYYY, HH:mm"
      leftSection={<IconCalendar size={16} aria-hidden />}
      value={valueAt<Values, string | null>(field.of, field.name)}
      onChange={(value) => changeAt(field.of, field.name, value)}
    />
  )
})
