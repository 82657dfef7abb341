import { TagsInput } from '@mantine/core'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** Free words, ended with Enter or a comma. `suggestions` are offered but do not bind. */
export const TagsField = drawnAlone(function TagsField<Values>({
  suggestions = [],
  placeholder,
  ...field
}: FieldProps<Values> & { suggestions?: readonly string[]; placeholder?: string }) {
  const value = valueAt<Values, string[]>(field.of, field.name)
  return (
    <TagsInput
      {...fieldProps(field)}
      data={[...suggestions]}
      placeholder={value.length === 0 ? placeholder : undefined}
      acceptValueOnBlur
      clearable
      styles={{ inputField: { minWidth: 40 } }}
      value={value}
      onChange={(next) => changeAt(field.of, field.name, next)}
    />
  )
})
