import { TextInput } from '@mantine/core'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** A whole number that is one in the form too: no money. Nothing typed is nothing, which the schema refuses. */
export const IntegerField = drawnAlone(function IntegerField<Values>(field: FieldProps<Values>) {
  return (
    <TextInput
      {...fieldProps(field)}
      inputMode="numeric"
      autoComplete="off"
      value={String(valueAt<Values, number | string>(field.of, field.name))}
      onChange={(event) => {
        const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 9)
        changeAt(field.of, field.name, digits === '' ? '' : Number(digits))
      }}
    />
  )
})
