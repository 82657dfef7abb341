import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { domainApi, type domainDetail } from '#contract/network/domain.ts'
import { query } from '#web/api/query.ts'
import { AssignmentForm } from '#web/features/network/domain/assignment-form.tsx'
import { DomainHead } from '#web/features/network/domain/domain-head.tsx'
import { DomainHealth } from '#web/features/network/domain/domain-health.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'

type Detail = z.output<typeof domainDetail>
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
          {data.verified_at === null && <Verify of={data} />}
          <DomainHealth of={data} />
          {data.status !== 'burnt' && <AssignmentForm key={data.uuid} of={data} />}
        </Stack>
      )}
      {data === undefined && error !== null && <ErrorState what={t('gone')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} role="status" aria-label={t('one')} />}
    </SidePanel>
  )
}

/** The two ways to show that it is the network's. */
function Verify({ of: { kind, record } }: { of: Detail }) {
  const { t } = useTranslation('domain')
  return (
    <Panel title={t('verify.title')} text={t('verify.text')}>
      <p>{t('verify.points', { kind: t(`points.${kind}`) })}</p>
      <p>{t('verify.record')}</p>
      <CopyField label={t('record.name')} text={record.name} />
      <CopyField label={t('record.value')} text={record.value} />
    </Panel>
  )
}
