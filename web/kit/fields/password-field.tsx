import { PasswordInput } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { changeAt, fieldProps, valueAt, type FieldProps } from '#web/kit/fields/field.ts'

/** A password with a switch to show it. */
export function PasswordField<Values>({
  autoComplete,
  ...field
}: FieldProps<Values> & { autoComplete: 'current-password' | 'new-password' }) {
  const { t } = useTranslation('kit')
  return (
    <PasswordInput
      {...fieldProps(field)}
      autoComplete={autoComplete}
      visibilityToggleButtonProps={{ 'aria-label': t('field.showPassword') }}
      value={valueAt<Values, string>(field.of, field.name)}
      onChange={(event) => changeAt(field.of, field.name, event.currentTarget.value)}
    />
  )
}
