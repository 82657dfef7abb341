import { useRef } from 'react'
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { authApi, credentials } from '#contract/people/auth.ts'
import { useSave } from '#web/api/query.ts'
import { fieldText } from '#web/i18n/language.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import { signIn } from '#web/shell/session.ts'
import { GuestFrame } from './guest-frame.tsx'
import { PasswordField } from './password-field.tsx'

/** The log-in page. Afterwards the router leads on: to where somebody wanted to go, else to the dashboard. */
export function Login() {
  const { t } = useTranslation('auth')
  const { partner_title, demo } = useRuntime()
  const password = useRef<HTMLInputElement>(null)
  const login = useSave(authApi.login, { form: true, onSuccess: signIn })
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: schemaResolver(credentials, { sync: true }),
  })

  const submit = form.onSubmit((body) => {
    login.mutate(
      { body },
      {
        onError: (error) => {
          form.setErrors({ ...error.fields })
          password.current?.select()
        },
      },
    )
  }, focusFirst)

  function focusFirst(errors: typeof form.errors) {
    const [first] = Object.keys(errors)
    if (first !== undefined) form.getInputNode(first)?.focus()
  }

  const field = (name: 'email' | 'password') => {
    const { error, ...props } = form.getInputProps(name)
    return { ...props, error: typeof error === 'string' ? fieldText(error) : undefined }
  }

  return (
    <GuestFrame title={t('login.title')} subtitle={t('login.subtitle', { partner: partner_title })} foot={t('login.help')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {demo && (
            <Alert variant="light" p="sm">
              {t('login.demo')}
            </Alert>
          )}
          <TextInput
            key={form.key('email')}
            {...field('email')}
            label={t('login.email')}
            name="email"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            size="md"
            data-autofocus
            // the page has one purpose, and this is where it starts
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <PasswordField
            key={form.key('password')}
            {...field('password')}
            ref={password}
            label={t('login.password')}
            name="password"
            autoComplete="current-password"
            size="md"
          />
          <Button type="submit" size="md" fullWidth mt="xs" loading={login.isPending}>
            {t('login.submit')}
          </Button>
        </Stack>
      </form>
    </GuestFrame>
  )
}
