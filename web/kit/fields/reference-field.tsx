import { useState } from 'react'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'
import { ReferenceSelect } from '#web/kit/fields/reference-select.tsx'
import type { FoundEndpoint, ReferenceRow } from '#web/kit/list/filter.ts'

type ReferenceFieldProps<Values, Row extends ReferenceRow> = FieldProps<Values> & {
  endpoint: FoundEndpoint<Row>
  /** The one chosen so far, whose name the options may not hold. */
  chosen?: ReferenceRow | null
  placeholder?: string
  clearable?: boolean
  /** Why one that is found cannot be chosen; undefined = it can. */
  unfit?: (row: Row) => string | undefined
  /** Told of what was chosen, for fields that follow it. */
  onPick?: (row: Row) => void
}

/** A person or a thing found by typing a part of its name or its id; the value is its uuid or null. */
export const ReferenceField = drawnAlone(function ReferenceField<Values, Row extends ReferenceRow>({
  endpoint,
  chosen,
  placeholder,
  clearable = true,
  onPick,
  unfit,
  ...field
}: ReferenceFieldProps<Values, Row>) {
  const [picked, setPicked] = useState<ReferenceRow | null>(chosen ?? null)
  const value = valueAt<Values, string | null>(field.of, field.name)
  return (
    <ReferenceSelect
      {...fieldProps(field)}
      {...(placeholder !== undefined && { placeholder })}
      {...(unfit !== undefined && { unfit })}
      endpoint={endpoint}
      clearable={clearable}
      value={value}
      // the stored one may have become another while the form stayed
      chosen={[picked, chosen ?? null].find((one) => one?.uuid === value) ?? null}
      onChoose={(one, row) => {
        setPicked(one)
        changeAt(field.of, field.name, one?.uuid ?? null)
        if (row !== undefined) onPick?.(row)
      }}
    />
  )
})
