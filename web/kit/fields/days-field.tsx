import { DatePickerInput } from '@mantine/dates'
import { IconCalendar } from '@tabler/icons-react'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import '@mantine/dates/styles.css'

/** A range of calendar days; the value is `[from, to]` of `YYYY-MM-DD` or null each. The zone they mean is the server's business. */
export const DaysField = drawnAlone(function DaysField<Values>({ placeholder, ...field }: FieldProps<Values> & { placeholder?: string }) {
  return (
    <DatePickerInput
      {...fieldProps(field)}
      type="range"
      clearable
      allowSingleDateInRange
      placeholder={placeholder}
      valueFormat="D MMM YYYY"
      leftSection={<IconCalendar size={16} aria-hidden />}
      value={valueAt<Values, [string | null, string | null]>(field.of, field.name)}
      onChange={(value) => changeAt(field.of, field.name, value)}
    />
  )
})
