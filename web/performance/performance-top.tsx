import { Anchor, Group, SegmentedControl, Skeleton, Table } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Report } from '#contract/traffic/report.ts'
import { useKeyLabel } from '#web/features/traffic/report/key-label.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import type { Preset } from '#web/period.ts'
import { integer } from '#web/format.ts'
import { formatMetric } from '#web/format-metric.ts'
import { Flag } from '#web/kit/show/flag.tsx'
import { statisticsHref, type Performer, type Top } from '#web/performance/performer.ts'
import { useViewport } from '#web/viewport.ts'

type PerformanceTopProps = {
  of: Performer
  by: Top
  tops: readonly Top[]
  onBy: (by: string) => void
  /** undefined until the first answer. */
  rows: Report['list'] | undefined
  /** How many there are in all. */
  all: number
  metrics: readonly MetricId[]
  /** The one they are in the order of. */
  figure: MetricId
  currency: string
  preset: Preset
}

/** The largest lines of a thing, each the way to its figures in statistics. */
export function PerformanceTop({ of, by, tops, onBy, rows, all, metrics: wide, figure, currency, preset }: PerformanceTopProps) {
  const { t } = useTranslation('performance')
  const { t: metric } = useTranslation('metric')
  const { t: dimension } = useTranslation('dimension')
  const labelOf = useKeyLabel()
  // a phone has room for two, and the one that is looked at
  const first: readonly MetricId[] = [of.leads ? 'leads' : 'clicks', 'conversions']
  const narrow = wide.filter((id) => first.includes(id) || id === (first.includes(figure) ? 'payout' : figure))
  const metrics = useViewport() === 'mobile' ? narrow : wide
  return (
    <div style={{ minWidth: 0 }}>
      <Group justify="space-between" gap="8px 16px" mb={8}>
        <h3>{t(by === 'day' ? 'latest' : 'top')}</h3>
        <SegmentedControl
          size="xs"
          aria-label={t('by')}
          value={by}
          onChange={onBy}
          data={tops.map((id) => ({ value: id as string, label: dimension(id) }))}
        />
      </Group>
      {rows === undefined ? (
        <Skeleton height={180} />
      ) : (
        <TableScroll label={t('title')} minWidth={0}>
          <Table horizontalSpacing={0} verticalSpacing={5} tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th miw={150}>{dimension(by)}</Table.Th>
                {metrics.map((id) => (
                  <Table.Th key={id} ta="right" pl="md">
                    {metric(id)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ keys: [key], values }) => {
                if (key === undefined) return null
                const label = labelOf(by, key)
                return (
                  <Table.Tr key={key.id}>
                    <Table.Td miw={150}>
                      <Anchor
                        component={Link}
                        to={statisticsHref(of, { preset, group: [by], line: { by, id: key.id } })}
                        title={t('openLine', { name: label })}
                        style={{ overflowWrap: 'anywhere' }}
                      >
                        {by === 'geo' && <Flag country={key.id} />} {label}
                      </Anchor>
                    </Table.Td>
                    {metrics.map((id) => (
                      <Table.Td key={id} ta="right" pl="md" style={{ whiteSpace: 'nowrap' }}>
                        {formatMetric(id, values[id], currency)}
                      </Table.Td>
                    ))}
                  </Table.Tr>
                )
              })}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
      {rows !== undefined && all > rows.length && (
        <Anchor component={Link} to={statisticsHref(of, { preset, group: [by] })} size="sm" mt={8} display="inline-block">
          {t('all', { count: all, number: integer(all) })}
        </Anchor>
      )}
    </div>
  )
}
