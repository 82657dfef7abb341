import { Button, Group, Table } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { affiliateStatementApi } from '#contract/money/statement.ts'
import { call } from '#web/api/call.ts'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { monthName } from '#web/month-name.ts'
import { query } from '#web/api/query.ts'
import { StatementSums } from '#web/features/money/invoice/payout/statement-sums.tsx'
import { exactTime } from '#web/format.ts'
import { saveStatement, STATEMENT_KINDS } from '#web/features/money/invoice/payout/save-statement.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

const FIGURES = ['opening', 'earned', 'paid', 'closing'] as const

/** The months of one affiliate as they stood when they were over, for staff who see money. */
export function AffiliateStatements({ affiliate }: { affiliate: string }) {
  const { t } = useTranslation('request')
  const zone = useZone()
  const found = useQuery(query(affiliateStatementApi.list, { body: { affiliate_uuid: affiliate, count: 100 } }))
  return (
    <Panel title={t('statements')} text={t('statements.staffText')}>
      <QueryPage query={found} failed={t('statements.failed')}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="ohma-soft">{t('statements.noneText')}</p>
          ) : (
            <TableScroll label={t('statements')} minWidth={640} maxHeight={420}>
              <Table verticalSpacing={6} horizontalSpacing={8} tabularNums>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('month')}</Table.Th>
                    {FIGURES.map((figure) => (
                      <Table.Th key={figure} ta="right">
                        {t(`statement.${figure}`)}
                      </Table.Th>
                    ))}
                    <Table.Th />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {list.map(({ uuid, month, made_at, sums }) => (
                    <Table.Tr key={uuid}>
                      <Table.Td>
                        <span title={exactTime(made_at, zone)}>{monthName(month)}</span>
                      </Table.Td>
                      {FIGURES.map((figure) => (
                        <Table.Td key={figure} ta="right">
                          <StatementSums of={sums} figure={figure} />
                        </Table.Td>
                      ))}
                      <Table.Td>
                        <Group gap={6} justify="flex-end" wrap="nowrap">
                          {STATEMENT_KINDS.map((kind) => (
                            <Button
                              key={kind}
                              size="compact-sm"
                              variant="default"
                              leftSection={<IconDownload size={14} aria-hidden />}
                              aria-label={`${t('download', { kind: t(kind) })}, ${monthName(month)}`}
                              onClick={() =>
                                void saveStatement(month, kind, {
                                  pdf: () => call(affiliateStatementApi.pdf, { body: { affiliate_uuid: affiliate, uuid } }),
                                  texts: () => call(affiliateStatementApi.get, { body: { affiliate_uuid: affiliate, uuid } }),
                                })
                              }
                            >
                              {t(kind)}
                            </Button>
                          ))}
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </TableScroll>
          )
        }
      </QueryPage>
    </Panel>
  )
}
