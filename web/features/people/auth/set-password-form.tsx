import { useState } from 'react'
import { Button, Stack, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { authApi } from '#contract/people/auth.ts'
import { email as emailSchema, newPassword, requiredLine } from '#contract/fields.ts'
import { useSave } from '#web/api/query.ts'
import { fieldText } from '#web/i18n/language.ts'
import { screenHref } from '#web/shell/access.ts'
import { signIn } from '#web/shell/session.ts'
import { PasswordField } from '#web/guest/password-field.tsx'
import { StrengthMeter } from '#web/guest/strength-meter.tsx'

type Props = { token: string; setup: boolean; email: string }

const passwordOnly = z.object({ name: z.string(), email: z.string(), password: newPassword })
const firstAdmin = z.object({ name: requiredLine(), email: emailSchema, password: newPassword })

/** The form behind a one-time link. `setup` asks for the first administrator's name and e-mail too. Signs in afterwards. */
export function SetPasswordForm({ token, setup, email }: Props) {
  const { t } = useTranslation('auth')
  const [password, setPassword] = useState('')
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const login = useSave(authApi.login, {
    onSuccess: async (answer) => {
      // the gate of the guest pages leads a person who has signed in to where this entry says
      if (setup) await navigate(pathname, { replace: true, state: { next: `${screenHref('dashboard')}?setup` } })
      signIn(answer)
    },
  })
  const save = useSave(authApi.setPassword, {
    form: true,
    onSuccess: ({ email: account }, { body }) => login.mutate({ body: { email: account, password: body.password } }),
  })
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: '', email, password: '' },
    onValuesChange: (values) => setPassword(values.password),
    validate: schemaResolver(setup ? firstAdmin : passwordOnly, { sync: true }),
  })

  const submit = form.onSubmit((values) => {
    const body = { token, password: values.password, ...(setup ? { name: values.name, email: values.email } : {}) }
    save.mutate({ body }, { onError: (error) => form.setErrors({ ...error.fields }) })
  }, focusFirst)

  function focusFirst(errors: typeof form.errors) {
    const [first] = Object.keys(errors)
    if (first !== undefined) form.getInputNode(first)?.focus()
  }

  const field = (name: 'name' | 'email' | 'password') => {
    const { error, ...props } = form.getInputProps(name)
    return { ...props, error: typeof error === 'string' ? fieldText(error) : undefined }
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {setup && (
          <>
            <TextInput key={form.key('name')} {...field('name')} label={t('setPassword.name')} name="name" autoComplete="name" size="md" />
            <TextInput
              key={form.key('email')}
              {...field('email')}
              label={t('setPassword.email')}
              name="email"
              type="email"
              autoComplete="username"
              spellCheck={false}
              size="md"
            />
          </>
        )}
        {/* password managers file the new password under this name */}
        {!setup && <input type="email" name="email" defaultValue={email} autoComplete="username" readOnly hidden />}
        <PasswordField
          key={form.key('password')}
          {...field('password')}
          label={t('setPassword.password')}
          description={t('setPassword.hint')}
          name="password"
          autoComplete="new-password"
          size="md"
        />
        <StrengthMeter password={password} />
        <Button type="submit" size="md" fullWidth loading={save.isPending || login.isPending}>
          {setup ? t('setPassword.setupSubmit') : t('setPassword.submit')}
        </Button>
      </Stack>
    </form>
  )
}
