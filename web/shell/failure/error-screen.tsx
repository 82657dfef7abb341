import { useState } from 'react'
import { Button, Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { copyText } from '#web/clipboard.ts'
import { errorDetails } from './error-details.ts'
import style from './error-screen.module.css'
import { notify } from '#web/notify.ts'
import { PageMessage } from '../gate/page-message.tsx'
import { useRuntime } from '../runtime.ts'

/** The screen in place of everything after an error nobody caught. The link loads the main page anew: nothing of this page is trusted any more. */
export function ErrorScreen({ error }: { error: unknown }) {
  const { t } = useTranslation('shell')
  const { version } = useRuntime()
  const [time] = useState(() => new Date().toISOString())
  const details = errorDetails(error, { address: location.href, time, version, browser: navigator.userAgent })

  async function copy() {
    if (await copyText(details)) notify.success(t('error.copied'))
    else notify.error(t('error.notCopied'))
  }

  return (
    <PageMessage title={t('error.title')} text={t('error.support')}>
      <Group justify="center">
        <Button component="a" href="/">
          {t('error.home')}
        </Button>
        <Button variant="default" onClick={() => void copy()}>
          {t('error.copy')}
        </Button>
      </Group>
      <details className={style.details}>
        <summary>{t('error.details')}</summary>
        {/* a field, so that people can scroll and select it by keyboard */}
        <textarea readOnly rows={10} value={details} aria-label={t('error.details')} />
      </details>
    </PageMessage>
  )
}
