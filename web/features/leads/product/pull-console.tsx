import { Button, Group, Paper, Stack, Table, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { productApi, type ProductDetail } from '#contract/leads/product.ts'
import { useSave } from '#web/api/query.ts'
import { callReasonWords } from '#web/call-reason.ts'
import { CopyField } from '#web/kit/show/copy-field.tsx'
import { MadeCalls } from '#web/features/leads/product/made-calls.tsx'
import { wordsOf } from '#web/kit/status/status-look.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import classes from './product.module.css'

/** Asks the advertiser's system what became of leads of the last days, and changes nothing. */
export function PullConsole({ product }: { product: ProductDetail }) {
  const { t } = useTranslation('product')
  const { t: integration } = useTranslation('integration')
  const [days, setDays] = useState('7')
  const pull = useSave(productApi.testPull, { invalidate: [] })
  const { data } = pull
  return (
    <Paper withBorder p={20} component="section" aria-label={t('pull')}>
      <Stack gap={14}>
        <div>
          <h3 className={classes.title}>{t('pull')}</h3>
          <p className="ohma-soft">{t('pullText')}</p>
        </div>
        <CopyField label={t('push')} text={`${window.location.origin}${product.push_path}`} />
        <p className="ohma-soft">{t('pushText')}</p>
        <Group align="flex-end" gap={12}>
          <TextInput
            label={t('pull.days')}
            inputMode="numeric"
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
            w={140}
          />
          <Button
            variant="default"
            loading={pull.isPending}
            disabled={!/^([1-9]|[12]\d|3[01])$/.test(days)}
            onClick={() =>
              pull.mutate({ params: { uuid: product.uuid }, body: { version_number: product.version_number, days: Number(days), ids: [] } })
            }
          >
            {t('pull.ask')}
          </Button>
        </Group>
        {data !== undefined && (
          <>
            <Text fz={14} role="status">
              {data.problem === ''
                ? t('pull.rows', { count: data.rows.length })
                : t('pull.problem', { problem: callReasonWords(data.problem, wordsOf(t)) })}
            </Text>
            {data.rows.length > 0 && (
              <TableScroll label={t('pull')} minWidth={520} maxHeight={360}>
                <Table aria-label={t('pull')}>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('pull.id')}</Table.Th>
                      <Table.Th>{t('pull.status')}</Table.Th>
                      <Table.Th>{t('pull.meaning')}</Table.Th>
                      <Table.Th>{t('pull.amount')}</Table.Th>
                      {hasPayments(data.rows) && <Table.Th>{t('pull.payment')}</Table.Th>}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {data.rows.map((row, index) => (
                      // a lead may have several payments
                      <Table.Tr key={index}>
                        <Table.Td>{row.id}</Table.Td>
                        <Table.Td>{row.status}</Table.Td>
                        <Table.Td>
                          {row.sale
                            ? t('pull.sale')
                            : row.meaning === null
                              ? t('pull.unknown')
                              : integration(`callStatus.${row.meaning}` as 'callStatus.new')}
                        </Table.Td>
                        <Table.Td className="ohma-number">{row.amount}</Table.Td>
                        {hasPayments(data.rows) && <Table.Td>{row.nameless ? t('pull.nameless') : row.transaction}</Table.Td>}
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
            )}
            <MadeCalls calls={data.calls} />
          </>
        )}
      </Stack>
    </Paper>
  )
}

/** Whether any row tells its payment, or should and does not. */
function hasPayments(rows: readonly { transaction: string; nameless: boolean }[]): boolean {
  return rows.some(({ transaction, nameless }) => nameless || transaction !== '')
}
