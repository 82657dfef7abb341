import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './api/query.ts'
import { ErrorScreen } from './shell/failure/error-screen.tsx'
import { Notifications } from './shell/notifications.tsx'
import { useRuntime } from './shell/runtime.ts'
import { useUncaughtError } from './shell/failure/window-errors.ts'
import { cssVariables, themeOf } from './theme/theme.ts'

type Props = { router: ReturnType<typeof createBrowserRouter>; role: string }

/** The whole app: theme, data, dialogs, and the screens of whoever is signed in. */
export function App({ router, role }: Props) {
  const { colour } = useRuntime()
  const { error } = useUncaughtError()
  const { t } = useTranslation('common')
  const [close, nothingFound] = [t('close'), t('nothingFound')]
  const layers = t('layers')
  useEffect(() => document.querySelector('#layers')?.setAttribute('aria-label', layers), [layers])
  const theme = useMemo(() => themeOf(colour, { close, nothingFound }), [colour, close, nothingFound])
  const variables = useMemo(() => cssVariables(colour), [colour])
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto" deduplicateCssVariables={false}>
      <QueryClientProvider client={queryClient}>
        {error === undefined ? (
          <RouterProvider key={role} router={router} />
        ) : (
          <main>
            <ErrorScreen error={error} />
          </main>
        )}
        <Notifications />
      </QueryClientProvider>
    </MantineProvider>
  )
}
