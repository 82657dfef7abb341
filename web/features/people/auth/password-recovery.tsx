import { Alert, Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { authApi } from '#contract/people/auth.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import '#web/guest/panel-texts.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { SetPasswordBy } from './set-password-by.tsx'

/** /password-recovery: asks for a link, and sets another password by the one that was mailed (`?token=`). */
export function PasswordRecovery() {
  const [search] = useSearchParams()
  const token = search.get('token')
  return token === null ? <AskForLink /> : <SetPasswordBy token={token} />
}

/** What is answered is the same for every address: nobody learns whose they are. */
function AskForLink() {
  const { t } = useTranslation('recovery')
  const [answer, setAnswer] = useState<{ email: string; mail: boolean }>()
  const form = useSaveForm({
    endpoint: authApi.passwordRecovery,
    initial: { email: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: '',
    onSaved: ({ mail }, { email }) => setAnswer({ email: email.trim(), mail }),
  })
  if (answer !== undefined) {
    return (
      <GuestFrame
        title={t(answer.mail ? 'sent.title' : 'noMail.title')}
        subtitle={t(answer.mail ? 'sent.text' : 'noMail.text', { email: answer.email })}
      >
        <Stack gap="sm">
          {answer.mail && (
            <Alert variant="light" p="sm" role="status">
              {t('sent.hint')}
            </Alert>
          )}
          <Button component={ScreenLink} to="login" variant="default" fullWidth>
            {t('toLogin')}
          </Button>
        </Stack>
      </GuestFrame>
    )
  }
  return (
    <GuestFrame title={t('title')} subtitle={t('text')} foot={<ScreenLink to="login">{t('toLogin')}</ScreenLink>}>
      <form onSubmit={form.submit} noValidate>
        <Stack gap="md">
          <TextField of={form} name="email" label={t('email')} type="email" autoComplete="username" required />
          <Button type="submit" size="md" fullWidth loading={form.saving}>
            {t('submit')}
          </Button>
        </Stack>
      </form>
    </GuestFrame>
  )
}
