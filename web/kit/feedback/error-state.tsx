import { Button } from '@mantine/core'
import { IconAlertTriangle, IconFilterOff, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useLocation } from 'react-router'
import { CallError, messagesOf } from '#web/api/call-error.ts'
import { errorText } from '#web/i18n/language.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'

type ErrorStateProps = {
  what: string
  error: unknown
  onRetry: () => void
  /** What helps where another try does not. */
  action?: ReactNode
}

/** In place of what could not be loaded: what failed, another try (or the way out of an address that asks what cannot be answered), and the number support asks for. */
export function ErrorState({ what, error, onRetry, action }: ErrorStateProps) {
  const { t } = useTranslation('kit')
  const { pathname, search } = useLocation()
  // asked again, a question nobody understands fails again: the address asks it
  const misread = error instanceof CallError && error.status === 400 && search !== ''
  const textOf = (one: CallError) =>
    [...messagesOf(one, errorText), one.retryAfter === undefined ? '' : t('error.wait', { count: one.retryAfter })]
      .filter(Boolean)
      .join(' ')
  const requestId = error instanceof CallError ? error.requestId : undefined
  return (
    <EmptyState
      alert
      icon={<IconAlertTriangle size={26} stroke={1.6} aria-hidden />}
      title={what}
      text={error instanceof CallError ? textOf(error) : t('error.unknown')}
      action={
        <>
          {action ??
            (misread ? (
              <Button variant="default" component={Link} to={pathname} leftSection={<IconFilterOff size={16} aria-hidden />}>
                {t('error.reset')}
              </Button>
            ) : (
              <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
                {t('error.retry')}
              </Button>
            ))}
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
