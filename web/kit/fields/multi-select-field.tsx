import { MultiSelect } from '@mantine/core'
import { useState } from 'react'
import type { Option } from '#web/kit/list/filter.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** Several of a known set of values. */
export const MultiSelectField = drawnAlone(function MultiSelectField<Values>({
  options,
  placeholder,
  onPick,
  ...field
}: FieldProps<Values> & {
  options: readonly Option[]
  placeholder?: string
  /** Told what is chosen, beside the form. */
  onPick?: (values: readonly string[]) => void
}) {
  const [search, setSearch] = useState('')
  const value = valueAt<Values, string[]>(field.of, field.name)
  return (
    <MultiSelect
      {...fieldProps(field)}
      data={[...options]}
      placeholder={value.length === 0 ? placeholder : undefined}
      searchable
      clearable
      hidePickedOptions
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search.trim() !== ''}
      maxDropdownHeight={280}
      value={value}
      onChange={(next) => {
        changeAt(field.of, field.name, next)
        onPick?.(next)
      }}
    />
  )
})
