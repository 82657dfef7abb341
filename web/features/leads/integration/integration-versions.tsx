import { Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { IntegrationDetail } from '#contract/leads/integration.ts'
import { Moment } from '#web/kit/show/moment.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

const TONES = { draft: 'waiting', active: 'good', deprecated: 'muted' } as const

/** Every version there was: what was sent by one stays explained by it. */
export function IntegrationVersions({ integration: { versions } }: { integration: IntegrationDetail }) {
  const { t } = useTranslation('integration')
  return (
    <TableScroll label={t('tab.versions')} minWidth={560}>
      <Table aria-label={t('tab.versions')} maw={900}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('version')}</Table.Th>
            <Table.Th>{t('version.state')}</Table.Th>
            <Table.Th>{t('note')}</Table.Th>
            <Table.Th>{t('version.by')}</Table.Th>
            <Table.Th>{t('version.published')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {versions.map((one) => (
            <Table.Tr key={one.number}>
              <Table.Td className="ohma-number">{one.number}</Table.Td>
              <Table.Td>
                <StatusBadge tone={TONES[one.state]} label={t(`state.${one.state}`)} />
              </Table.Td>
              <Table.Td>{one.note}</Table.Td>
              <Table.Td>{one.created_by ?? '–'}</Table.Td>
              <Table.Td>{one.published_at === null ? '–' : <Moment at={one.published_at} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
