import { Group, Select } from '@mantine/core'
import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useConstants } from '#web/api/constants.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { countryName } from '#web/format.ts'
import { Flag } from '#web/kit/show/flag.tsx'

/** One country, with its flag; the value is its two letters or null. */
export const CountryField = drawnAlone(function CountryField<Values>({
  placeholder,
  ...field
}: FieldProps<Values> & { placeholder?: string }) {
  const value = valueAt<Values, string | null>(field.of, field.name)
  return (
    <Select
      {...fieldProps(field)}
      data={useCountryOptions()}
      placeholder={placeholder}
      searchable
      clearable
      limit={60}
      maxDropdownHeight={280}
      leftSection={value ? <Flag country={value} /> : undefined}
      renderOption={({ option }) => (
        <Group gap={10} wrap="nowrap">
          <Flag country={option.value} />
          {option.label}
        </Group>
      )}
      value={value}
      onChange={(next) => changeAt(field.of, field.name, next)}
    />
  )
})

/** All countries of the constants with their names in the language of the panel, in its alphabetical order. */
export function useCountryOptions() {
  const { geos } = useConstants()
  const { language } = useTranslation().i18n
  return useMemo(() => {
    const named = geos.map(({ value }) => ({ value, label: countryName(value) }))
    return named.sort((one, other) => one.label.localeCompare(other.label, language))
  }, [geos, language])
}
