import { ActionIcon, Group, Skeleton, Stack, Table } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
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
import { LastChange } from '#web/last-change.tsx'
import { copyAloud } from '#web/kit/show/copy.ts'

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
          {data.status === 'failing' && data.failing === 'resolves' && (
            <Panel title={t('points.title')}>
              <Records of={[pointing(data)]} />
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

/** The two ways to show that it is the network's. */
function Verify({ of: domain }: { of: Detail }) {
  const { t } = useTranslation('domain')
  return (
    <Panel title={t('verify.title')} text={t('verify.text')}>
      <p>{t('verify.points', { kind: t(`points.${domain.kind}`) })}</p>
      <Records of={[pointing(domain)]} />
      <p>{t('verify.record')}</p>
      <Records of={[{ type: 'TXT', ...domain.record }]} />
    </Panel>
  )
}

type NameRecord = { type: string; name: string; value: string }

/** The record that makes a domain lead to this network. */
function pointing({ host, points_to }: Detail): NameRecord {
  const type = points_to.includes(':') ? 'AAAA' : /^[\d.]+$/.test(points_to) ? 'A' : 'CNAME'
  return { type, name: host, value: points_to }
}

/** Records as the form of a registrar asks for them, each part to be copied. */
function Records({ of }: { of: readonly NameRecord[] }) {
  const { t } = useTranslation('domain')
  return (
    <Table layout="fixed" verticalSpacing={6} fz={13.5}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={72}>{t('record.type')}</Table.Th>
          <Table.Th>{t('record.name')}</Table.Th>
          <Table.Th>{t('record.value')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {of.map(({ type, name, value }) => (
          <Table.Tr key={type}>
            <Table.Td>{type}</Table.Td>
            <Table.Td>
              <Copied text={name} />
            </Table.Td>
            <Table.Td>
              <Copied text={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** All of a text that is copied into another site's form, with a quiet button for it. */
function Copied({ text }: { text: string }) {
  const { t } = useTranslation('kit')
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <span style={{ overflowWrap: 'anywhere' }}>{text}</span>
      <ActionIcon size={22} variant="subtle" color="gray" aria-label={t('copyThis', { text })} onClick={() => void copyAloud(text)}>
        <IconCopy size={14} aria-hidden />
      </ActionIcon>
    </Group>
  )
}
