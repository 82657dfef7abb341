import { Group, Stack, Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { fieldWord } from '#web/features/offers/partner-offer/field-word.ts'
import { dateTime, integer } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'

const TONES = { open: 'good', closed: 'waiting', full: 'bad', paused: 'muted' } as const
/** So many openings are shown at once, the others on request. */
const AT_ONCE = 2

/** From where leads are taken now, when, and how many more. */
export function OpenHours({ of: { countries, required: everywhere } }: { of: PartnerLeads }) {
  const { t } = useTranslation('partnerPage')
  const zone = useZone()
  return (
    <Panel title={t('open')} text={`${t('openText')} ${t('open.leftText')}`}>
      {countries.length === 0 ? (
        <p className="ohma-soft">{t('nobody')}</p>
      ) : (
        <TableScroll label={t('open')} minWidth={560}>
          <Table horizontalSpacing={8} verticalSpacing={8} aria-label={t('open')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('open.where')}</Table.Th>
                <Table.Th>{t('open.state')}</Table.Th>
                <Table.Th>{t('open.hours')}</Table.Th>
                <Table.Th ta="right">{t('open.left')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {countries.map(({ geo, required, state, opens_at, remaining, openings }) => (
                <Table.Tr key={geo}>
                  <Table.Td>
                    {geo === '' ? t(countries.length === 1 ? 'anywhere' : 'others') : <Country code={geo} />}
                    <Needs of={required.filter((name) => !everywhere.includes(name))} />
                  </Table.Td>
                  <Table.Td>
                    <Group gap="2px 10px">
                      <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
                      {opens_at !== null && <span className="ohma-soft">{t('opensAt', { at: dateTime(opens_at, zone) })}</span>}
                    </Group>
                  </Table.Td>
                  <Table.Td>{openings === null ? t('open.always') : <Openings of={openings} zone={zone} />}</Table.Td>
                  <Table.Td ta="right" className="ohma-number">
                    {remaining === null ? t('open.noLimit') : integer(remaining)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </Panel>
  )
}

/** What leads of a country need beside what all do. */
function Needs({ of }: { of: readonly string[] }) {
  const { t } = useTranslation('partnerPage')
  return of.length === 0 ? null : (
    <div className="ohma-soft">{t('open.needs', { fields: of.map((name) => fieldWord(t, name)).join(', ') })}</div>
  )
}

function Openings({ of, zone }: { of: readonly { from: string; until: string }[]; zone: string }) {
  const { t } = useTranslation('partnerPage')
  if (of.length === 0) return t('open.never')
  const lines = of.map(({ from, until }) => <span key={from}>{`${dateTime(from, zone)} – ${dateTime(until, zone)}`}</span>)
  return (
    <Stack gap={2}>
      {lines.slice(0, AT_ONCE)}
      {lines.length > AT_ONCE && (
        <details>
          <summary className="ohma-soft">{t('open.more')}</summary>
          <Stack gap={2}>{lines.slice(AT_ONCE)}</Stack>
        </details>
      )}
    </Stack>
  )
}
