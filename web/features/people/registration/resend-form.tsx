import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { registrationApi } from '#contract/people/registration.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'

/** Asks for the confirming link once more: of a known address by a button, else by a field. */
export function ResendForm({ email }: { email?: string }) {
  const { t } = useTranslation('registration')
  const [sent, setSent] = useState(false)
  const form = useSaveForm({
    endpoint: registrationApi.resend,
    initial: { email: email ?? '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: '',
    onSaved: () => setSent(true),
  })
  return (
    <form onSubmit={form.submit} noValidate>
      <Stack gap="md">
        {sent && (
          <Alert role="status" variant="light" p="sm">
            {t('resent')}
          </Alert>
        )}
        {email === undefined && !sent && (
          <TextField of={form} name="email" label={t('email')} type="email" autoComplete="username" required />
        )}
        {!sent && (
          <Button type="submit" variant="default" fullWidth loading={form.saving}>
            {t('resend')}
          </Button>
        )}
        <Button component={ScreenLink} to="login" variant="subtle" fullWidth>
          {t('toLogin')}
        </Button>
      </Stack>
    </form>
  )
}
