import { Switch } from '@mantine/core'
import { changeAt, drawnAlone, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** Yes or no, with the label beside it. */
export const SwitchField = drawnAlone(function SwitchField<Values>(field: FieldProps<Values>) {
  const { withAsterisk: _asterisk, wrapperProps: _wrapper, ...props } = fieldProps(field)
  return (
    <Switch
      {...props}
      checked={valueAt<Values, boolean>(field.of, field.name)}
      onChange={(event) => changeAt(field.of, field.name, event.currentTarget.checked)}
    />
  )
})
