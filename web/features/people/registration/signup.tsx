import { Button, Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import { registrationApi } from '#contract/people/registration.ts'
import { messagesOf } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import '#web/guest/panel-texts.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { currentLanguage, errorText } from '#web/i18n/language.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { ConfirmEmail } from './confirm-email.tsx'
import { ResendForm } from './resend-form.tsx'
import { SignupDone, type Signed } from './signup-done.tsx'
import { SignupForm } from './signup-form.tsx'
import style from './signup.module.css'

/** /signup: the form, what became of it, and where the links of mails lead: an invitation, or an address to confirm. */
export function Signup() {
  const { t } = useTranslation('registration')
  const { partner_title: partner } = useRuntime()
  const [search] = useSearchParams()
  const token = search.get('token') ?? ''
  const ref = (search.get('ref') ?? '').slice(0, 100)
  const language = currentLanguage()
  const [done, setDone] = useState<Signed>()
  const found = useQuery({
    ...query(registrationApi.open, { body: { token, language, ref } }, { quiet: true }),
    staleTime: Infinity,
    gcTime: 0,
  })

  if (done !== undefined) return <SignupDone {...done} />
  if (found.isPending)
    return (
      <GuestFrame title={t('title')}>
        <Center mih={240}>
          <Loader size="sm" />
        </Center>
      </GuestFrame>
    )
  if (found.isError)
    return (
      <GuestFrame title={t('failed')} subtitle={messagesOf(found.error, errorText).join(' ')}>
        <Button onClick={() => void found.refetch()} loading={found.isFetching} fullWidth>
          {t('retry')}
        </Button>
      </GuestFrame>
    )
  const { link, email, form, mode } = found.data
  if (link === 'confirmation') return <ConfirmEmail token={token} email={email} onDone={setDone} />
  if (link === 'expired') {
    return (
      <GuestFrame title={t('expired.title')} subtitle={t('expired.text')}>
        <ResendForm />
      </GuestFrame>
    )
  }
  if (form === '')
    return (
      <GuestFrame
        title={t(`closed.${mode === 'invitation' ? 'invitation' : 'closed'}.title`)}
        subtitle={t(`closed.${mode === 'invitation' ? 'invitation' : 'closed'}.text`, { partner })}
      >
        <Button component={ScreenLink} to="login" variant="default" fullWidth>
          {t('toLogin')}
        </Button>
      </GuestFrame>
    )
  return (
    <GuestFrame title={t('title')} subtitle={link === 'invitation' ? t('invited', { partner }) : t('subtitle', { partner })}>
      <div className={style.wide}>
        <SignupForm
          asked={found.data}
          invitation={link === 'invitation' ? token : ''}
          onOutdated={() => void found.refetch()}
          onDone={setDone}
        />
        <p className={style.foot}>
          {t('haveAccount')} <ScreenLink to="login">{t('toLogin')}</ScreenLink>
        </p>
      </div>
    </GuestFrame>
  )
}
