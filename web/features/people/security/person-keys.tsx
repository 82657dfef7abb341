import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { apiKeyApi } from '#contract/people/api-key.ts'
import { query, useSave } from '#web/api/query.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { KeyList } from '#web/shell/security/key-list.tsx'
import { notify } from '#web/notify.ts'

/** The API keys of somebody else, and the way to end one. */
export function PersonKeys({ uuid, name }: { uuid: string; name: string }) {
  const { t } = useTranslation('security')
  const { data, error, refetch } = useQuery(query(apiKeyApi.of, { params: { uuid } }))
  const revoke = useSave(apiKeyApi.revokeOf, { invalidate: [apiKeyApi.of], onSuccess: () => notify.success(t('keys.revoked')) })
  return (
    <Panel title={t('keys.title')}>
      {error && <ErrorState what={t('keys.failed')} error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton height={60} />}
      {data && (
        <KeyList
          keys={data.list}
          empty={t('keys.noneOf', { name })}
          busy={revoke.isPending ? revoke.variables.params.uuid : undefined}
          onRevoke={(key) => revoke.mutate({ params: { uuid: key } })}
        />
      )}
    </Panel>
  )
}
