import { Table, Text } from '@mantine/core'
import { isNothing, type Currency } from '#contract/money/amount.ts'
import { decimalsOf } from '#web/format.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leftOf, roundingOf } from '#web/invoice/rounding.ts'
import { Money } from '#web/kit/show/money.tsx'

type Row = { title: string; about?: string; amount: string }
type MadeOfProps = {
  rows: readonly Row[]
  /** Everything it has lines for, exactly: what the rows leave of it is told as others. */
  lines: readonly { amount: string }[]
  /** What the lines come to on it. */
  net: string
  currency: Currency
}

/** What an invoice of either side is made of, each with what it makes, as people write money; what that leaves to its net is rounding. */
export function MadeOf({ rows, lines, net, currency }: MadeOfProps) {
  const { t } = useTranslation('ledger')
  const others = leftOf(lines, rows)
  const all: Row[] = isNothing(others) ? [...rows] : [...rows, { title: t('made.others'), amount: others }]
  const rounding = roundingOf(net, all, decimalsOf(currency))
  if (!isNothing(rounding)) all.push({ title: t('account.rounding'), about: t('made.rounding'), amount: rounding })
  return (
    <Table verticalSpacing={6} horizontalSpacing={0} tabularNums>
      <Table.Tbody>
        {all.map(({ title, about, amount }) => (
          <Table.Tr key={`${title} ${about}`}>
            <Table.Td>
              {title}
              {about !== undefined && (
                <Text fz={12.5} c="dimmed">
                  {about}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right">
              <Money amount={amount} currency={currency} column />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
      <Table.Tfoot>
        <Table.Tr>
          <Table.Th c="inherit">{t('made.net')}</Table.Th>
          <Table.Th ta="right" c="inherit">
            <Money amount={net} currency={currency} column />
          </Table.Th>
        </Table.Tr>
      </Table.Tfoot>
    </Table>
  )
}
