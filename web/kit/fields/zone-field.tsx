import { Select } from '@mantine/core'
import { useMemo } from 'react'
import { useConstants } from '#web/api/constants.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** A time zone by its IANA name, found by city or offset. */
export const ZoneField = drawnAlone(function ZoneField<Values>(field: FieldProps<Values>) {
  const { time_zones: zones } = useConstants()
  const value = valueAt<Values, string>(field.of, field.name)
  const options = useMemo(() => {
    const known = zones.map((zone) => ({ ...zone, label: zone.label.replaceAll('_', ' ') }))
    // a zone our list does not know stays choosable for who has it
    return known.some((zone) => zone.value === value) || value === '' ? known : [{ value, label: value.replaceAll('_', ' ') }, ...known]
  }, [zones, value])
  return (
    <Select
      {...fieldProps(field)}
      data={options}
      searchable
      allowDeselect={false}
      limit={80}
      maxDropdownHeight={280}
      value={value}
      onChange={(next) => changeAt(field.of, field.name, next)}
    />
  )
})
