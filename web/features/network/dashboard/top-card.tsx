import { Anchor, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { staffDashboard } from '#contract/network/dashboard.ts'
import type { MetricId } from '#contract/traffic/metric.ts'
import type { Currency } from '#contract/money/amount.ts'
import { formatMetric } from '#web/format-metric.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { ScreenLink } from '#web/shell/screen-link.tsx'

type Top = z.output<typeof staffDashboard>['top_offers']

type TopCardProps = {
  /** What the rows are: the report is narrowed to one by it. */
  of: 'offer' | 'affiliate' | 'geo'
  title: string
  rows: Top
  metrics: readonly MetricId[]
  currency: Currency
  name: (key: Top[number]['key']) => ReactNode
}

/** The largest of the last thirty days. */
export function TopCard({ of, title, rows, metrics, currency, name }: TopCardProps) {
  const { t } = useTranslation('dashboard')
  const metric = useTranslation('metric')
  return (
    <Panel title={title} actions={<span className="ohma-soft">{t('last30')}</span>}>
      {rows.length === 0 ? (
        <p className="ohma-soft">{t('nothingYet')}</p>
      ) : (
        <Table horizontalSpacing={0} verticalSpacing={6} tabularNums>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="50%">
                <span className="ohma-silent">{title}</span>
              </Table.Th>
              {metrics.map((id) => (
                <Table.Th key={id} ta="right" pl="sm">
                  {metric.t(id)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.slice(0, 6).map(({ key, values }) => (
              <Table.Tr key={key.id}>
                <Table.Td maw={0}>
                  <Anchor
                    component={ScreenLink}
                    c="inherit"
                    fz="inherit"
                    to="statisticDirectGeneral"
                    search={`?period=last_30_days&is.${of}=${encodeURIComponent(key.uuid ?? key.id)}&group=day`}
                    className="ohma-clip"
                  >
                    {name(key)}
                  </Anchor>
                </Table.Td>
                {metrics.map((id) => (
                  <Table.Td key={id} ta="right" pl="sm">
                    {formatMetric(id, values[id], currency)}
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
