import { Table, Text } from '@mantine/core'
import { sharedDecimals } from '#web/format.ts'
import { Money } from '#web/kit/show/money.tsx'

type Row = { title: string; about: string; amount: string }

/** What an invoice of either side is made of, each with what it makes: figures below each other, none rounded. */
export function MadeOf({ rows, currency }: { rows: readonly Row[]; currency: string }) {
  const decimals = sharedDecimals(
    rows.map(({ amount }) => amount),
    currency,
  )
  return (
    <Table verticalSpacing={6} horizontalSpacing={0} tabularNums>
      <Table.Tbody>
        {rows.map(({ title, about, amount }) => (
          <Table.Tr key={`${title} ${about}`}>
            <Table.Td>
              {title}
              <Text fz={12.5} c="dimmed">
                {about}
              </Text>
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={amount} currency={currency} exact decimals={decimals} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
