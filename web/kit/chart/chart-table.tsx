import { Table } from '@mantine/core'
import { UNKNOWN } from '#web/format.ts'
import type { ChartData } from '#web/kit/chart/series.ts'

/** The figures of a chart as a table. */
export function ChartTable({ labels, series, format, soFar, label, height }: ChartData & { label: string; height: number }) {
  return (
    // a box that scrolls must be reachable by keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div style={{ maxHeight: height, overflow: 'auto' }} tabIndex={0} role="region" aria-label={label}>
      <Table stickyHeader tabularNums fz={13} horizontalSpacing="sm" verticalSpacing={5}>
        <Table.Thead bg="var(--ohma-surface)">
          <Table.Tr>
            <Table.Td />
            {series.map((one) => (
              <Table.Th key={one.id} ta="right">
                {one.name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {labels.map((point, index) => (
            <Table.Tr key={point}>
              <Table.Th scope="row">{index === labels.length - 1 ? (soFar ?? point) : point}</Table.Th>
              {series.map((one) => {
                const value = one.values[index]
                return (
                  <Table.Td key={one.id} ta="right" title={one.labels?.[index]}>
                    {value === null || value === undefined ? UNKNOWN : format(value)}
                  </Table.Td>
                )
              })}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
