import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react'
import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { z } from 'zod'
import { authApi, credentials } from '#contract/people/auth.ts'
import { useSave } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { fieldText, loadLateTexts } from '#web/i18n/language.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { signIn, useSecondStep } from '#web/shell/session.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { PasswordField } from '#web/guest/password-field.tsx'

const SecondStep = lazy(async () => {
  const load = () => Promise.all([import('./second-step.tsx'), loadLateTexts('security')])
  return { default: (await withinChunkTimeout(load))[0].SecondStep }
})

/** The log-in page. Afterwards the router leads on: to where somebody wanted to go, else to the dashboard. */
export function Login() {
  const { t } = useTranslation('auth')
  const { partner_title, demo, signup } = useRuntime()
  const password = useRef<HTMLInputElement>(null)
  const login = useSave(authApi.login, { form: true, onSuccess: signIn })
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const { token } = useSecondStep()

  // two fields: without the form library sign-in is 6 KB lighter
  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const { data: body, error } = credentials.safeParse(Object.fromEntries(new FormData(form)))
    if (error !== undefined) return refuse(form, z.flattenError(error).fieldErrors)
    setErrors({})
    login.mutate(
      { body },
      {
        onError: ({ fields }) => {
          setErrors(fields)
          password.current?.select()
        },
      },
    )
  }

  function refuse(form: HTMLFormElement, found: Partial<Record<'email' | 'password', string[]>>) {
    setErrors({ email: found.email?.[0], password: found.password?.[0] })
    form.querySelector<HTMLInputElement>(`[name=${found.email ? 'email' : 'password'}]`)?.focus()
  }

  const field = (name: 'email' | 'password') => {
    const error = errors[name]
    return {
      name,
      error: error === undefined ? undefined : fieldText(error),
      onChange: () => setErrors((others) => ({ ...others, [name]: undefined })),
    }
  }

  const frame = (
    <GuestFrame
      title={t('login.title')}
      subtitle={t('login.subtitle', { partner: partner_title })}
      foot={
        <>
          <ScreenLink to="passwordRecovery">{t('login.forgot')}</ScreenLink>
          {signup && (
            <>
              {' · '}
              <ScreenLink to="signup">{t('login.signup')}</ScreenLink>
            </>
          )}
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {demo && (
            <Alert variant="light" p="sm">
              {t('login.demo')}
            </Alert>
          )}
          <TextInput
            {...field('email')}
            label={t('login.email')}
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
          <PasswordField {...field('password')} ref={password} label={t('login.password')} autoComplete="current-password" size="md" />
          <Button type="submit" size="md" fullWidth mt="xs" loading={login.isPending}>
            {t('login.submit')}
          </Button>
        </Stack>
      </form>
    </GuestFrame>
  )
  // the password stays in sight until the step is there
  return token === undefined ? (
    frame
  ) : (
    <Suspense fallback={frame}>
      <SecondStep token={token} />
    </Suspense>
  )
}
