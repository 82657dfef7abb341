import { Button, Divider, Flex, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { authApi } from '#contract/people/auth.ts'
import { query, useSave } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { deviceName } from '#web/shell/layout/device-name.ts'

/** Where the own account is signed in, and the way to end a session one does not know. */
export function SessionList() {
  const { t } = useTranslation('layout')
  const { data, error, refetch } = useQuery(query(authApi.sessions, {}))
  const revoke = useSave(authApi.revokeSession, { invalidate: [authApi.sessions] })
  if (error) return <ErrorState what={t('sessions.failed')} error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  return (
    <ul aria-label={t('sessions.title')}>
      {data.list.map((session, index) => (
        <li key={session.uuid}>
          {index > 0 && <Divider />}
          <Flex gap="md" align="center" justify="space-between" py="sm">
            <div style={{ minWidth: 0 }}>
              <Text fw={550} truncate title={session.device}>
                {session.acting_as === null ? deviceName(session.device) : t('acting.as', { name: session.acting_as })}
              </Text>
              <Text fz={13} c="dimmed">
                {session.address} · {t('sessions.seen')} <Moment at={session.last_seen_at} />
              </Text>
            </div>
            {session.current ? (
              <StatusBadge tone="good" label={t('sessions.current')} />
            ) : (
              <Button
                variant="default"
                size="xs"
                flex="none"
                aria-label={t('sessions.endOf', { name: deviceName(session.device), address: session.address })}
                loading={revoke.isPending && revoke.variables.body.uuid === session.uuid}
                onClick={() => revoke.mutate({ body: { uuid: session.uuid } })}
              >
                {t('sessions.end')}
              </Button>
            )}
          </Flex>
        </li>
      ))}
    </ul>
  )
}
