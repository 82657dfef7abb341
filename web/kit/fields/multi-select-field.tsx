import { MultiSelect } from '@mantine/core'
import type { Option } from '#web/kit/list/filter.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type DropdownProps, type FieldProps } from '#web/kit/fields/field.ts'

/** Several of a known set of values. */
export const MultiSelectField = drawnAlone(function MultiSelectField<Values>({
  options,
  placeholder,
  inPopover = false,
  ...field
}: FieldProps<Values> & DropdownProps & { options: readonly Option[]; placeholder?: string }) {
  const value = valueAt<Values, string[]>(field.of, field.name)
  return (
    <MultiSelect
      {...fieldProps(field)}
      data={[...options]}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchable
      clearable
      hidePickedOptions
      maxDropdownHeight={280}
      comboboxProps={{ withinPortal: !inPopover }}
      value={value}
      onChange={(next) => changeAt(field.of, field.name, next)}
    />
  )
})
