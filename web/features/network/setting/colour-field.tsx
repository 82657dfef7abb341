import { ColorInput } from '@mantine/core'
import { textOn } from '#contract/network/contrast.ts'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

const SWATCHES = ['#4361ee', '#0f766e', '#15803d', '#b45309', '#be123c', '#7c3aed', '#0369a1', '#334155']

/** A colour, shown with the text colour that will stand on it. */
export function ColourField<Values>(field: FieldProps<Values>) {
  const value = valueAt<Values, string>(field.of, field.name)
  const whole = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <ColorInput
      {...fieldProps(field)}
      format="hex"
      swatches={SWATCHES}
      swatchesPerRow={8}
      value={value}
      onChange={(next) => changeAt(field.of, field.name, next)}
      rightSectionWidth={64}
      rightSection={
        whole && (
          <span aria-hidden style={{ background: value, color: textOn(value), padding: '1px 10px', borderRadius: 4, fontWeight: 600 }}>
            Aa
          </span>
        )
      }
    />
  )
}
