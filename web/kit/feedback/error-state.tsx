import { Button } from '@mantine/core'
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { errorText } from '#web/i18n/language.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'

/** In place of what could not be loaded: what failed, another try, and the number support asks for. */
export function ErrorState({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const { t } = useTranslation('kit')
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <EmptyState
      alert
      icon={<IconAlertTriangle size={26} stroke={1.6} aria-hidden />}
      title={what}
      text={error instanceof CallError ? messagesOf(error, errorText).join(' ') : t('error.unknown')}
      action={
        <>
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            {t('error.retry')}
          </Button>
          {requestId && (
            <p className="ohma-soft">
              {t('error.request')} <CopyText text={requestId} />
            </p>
          )}
        </>
      }
    />
  )
}
