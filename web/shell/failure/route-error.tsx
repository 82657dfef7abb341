import { useEffect } from 'react'
import { Button } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useRouteError } from 'react-router'
import { ErrorScreen } from './error-screen.tsx'
import { isLoadFailure } from './load-failure.ts'
import { PageMessage } from '../gate/page-message.tsx'
import { reportError } from './reporter.ts'
import { reloadSoon } from './window-errors.ts'

/** Stands in for a screen that broke while it was loaded or drawn. */
export function RouteError() {
  const { t } = useTranslation('shell')
  const error = useRouteError()
  const missing = isLoadFailure(error)

  useEffect(() => {
    if (missing) reloadSoon()
    else reportError(error)
  }, [error, missing])

  if (!missing) return <ErrorScreen error={error} />
  return (
    <PageMessage title={t('page.failedTitle')} text={t('page.failedText')}>
      <Button onClick={() => location.reload()}>{t('page.reload')}</Button>
    </PageMessage>
  )
}
