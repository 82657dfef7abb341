import { Button, Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { authApi } from '#contract/people/auth.ts'
import { START_ERRORS } from '#contract/start-errors.ts'
import { messagesOf } from '#web/api/call-error.ts'
import { query } from '#web/api/query.ts'
import { errorText } from '#web/i18n/language.ts'
import { useRuntime } from '#web/shell/runtime.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { SetPasswordForm } from './set-password-form.tsx'

/** A new password by a link's token, or on a new instance its first administrator. */
export function SetPasswordBy({ token }: { token: string }) {
  const { t } = useTranslation('auth')
  const { partner_title } = useRuntime()
  const link = useQuery({ ...query(authApi.checkLink, { body: { token } }, { quiet: true }), staleTime: Infinity })

  if (link.isPending) {
    return (
      <GuestFrame title={t('setPassword.title')}>
        <Center mih={180}>
          <Loader size="sm" />
        </Center>
      </GuestFrame>
    )
  }
  if (link.isError) {
    const expired = link.error.has(START_ERRORS.link_expired.code)
    return (
      <GuestFrame
        title={expired ? t('setPassword.expiredTitle') : t('setPassword.failedTitle')}
        subtitle={expired ? t('setPassword.expiredText') : messagesOf(link.error, errorText).join(' ')}
      >
        {expired ? (
          <Button component={ScreenLink} to="login" variant="default" fullWidth>
            {t('setPassword.toLogin')}
          </Button>
        ) : (
          <Button onClick={() => void link.refetch()} loading={link.isFetching} fullWidth>
            {t('setPassword.retry')}
          </Button>
        )}
      </GuestFrame>
    )
  }
  const { setup, email } = link.data
  return (
    <GuestFrame
      title={setup ? t('setPassword.setupTitle', { partner: partner_title }) : t('setPassword.title')}
      subtitle={setup ? t('setPassword.setupSubtitle') : t('setPassword.subtitle', { email })}
    >
      <SetPasswordForm token={token} setup={setup} email={email} />
    </GuestFrame>
  )
}
