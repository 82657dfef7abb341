import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { ResendForm } from './resend-form.tsx'

export type Signed = { status: 'unverified' | 'moderation' | 'active'; email: string }

/** What happens next for who has signed up, or confirmed an address. */
export function SignupDone({ status, email }: Signed) {
  const { t } = useTranslation('registration')
  return (
    <GuestFrame title={t(`done.${status}.title`)} subtitle={t(`done.${status}.text`, { email })}>
      {status === 'unverified' ? (
        <ResendForm email={email} />
      ) : (
        <Button component={ScreenLink} to="login" variant={status === 'active' ? 'filled' : 'default'} fullWidth>
          {t('toLogin')}
        </Button>
      )}
    </GuestFrame>
  )
}
