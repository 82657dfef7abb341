import { Button, Modal, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { authApi } from '#contract/people/auth.ts'
import { query, useSave } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { deviceName } from '#web/shell/layout/device-name.ts'
import classes from '#web/shell/layout/sessions-dialog.module.css'

/** Where the own account is signed in, and the way to end a session one does not know. */
export function SessionsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('layout')
  const { data, error, refetch } = useQuery(query(authApi.sessions, {}))
  const revoke = useSave(authApi.revokeSession, { invalidate: [authApi.sessions] })
  return (
    <Modal opened onClose={onClose} title={t('sessions.title')} centered size={560}>
      {error && <ErrorState what={t('sessions.failed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={120} />}
      <ul className={classes.list}>
        {data?.list.map((session) => (
          <li key={session.uuid}>
            <div>
              <b className="ohma-clip" title={session.device}>
                {deviceName(session.device)}
              </b>
              <span>
                {session.address} · {t('sessions.seen')} <Moment at={session.last_seen_at} />
              </span>
            </div>
            {session.current ? (
              <StatusBadge tone="good" label={t('sessions.current')} />
            ) : (
              <Button
                variant="default"
                size="xs"
                loading={revoke.isPending && revoke.variables.body.uuid === session.uuid}
                onClick={() => revoke.mutate({ body: { uuid: session.uuid } })}
              >
                {t('sessions.end')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Modal>
  )
}
