import { Table, Text, TextInput } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { money } from '#web/format.ts'
import { amountTyped } from '#web/features/money/receivable/receivable-words.ts'
import { decimalText } from '#web/kit/fields/decimal.ts'

type Part = {
  invoice_uuid: string
  number: string
  /** When it is due, or what else is said of it. */ said: string | null
  most: string
  /** What stands in its field. */ text: string
}
type PartsTableProps = {
  list: readonly Part[]
  currency: string
  /** What the middle column is. */ most: string
  onType: (invoice: string, text: string) => void
}

/** For which invoices a receipt is: each with what it can take, and a field for what it gets. */
export function PartsTable({ list, currency, most, onType }: PartsTableProps) {
  const { t } = useTranslation('receivable')
  return (
    <Table verticalSpacing={4} horizontalSpacing={6} tabularNums aria-label={t('receipt.parts')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('receipt.parts')}</Table.Th>
          <Table.Th ta="right">{most}</Table.Th>
          <Table.Th ta="right" w={140}>
            {t('receipt.part')}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {list.map((row) => (
          <Table.Tr key={row.invoice_uuid}>
            <Table.Td>
              {row.number}
              {row.said !== null && (
                <Text fz={12.5} c="dimmed">
                  {row.said}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="right">{money(row.most, currency)}</Table.Td>
            <Table.Td>
              <TextInput
                aria-label={`${t('receipt.part')}, ${row.number}`}
                inputMode="decimal"
                size="xs"
                styles={{ input: { textAlign: 'right' } }}
                value={row.text}
                error={amountTyped(row.text) === null ? t('receipt.noAmount') : undefined}
                onChange={({ currentTarget: { value } }) => onType(row.invoice_uuid, value)}
                onBlur={() => decimalText(row.text) !== row.text && onType(row.invoice_uuid, decimalText(row.text))}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
