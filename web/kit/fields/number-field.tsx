import { TextInput } from '@mantine/core'
import { decimalText } from '#web/kit/fields/decimal.ts'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

type NumberFieldProps<Values> = FieldProps<Values> & {
  placeholder?: string
  /** Stands inside the field at its end: a currency, "%", "days". */
  unit?: string
  /** Whole numbers bring up the digits-only keyboard of phones. */
  whole?: boolean
}

/**
 * A number, amount or percentage as **text** in the form: money never becomes a float. Accepts the comma and spaces people type and
 * tidies them on leaving the field. For contract fields that are numbers convert in `toInput` with `Number()`.
 */
export const NumberField = drawnAlone(function NumberField<Values>({
  placeholder,
  unit,
  whole = false,
  ...field
}: NumberFieldProps<Values>) {
  const props = fieldProps(field)
  return (
    <TextInput
      {...props}
      inputMode={whole ? 'numeric' : 'decimal'}
      autoComplete="off"
      placeholder={placeholder}
      rightSection={unit && <span style={{ fontSize: 13, color: 'var(--ohma-soft)' }}>{unit}</span>}
      rightSectionWidth={unit ? Math.max(56, unit.length * 8 + 24) : undefined}
      rightSectionPointerEvents="none"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
      value={valueAt<Values, string>(field.of, field.name)}
      onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
      onBlur={() => {
        const typed = valueAt<Values, string>(field.of, field.name)
        if (decimalText(typed) !== typed) changeAt(field.of, field.name, decimalText(typed))
        props.onBlur()
      }}
    />
  )
})
