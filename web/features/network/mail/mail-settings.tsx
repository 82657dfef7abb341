import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { smtpApi } from '#contract/network/smtp.ts'
import { query } from '#web/api/query.ts'
import { MailList } from '#web/features/network/mail/mail-list.tsx'
import { SmtpForm } from '#web/features/network/mail/smtp-form.tsx'
import { TemplateList } from '#web/features/network/mail/template-list.tsx'
import { integer } from '#web/format.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/smtp: the server, the texts, and what became of every message. */
export function MailSettings() {
  const { t } = useTranslation('mail')
  return (
    <SettingsPage>
      <UrlTabs
        label={t('title')}
        tabs={[
          { id: 'server', label: t('tab.server'), content: <Server /> },
          { id: 'texts', label: t('tab.texts'), content: <TemplateList /> },
          { id: 'log', label: t('tab.log'), content: <MailList /> },
        ]}
      />
    </SettingsPage>
  )
}

function Server() {
  const { t } = useTranslation('mail')
  const found = useQuery(query(smtpApi.read, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(smtp) => (
        <>
          {!smtp.sends && (
            <Alert color="var(--ohma-waiting)" role="note" title={t('off.title')}>
              {smtp.waiting > 0 ? t('off.waiting', { count: smtp.waiting, number: integer(smtp.waiting) }) : t('off.text')}
            </Alert>
          )}
          <SmtpForm smtp={smtp} />
        </>
      )}
    </QueryPage>
  )
}
