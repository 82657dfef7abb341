import { Anchor, Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { systemApi } from '#contract/network/system.ts'
import { useSave } from '#web/api/query.ts'
import { ScreenLink } from '#web/shell/screen-link.tsx'
import { useSession } from '#web/shell/session.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import classes from '#web/features/network/system/system.module.css'

/** Sends a test message to oneself by the mail server as it is set, and tells whether it was taken, or which step failed. */
export function MailTest() {
  const { t } = useTranslation('system')
  const { email } = useSession()
  const test = useSave(systemApi.testMail, { invalidate: [systemApi.read] })
  const failed = test.data?.steps.find(({ ok }) => !ok)
  const wrong = test.error?.fields['host'] ?? test.error?.fields['sender_email']
  return (
    <>
      <div className={classes.foot}>
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate({})}>
          {t('mail.test')}
        </Button>
        <span className="ohma-soft">{t('mail.to', { email })}</span>
        <Anchor component={ScreenLink} to="settingsSmtp">
          {t('mail.settings')}
        </Anchor>
      </div>
      <div role="status">
        {test.data?.ok && <StatusBadge tone="good" label={t('mail.taken')} />}
        {failed && (
          <>
            <StatusBadge tone="bad" label={t(`mail.step.${failed.step}`)} />
            <span className={classes.detail}>{failed.detail}</span>
          </>
        )}
        {wrong !== undefined && <StatusBadge tone="waiting" label={t('mail.missing')} />}
      </div>
    </>
  )
}
