import { DayInput } from '#web/kit/fields/day/day-input.tsx'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** A day (`YYYY-MM-DD`), or null. */
export const DayField = drawnAlone(function DayField<Values>(field: FieldProps<Values>) {
  return (
    <DayInput
      {...fieldProps(field)}
      value={valueAt<Values, string | null>(field.of, field.name)}
      onChange={(value) => changeAt(field.of, field.name, value)}
    />
  )
})
