import { Stack, Table } from '@mantine/core'
import { useTranslation, type Say } from '#web/i18n/use-translation.ts'
import type { PartnerLeads } from '#contract/leads/api-offer.ts'
import { payFor, payWords } from '#web/features/offers/partner-offer/country-payout.ts'
import { fieldWord } from '#web/features/offers/partner-offer/field-word.ts'
import type { Detail } from '#web/features/offers/partner-offer/partner-offer-page.tsx'
import { weekHours } from '#web/features/offers/partner-offer/week-hours.ts'
import { dateTime, integer, UNKNOWN } from '#web/format.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Country } from '#web/kit/show/country.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { useZone } from '#web/kit/show/zone.tsx'
import type { Column } from '#web/kit/table/column.ts'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { useViewport } from '#web/viewport.ts'

type Place = PartnerLeads['countries'][number]

const TONES = { open: 'good', closed: 'waiting', full: 'bad', paused: 'muted' } as const

/** Country by country: whether leads are taken now, when, how many more, what they pay and what they need. */
export function PartnerCountries({ of: leads, offer }: { of: PartnerLeads; offer: Detail }) {
  const { t } = useTranslation('partnerPage')
  const zone = useZone()
  const mobile = useViewport() === 'mobile'
  const columns = columnsOf(t, leads, offer, zone)
  const [rows, label] = [leads.countries, t('open')]
  // within one country it is no more the country that decides
  const ranges = rows.some(({ geo }) => offer.goals.some((goal) => isRange(payFor(leads, goal, geo))))
  return (
    <Panel title={label} text={[t('openText'), t('open.leftText'), ...(ranges ? [t('open.payText')] : [])].join(' ')}>
      {rows.length === 0 ? (
        <p className="ohma-soft">{t('nobody')}</p>
      ) : mobile ? (
        <TableCards name="countries" label={label} rows={rows} columns={columns} rowKey={({ geo }) => geo} />
      ) : (
        <TableScroll label={label} minWidth={680}>
          <Table horizontalSpacing={12} verticalSpacing={9} aria-label={label}>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ id, header, numeric }) => (
                  <Table.Th key={id} ta={numeric ? 'right' : undefined}>
                    {header}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.geo}>
                  {columns.map(({ id, cell, numeric }) => (
                    <Table.Td key={id} ta={numeric ? 'right' : undefined} className={numeric ? 'ohma-number' : undefined}>
                      {cell(row)}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </Panel>
  )
}

function isRange(pay: ReturnType<typeof payFor>): boolean {
  return pay !== null && pay.least !== pay.most
}

function columnsOf(t: Say<'partnerPage'>, leads: PartnerLeads, offer: Detail, zone: string): Column<Place>[] {
  const { countries, required: everywhere } = leads
  const paying = offer.goals.filter((goal) => countries.some(({ geo }) => payFor(leads, goal, geo) !== null))
  const [goal, ...others] = paying
  const extra = (place: Place) => place.required.filter((name) => !everywhere.includes(name))
  return [
    {
      id: 'geo',
      header: t('open.where'),
      card: 'title',
      cell: ({ geo }) => (geo === '' ? t(countries.length === 1 ? 'anywhere' : 'others') : <Country code={geo} />),
    },
    { id: 'state', header: t('open.state'), card: 'field', cell: (place) => <State of={place} zone={zone} /> },
    { id: 'hours', header: t('open.hours'), card: 'field', cell: ({ openings }) => <Hours of={openings} zone={zone} /> },
    {
      id: 'left',
      header: t('open.left'),
      card: 'field',
      numeric: true,
      cell: ({ remaining }) => (remaining === null ? t('open.noLimit') : integer(remaining)),
    },
    ...(goal === undefined
      ? []
      : [
          {
            id: 'payout',
            header: others.length === 0 ? `${t('payout')} · ${goal.title}` : t('payout'),
            card: 'field' as const,
            numeric: true,
            cell: ({ geo }: Place) => <Pays of={leads} goals={paying} geo={geo} currency={offer.currency} />,
          },
        ]),
    ...(countries.some((place) => extra(place).length > 0)
      ? [
          {
            id: 'needs',
            header: t('open.needs'),
            card: 'foot' as const,
            cell: (place: Place) =>
              extra(place)
                .map((name) => fieldWord(t, name))
                .join(', '),
          },
        ]
      : []),
  ]
}

function State({ of: { state, opens_at }, zone }: { of: Place; zone: string }) {
  const { t } = useTranslation('partnerPage')
  return (
    <Stack gap={2} align="flex-start">
      <StatusBadge tone={TONES[state]} label={t(`state.${state}`)} />
      {opens_at !== null && <span className="ohma-soft">{t('opensAt', { at: dateTime(opens_at, zone, { yearless: true }) })}</span>}
    </Stack>
  )
}

function Hours({ of, zone }: { of: Place['openings']; zone: string }) {
  const { t } = useTranslation('partnerPage')
  const week = of === null ? null : weekHours(of, zone)
  if (week === null) return t('open.always')
  if (week.length === 0) return t('open.never')
  return (
    <Stack gap={2}>
      {week.map(({ days, hours }) => (
        <span key={`${days ?? ''} ${hours}`} className="ohma-number">
          {days ?? t('open.daily')} {hours}
        </span>
      ))}
    </Stack>
  )
}

type PaysProps = { of: PartnerLeads; goals: readonly Detail['goals'][number][]; geo: string; currency: Detail['currency'] }

/** What each goal pays in a country; of one alone its name stands above the column. */
function Pays({ of, goals, geo, currency }: PaysProps) {
  const { t } = useTranslation('partnerPage')
  const lines = goals.flatMap((goal) => {
    const pay = payFor(of, goal, geo)
    return pay === null ? [] : [{ goal, text: payWords(t, pay, currency) }]
  })
  if (lines.length === 0) return UNKNOWN
  if (goals.length === 1) return lines[0]?.text
  return (
    <Stack gap={2}>
      {lines.map(({ goal, text }) => (
        <span key={goal.code}>
          <span className="ohma-soft">{goal.title}</span> {text}
        </span>
      ))}
    </Stack>
  )
}
