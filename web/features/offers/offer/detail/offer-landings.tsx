import { SegmentedControl, Skeleton, Table, Text, Tooltip } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Say } from '#web/i18n/use-translation.ts'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reportApi } from '#contract/traffic/report.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { integer, percent, UNKNOWN } from '#web/format.ts'
import { formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import type { OfferDetail } from '#web/features/offers/offer/form/offer-values.ts'
import { LandingBadge } from '#web/features/offers/offer/landing-badge.tsx'
import { shareWords } from '#web/features/offers/offer/landing-share.ts'
import type { Column } from '#web/kit/table/column.ts'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'

type Landing = OfferDetail['landings'][number]
type Figures = CallOutput<typeof reportApi.run>['list'][number]['values']
/** A landing with what it got; without `landing` it is the offer's own address, or one that left the offer. */
type Row = { key: string; name: string; landing: Landing | undefined; figures: Figures | undefined; got: number | null }

const PERIODS = ['last_7_days', 'last_30_days'] as const

/** The split test of an offer: the share each landing should get beside what it really got, and what came of it. */
export function OfferLandings({ offer, type }: { offer: OfferDetail; type: Landing['type'] }) {
  const { t } = useTranslation('offer')
  const { t: metric } = useTranslation('metric')
  const mobile = useViewport() === 'mobile'
  const [preset, setPreset] = useState<(typeof PERIODS)[number]>('last_7_days')
  const landings = offer.landings.filter((landing) => landing.type === type)
  const { data, isPending, isPlaceholderData } = useQuery({
    ...query(
      reportApi.run,
      {
        body: {
          period: { preset },
          group: [type],
          metrics: ['clicks', 'conversions', 'cr', 'epc'],
          currency: offer.currency,
          filters: { offer: [offer.uuid] },
          count: 100,
        },
      },
      { quiet: true },
    ),
    enabled: landings.length > 0,
    placeholderData: keepPreviousData,
  })
  if (landings.length === 0) return null
  const rows = rowsOf(t, type, landings, data?.list ?? [])
  // a dash would say that there was nothing
  const loaded = (figure: string) => (isPending ? <Skeleton height={14} width={48} display="inline-block" /> : figure)
  const columns: Column<Row>[] = [
    {
      id: 'name',
      header: t(`landing.is.${type}`),
      cell: ({ name, landing }) => (
        <>
          {name} {landing && <LandingBadge landing={landing} />}
        </>
      ),
      card: 'title',
    },
    {
      id: 'weight',
      header: t('landing.weight'),
      cell: ({ landing }) => (landing ? integer(landing.weight) : UNKNOWN),
      ...FIGURE,
      card: undefined,
    },
    { id: 'wanted', header: t('landing.share'), cell: ({ landing }) => (landing ? shareWords(t, landing, landings) : UNKNOWN), ...FIGURE },
    {
      id: 'got',
      header: t('landing.got'),
      hint: t('landing.gotHint'),
      cell: ({ got }) => loaded(got === null ? UNKNOWN : percent(got)),
      ...FIGURE,
    },
    ...(['clicks', 'conversions', 'cr', 'epc'] as const).map((id): Column<Row> => ({
      id,
      header: metric(id),
      cell: ({ figures }) => loaded(formatMetric(id, figures === undefined ? null : figures[id], offer.currency)),
      ...FIGURE,
    })),
  ]
  const label = t(`landing.${type}`)
  return (
    <Panel
      title={label}
      text={t(type === 'landing' ? 'landing.splitText' : 'landing.beforeText')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('landing.period')}
          data={PERIODS.map((value) => ({ value, label: t(`landing.${value}`) }))}
          value={preset}
          onChange={(value) => setPreset(value as typeof preset)} // one of the options above
        />
      }
    >
      {mobile ? (
        <TableCards name="landings" label={label} rows={rows} columns={columns} rowKey={({ key }) => key} stale={isPlaceholderData} />
      ) : (
        <Table
          verticalSpacing={7}
          aria-label={label}
          aria-busy={isPending || isPlaceholderData}
          opacity={isPlaceholderData ? 0.5 : undefined}
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.id} ta={column.numeric ? 'right' : undefined}>
                  {column.hint === undefined ? (
                    column.header
                  ) : (
                    <Tooltip label={column.hint} multiline maw={280} openDelay={250} events={{ hover: true, focus: true, touch: true }}>
                      <Text span inherit td="underline dotted" tabIndex={0}>
                        {column.header}
                      </Text>
                    </Tooltip>
                  )}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Table.Tr key={row.key}>
                {columns.map((column) => (
                  <Table.Td
                    key={column.id}
                    ta={column.numeric ? 'right' : undefined}
                    className={column.numeric ? 'ohma-number' : undefined}
                  >
                    {column.cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  )
}

const FIGURE = { numeric: true, card: 'field', width: 100 } as const

function rowsOf(
  t: Say<'offer'>,
  type: Landing['type'],
  landings: readonly Landing[],
  list: CallOutput<typeof reportApi.run>['list'],
): Row[] {
  const clicks = list.reduce((sum, { values }) => sum + Number(values.clicks ?? 0), 0)
  const figuresOf = (id: string) => {
    const figures = list.find(({ keys }) => keys[0]?.id === id)?.values
    return { figures, got: clicks === 0 ? null : (Number(figures?.clicks ?? 0) / clicks) * 100 }
  }
  const known = landings.map((landing) => ({
    key: landing.uuid,
    name: landing.name,
    landing,
    ...figuresOf(String(landing.id)),
  }))
  const others = list
    .flatMap(({ keys }) => keys.slice(0, 1))
    .filter(({ id }) => !landings.some((landing) => String(landing.id) === id))
    .map(({ id, label }) => ({
      key: id,
      name: id === '0' ? t(type === 'landing' ? 'landing.ownAddress' : 'landing.withoutOne') : label,
      landing: undefined,
      ...figuresOf(id),
    }))
  return [...known, ...others]
}
