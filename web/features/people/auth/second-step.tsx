import { Anchor, Button, Stack, TextInput } from '@mantine/core'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { START_ERRORS } from '#contract/start-errors.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { useSave } from '#web/api/query.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { leaveSecondStep, signIn } from '#web/shell/session.ts'

/** The second step of a sign-in: the code of the app, or for who lost it a recovery code. */
export function SecondStep({ token }: { token: string }) {
  const { t } = useTranslation('security')
  const [lost, setLost] = useState(false)
  const [code, setCode] = useState('')
  const [error, setError] = useState<string>()
  const save = useSave(secondFactorApi.signIn, { form: true, onSuccess: signIn })

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    const input = event.currentTarget.querySelector('input')
    if (code.trim() === '') {
      setError('Required')
      input?.focus()
      return
    }
    save.mutate(
      { body: { token, code } },
      {
        onError: (failure) => {
          if (failure.has(START_ERRORS.step_expired.code)) return leaveSecondStep()
          setError(failure.fields['code'])
          input?.select()
        },
      },
    )
  }

  const type = (value: string) => {
    setCode(value)
    setError(undefined)
  }

  return (
    <GuestFrame
      title={t('step.title')}
      subtitle={t(lost ? 'step.recoverySubtitle' : 'step.subtitle')}
      foot={lost ? t('step.help') : undefined}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            // another kind of code is another field to the browser
            key={String(lost)}
            label={t(lost ? 'step.recoveryCode' : 'code')}
            size="md"
            value={code}
            onChange={(event) => type(event.currentTarget.value)}
            error={error === undefined ? undefined : fieldText(error)}
            inputMode={lost ? 'text' : 'numeric'}
            autoComplete={lost ? 'off' : 'one-time-code'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            // the page has one purpose, and this is where it starts
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
          <Button type="submit" size="md" fullWidth loading={save.isPending}>
            {t('step.submit')}
          </Button>
          <Anchor
            component="button"
            type="button"
            fz="sm"
            onClick={() => {
              setLost(!lost)
              type('')
            }}
          >
            {t(lost ? 'step.useApp' : 'step.useRecovery')}
          </Anchor>
          <Anchor component="button" type="button" fz="sm" onClick={leaveSecondStep}>
            {t('step.back')}
          </Anchor>
        </Stack>
      </form>
    </GuestFrame>
  )
}
