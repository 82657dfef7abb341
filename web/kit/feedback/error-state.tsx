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

/**
 * In place of what could not be loaded: what failed, another try (and the way out of an address that asks what cannot be answered), and
 * the number support asks for. What is above it stays: filters, tabs, toolbar.
 */
export function ErrorState({ what, error, onRetry, action }: ErrorStateProps) {
  const { t } = useTranslation('kit')
  const { pathname, search } = useLocation()
  // a question nobody understands is asked by the address: the way out of it is offered too
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
          {action ?? (
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
              {t('error.retry')}
            </Button>
          )}
          {misread && action === undefined && (
            <Button
              variant="subtle"
              component={Link}
              to={{ pathname, search: tabOf(search) }}
              leftSection={<IconFilterOff size={16} aria-hidden />}
            >
              {t('error.reset')}
            </Button>
          )}
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

/** What an address keeps without its filters: the tabs that are open. */
function tabOf(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([name]) => ['tab', 'view', 'part'].includes(name))
  return new URLSearchParams(kept).toString()
}
