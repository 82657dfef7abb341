import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { domainApi } from '#contract/network/domain.ts'
import { query } from '#web/api/query.ts'
import { AssignmentForm } from '#web/features/network/domain/assignment-form.tsx'
import { DomainHead } from '#web/features/network/domain/domain-head.tsx'
import { DomainHealth } from '#web/features/network/domain/domain-health.tsx'
import { DomainRecord } from '#web/features/network/domain/domain-record.tsx'
import { Verify } from '#web/features/network/domain/domain-verify.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { LastChange } from '#web/last-change.tsx'

type PanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

/** One domain over the list: how to verify it, how it is doing, whose links it is for. */
export function DomainPanel({ uuid, among, onShow, onClose }: PanelProps) {
  const { t } = useTranslation('domain')
  const { data, error, refetch } = useQuery(query(domainApi.get, { params: { uuid } }, { quiet: true }))
  return (
    <SidePanel title={data?.host ?? t('one')} size={680} open={uuid} among={among} onShow={onShow} onClose={onClose}>
      {data !== undefined && (
        <Stack gap="md">
          <DomainHead of={data} onGone={onClose} />
          {data.verified_at === null && (
            <Panel title={t('verify.title')} text={t('verify.text')}>
              <Verify of={data} />
            </Panel>
          )}
          {data.status === 'failing' && data.failing === 'resolves' && (
            <Panel title={t('points.title')}>
              <DomainRecord of={data} what="address" />
            </Panel>
          )}
          <DomainHealth of={data} />
          {data.status !== 'burnt' && <AssignmentForm key={data.uuid} of={data} />}
          <LastChange of={{ kind: 'domain', uuid: data.uuid }} title={data.host} />
        </Stack>
      )}
      {data === undefined && error !== null && <ErrorState what={t('gone')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} role="status" aria-label={t('one')} />}
    </SidePanel>
  )
}
