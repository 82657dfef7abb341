import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { errorText } from '#web/i18n/language.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import classes from '#web/kit/feedback/state.module.css'

/** In place of what could not be loaded: what failed, another try, and the number support asks for. */
export function ErrorState({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('kit')
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <div className={classes.state} role="alert">
      <div className={classes.icon} data-bad>
        <IconAlertTriangle size={26} stroke={1.6} aria-hidden />
      </div>
      <h2 className={classes.title}>{what}</h2>
      <p className={classes.text}>{error instanceof CallError ? messagesOf(error, errorText).join(' ') : t('error.unknown')}</p>
      <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
        {t('error.retry')}
      </Button>
      {requestId && (
        <p className={classes.request}>
          {t('error.request')} <CopyText text={requestId} />
        </p>
      )}
    </div>
  )
}
