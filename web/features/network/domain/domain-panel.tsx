import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { domainApi, type domainDetail } from '#contract/network/domain.ts'
import { query, useSave } from '#web/api/query.ts'
import { DomainChecks } from '#web/features/network/domain/domain-checks.tsx'
import { DOMAIN_STATUS } from '#web/features/network/domain/domain-status.ts'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { notify } from '#web/notify.ts'

type Detail = z.output<typeof domainDetail>
type PanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

/** One domain over the list: how to verify it, how it is doing, whose links it is for. */
export function DomainPanel({ uuid, among, onShow, onClose }: PanelProps) {
  const { t } = useTranslation('domain')
  const { data, error, refetch } = useQuery(query(domainApi.get, { params: { uuid } }, { quiet: true }))
  return (
    <SidePanel title={data?.host ?? t('one')} size={640} open={uuid} among={among} onShow={onShow} onClose={onClose}>
      {data !== undefined && <Domain of={data} />}
      {data === undefined && error !== null && <ErrorState what={t('gone')} error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={320} role="status" aria-label={t('one')} />}
    </SidePanel>
  )
}

function Domain({ of: domain }: { of: Detail }) {
  const { t } = useTranslation('domain')
  const pending = domain.verified_at === null
  const check = useSave(domainApi.check, {
    invalidate: [domainApi.list, domainApi.get],
    onSuccess: ({ status }) =>
      status === 'failing' || status === 'pending' ? notify.error(t(`looked.${status}`)) : notify.success(t('looked.fine')),
  })
  const params = { uuid: domain.uuid }
  const usual = useSave(domainApi.setDefault, { invalidate: [domainApi.list, domainApi.get] })
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Status of={DOMAIN_STATUS} value={domain.status} />
        <Text fz={13.5} c="dimmed">
          {t(`kind.${domain.kind}`)}
          {domain.default && ` · ${t('use.default')}`}
        </Text>
      </Group>
      {pending && (
        <Panel title={t('verify.title')} text={t('verify.text')}>
          <Text fz={13.5}>{t('verify.points', { kind: t(`points.${domain.kind}`) })}</Text>
          <Text fz={13.5}>{t('verify.record')}</Text>
          <CopyField label={t('record.name')} text={domain.record.name} />
          <CopyField label={t('record.value')} text={domain.record.value} />
        </Panel>
      )}
      <Panel
        title={t('health')}
        actions={
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={check.isPending}
            onClick={() => check.mutate({ params })}
          >
            {t('look')}
          </Button>
        }
      >
        {domain.checked_at !== null && (
          <Text fz={13} c="dimmed">
            {t('checked_at')}: <Moment at={domain.checked_at} />
          </Text>
        )}
        <DomainChecks checks={domain.checks} pending={pending} />
      </Panel>
      {(domain.status === 'verified' || domain.status === 'failing') && !domain.default && (
        <Group>
          <Button variant="default" loading={usual.isPending} onClick={() => usual.mutate({ params })}>
            {t('makeDefault')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}
