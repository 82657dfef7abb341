import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { smtpApi } from '#contract/network/smtp.ts'
import { query } from '#web/api/query.ts'
import { SmtpForm } from '#web/features/network/mail/smtp-form.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import type { StepProps } from './steps.ts'
import { Ways } from './step-form.tsx'

/** The mail server and a message that arrives; what follows where there is none is said before it is left out. */
export function MailStep({ there, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const found = useQuery(query(smtpApi.read, {}))
  const proven = there.steps?.some(({ id, done }) => id === 'mail' && done) ?? false
  return (
    <>
      {!proven && (
        <Alert color="var(--ohma-waiting)" role="note" title={t('mail.without')}>
          {t('mail.withoutText')}
        </Alert>
      )}
      <QueryPage query={found} failed={t('mail.failed')}>
        {(smtp) => <SmtpForm smtp={smtp} />}
      </QueryPage>
      <Ways back={back} skip={proven ? undefined : next}>
        {proven && <Button onClick={next}>{t('next')}</Button>}
      </Ways>
    </>
  )
}
