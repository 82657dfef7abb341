import { useCallback, useEffect } from 'react'
import { Button, Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Outlet } from 'react-router'
import { loadConstants, useConstantsState } from '#web/api/constants.ts'
import { Rights } from '#web/kit/rights.ts'
import { useCan } from '../access.ts'
import { PageMessage } from './page-message.tsx'
import { signOut, useSession } from '../session.ts'
import { SquaresLoader } from './squares-loader.tsx'

/** The panel waits for its constants behind the loader of five squares. Guests never get here: the router sends them to /login. */
export function ProtectedGate() {
  const { t } = useTranslation('shell')
  const { uuid, role } = useSession()
  const { status, constants } = useConstantsState()
  const can = useCan()

  const load = useCallback(() => {
    // nobody, for the moment between a logout and the guest's routes
    if (role !== undefined) void loadConstants({ uuid, role })
  }, [uuid, role])
  useEffect(load, [load])

  if (constants !== null)
    return (
      <Rights value={can}>
        <Outlet />
      </Rights>
    )
  if (status !== 'failed') return <SquaresLoader />
  return (
    <PageMessage title={t('constants.failedTitle')} text={t('constants.failedText')}>
      <Group justify="center">
        <Button onClick={load}>{t('constants.retry')}</Button>
        <Button variant="default" onClick={() => void signOut()}>
          {t('constants.signOut')}
        </Button>
      </Group>
    </PageMessage>
  )
}
