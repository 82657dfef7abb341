import { Textarea } from '@mantine/core'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** Several lines of plain text; grows with what is written. */
export const LongTextField = drawnAlone(function LongTextField<Values>({
  placeholder,
  rows = 3,
  ...field
}: FieldProps<Values> & { placeholder?: string; rows?: number }) {
  return (
    <Textarea
      {...fieldProps(field)}
      placeholder={placeholder}
      autosize
      minRows={rows}
      maxRows={16}
      value={valueAt<Values, string>(field.of, field.name)}
      onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
    />
  )
})
