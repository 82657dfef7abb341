import { Select } from '@mantine/core'
import type { Option } from '#web/kit/list/filter.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

type SelectFieldProps<Values> = FieldProps<Values> & {
  options: readonly Option[]
  placeholder?: string
  /** Whether "none" is a choice; the value is null then. */
  clearable?: boolean
  /** What "none" means where it is a choice like the others, the first of them; the value is null then. */
  unset?: string
  /** Told of what was chosen, for fields that follow it. */
  onPick?: (value: string) => void
}

const UNSET = ''

/** One of a known set of values; longer sets can be searched. */
export const SelectField = drawnAlone(function SelectField<Values>({
  options,
  placeholder,
  clearable = false,
  unset,
  onPick,
  ...field
}: SelectFieldProps<Values>) {
  return (
    <Select
      {...fieldProps(field)}
      data={[...(unset === undefined ? [] : [{ value: UNSET, label: unset }]), ...options]}
      placeholder={placeholder}
      clearable={clearable}
      allowDeselect={clearable}
      searchable={options.length > 8}
      checkIconPosition="right"
      maxDropdownHeight={280}
      value={valueAt<Values, string | null>(field.of, field.name) ?? (unset === undefined ? null : UNSET)}
      onChange={(value) => {
        changeAt(field.of, field.name, value === UNSET ? null : value)
        if (value !== null) onPick?.(value)
      }}
    />
  )
})
