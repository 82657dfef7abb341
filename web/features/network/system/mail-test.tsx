import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { systemApi } from '#contract/network/system.ts'
import { useSave } from '#web/api/query.ts'
import { SmtpSteps } from '#web/features/network/mail/smtp-steps.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useSession } from '#web/shell/session.ts'
import classes from '#web/features/network/system/system.module.css'

/** Sends a test message to oneself by the mail server as it is set, and tells each step. */
export function MailTest() {
  const { t } = useTranslation('system')
  const { email } = useSession()
  const test = useSave(systemApi.testMail, { invalidate: [systemApi.read] })
  return (
    <>
      <div className={classes.foot}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          {t('mail.test')}
        </Button>
        <span className="ohma-soft">{t('mail.to', { email })}</span>
        <ScreenLink to="settingsSmtp">{t('mail.settings')}</ScreenLink>
      </div>
      <div role="status">{test.data && <SmtpSteps of={test.data} />}</div>
    </>
  )
}
