import { DayInput } from '#web/kit/fields/day/day-input.tsx'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** A date with a time of day, or null. The value is a clock's `YYYY-MM-DD HH:mm:ss`: `momentAt` of `#web/zone-time.ts` says which moment that is in a zone. */
export const MomentField = drawnAlone(function MomentField<Values>({
  placeholder,
  ...field
}: FieldProps<Values> & { placeholder?: string }) {
  return (
    <DayInput
      {...fieldProps(field)}
      withTime
      placeholder={placeholder}
      value={valueAt<Values, string | null>(field.of, field.name)}
      onChange={(value) => changeAt(field.of, field.name, value)}
    />
  )
})
