import { ActionIcon, Group, Table } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { domainDetail } from '#contract/network/domain.ts'
import { copyAloud } from '#web/kit/show/copy.ts'

type Detail = z.output<typeof domainDetail>

/** The two ways to show that a domain is the network's, each with its record. */
export function Verify({ of: domain }: { of: Detail }) {
  const { t } = useTranslation('domain')
  return (
    <>
      <p>{t('verify.points', { kind: t(`points.${domain.kind}`) })}</p>
      <Records of={[pointing(domain)]} />
      <p>{t('verify.record')}</p>
      <Records of={[{ type: 'TXT', ...domain.record }]} />
    </>
  )
}

/** Where a domain has to point. */
export function Pointing({ of: domain }: { of: Detail }) {
  return <Records of={[pointing(domain)]} />
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
