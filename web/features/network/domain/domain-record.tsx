import { ActionIcon, Alert, Group, Table } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { domainDetail } from '#contract/network/domain.ts'
import { copyAloud } from '#web/kit/show/copy.ts'

type Detail = z.output<typeof domainDetail>

/** A record as the form of a registrar asks for it, each part to be copied: the one that leads a domain here, or that shows whose it is. */
export function DomainRecord({ of: domain, what }: { of: Detail; what: 'address' | 'proof' }) {
  const { t } = useTranslation('domain')
  const { type, name, value } = what === 'address' ? pointing(domain, t('record.ownAddress')) : { type: 'TXT', ...domain.record }
  return (
    <>
      {what === 'address' && domain.points_to === null && (
        <Alert color="var(--ohma-waiting)" role="note" mb="sm">
          {t('record.unknown', { variable: domain.kind === 'panel' ? 'PUBLIC_URL' : 'TRACKING_URL' })}
        </Alert>
      )}
      <Table layout="fixed" verticalSpacing={6} fz={13.5}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={72}>{t('record.type')}</Table.Th>
            <Table.Th>{t('record.name')}</Table.Th>
            <Table.Th>{t('record.value')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td>{type}</Table.Td>
            <Table.Td>
              <Copied text={name} />
            </Table.Td>
            <Table.Td>{what === 'address' && domain.points_to === null ? value : <Copied text={value} />}</Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
    </>
  )
}

/** The record that makes a domain lead to this network. */
function pointing({ host, points_to }: Detail, unknown: string) {
  if (points_to === null) return { type: 'A', name: host, value: unknown }
  const type = points_to.includes(':') ? 'AAAA' : /^[\d.]+$/.test(points_to) ? 'A' : 'CNAME'
  return { type, name: host, value: points_to }
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
