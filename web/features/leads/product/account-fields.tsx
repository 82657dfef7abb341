import { useTranslation } from '#web/i18n/use-translation.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { Credential, ProductValues } from './product-values.ts'

/** The fields of an account: whatever its integration asks for. */
export function AccountFields<Values extends ProductValues>({
  of,
  credentials,
}: {
  of: SaveForm<Values>
  credentials: readonly Credential[]
}) {
  const { t } = useTranslation('product')
  return credentials.map(({ key, label, secret, required, set }) => {
    const field = { of, name: `credentials.${key}`, label, required: required && !set }
    return secret ? (
      <PasswordField key={key} {...field} autoComplete="new-password" {...(set && { help: t('secret.kept') })} />
    ) : (
      <TextField key={key} {...field} />
    )
  })
}
