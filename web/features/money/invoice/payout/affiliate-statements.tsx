import { Button, Group, Table } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { affiliateStatementApi } from '#contract/money/statement.ts'
import { call } from '#web/api/call.ts'
import { query } from '#web/api/query.ts'
import { saveStatement, STATEMENT_KINDS } from '#web/features/money/invoice/payout/save-statement.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Moment } from '#web/kit/show/moment.tsx'

/** The months of one affiliate as they stood when they were over, for staff who see money. */
export function AffiliateStatements({ affiliate }: { affiliate: string }) {
  const { t } = useTranslation('request')
  const found = useQuery(query(affiliateStatementApi.list, { body: { affiliate_uuid: affiliate, count: 100 } }))
  return (
    <Panel title={t('statements')} text={t('statements.staffText')}>
      <QueryPage query={found} failed={t('statements.failed')}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="ohma-soft">{t('statements.noneText')}</p>
          ) : (
            <Table.ScrollContainer minWidth={0} mah={420}>
              <Table verticalSpacing={6} horizontalSpacing={0} tabularNums>
                <Table.Tbody>
                  {list.map(({ uuid, month, made_at }) => (
                    <Table.Tr key={uuid}>
                      <Table.Td>
                        {month}{' '}
                        <span className="ohma-soft">
                          · <Moment at={made_at} />
                        </span>
                      </Table.Td>
                      <Table.Td>
                        <Group gap={6} justify="flex-end" wrap="nowrap">
                          {STATEMENT_KINDS.map((kind) => (
                            <Button
                              key={kind}
                              size="compact-sm"
                              variant="default"
                              leftSection={<IconDownload size={14} aria-hidden />}
                              aria-label={`${t('download', { kind: t(kind) })}, ${month}`}
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
            </Table.ScrollContainer>
          )
        }
      </QueryPage>
    </Panel>
  )
}
