import { Anchor, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { billingRunApi } from '#contract/money/billing-run.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { LEFT_OUT } from '#contract/money/run-shape.ts'
import { query } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { RUN_STATE } from '#web/features/money/invoice/payout/payout-words.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

type Result = CallOutput<typeof billingRunApi.failures>

/** What came of a run that is over: its invoices, and who got none, or something else than the preview said. */
export function RunResult({ run }: { run: Result['run'] }) {
  const { t } = useTranslation('request')
  const can = useCan()
  const found = useQuery(query(billingRunApi.failures, { params: { uuid: run.uuid } }))
  const sums = run.amounts.map(({ net, currency }) => money(net, currency)).join(' · ')
  const isEmpty = run.state === 'empty'
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Status of={RUN_STATE} value={run.state} />
          <Text fz={14}>{run.made === 0 ? t('run.none') : t('run.made', { count: run.made, number: integer(run.made), sums })}</Text>
        </Group>
        {run.made > 0 && (
          <Anchor component={Link} fz={14} to={invoicesOf(run)}>
            {t('showInvoices')}
          </Anchor>
        )}
        {isEmpty && can('billing.write') && (
          <Anchor component={Link} fz={14} to={byHand(run)}>
            {t('why.byHand')}
          </Anchor>
        )}
      </Group>
      {isEmpty && <p className="ohma-soft">{t('why.empty')}</p>}
      <QueryPage query={found} failed={t('preview.failed')}>
        {({ list }) => (list.length > 0 ? <Odd run={run} list={list} /> : run.made > 0 && <p className="ohma-soft">{t('why.none')}</p>)}
      </QueryPage>
    </Stack>
  )
}

function Odd({ run, list }: Result) {
  const { t } = useTranslation('request')
  const screen = run.side === 'affiliates' ? ('affiliateEdit' as const) : ('advertiserEdit' as const)
  const tab = run.side === 'affiliates' ? 'money' : 'billing'
  const whyOf = useWhy()
  return (
    <TableScroll label={t('why.title')} minWidth={420} stacked>
      <Table verticalSpacing={6} tabularNums aria-label={t('why.title')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('why.whose')}</Table.Th>
            <Table.Th ta="right">{t('why.expected')}</Table.Th>
            <Table.Th>{t('why.what')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row) => (
            <Table.Tr key={`${row.party_uuid} ${row.currency}`}>
              <Table.Td>
                <Anchor component={Link} fz="inherit" to={`${screenHref(screen, { uuid: row.party_uuid })}?tab=${tab}`}>
                  {row.party}
                </Anchor>
              </Table.Td>
              <Table.Td ta="right" data-label={t('why.expected')}>
                <Money amount={row.expected} currency={row.currency} column />
              </Table.Td>
              <Table.Td>{whyOf(row)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {list.length === MOST_TOLD && <p className="ohma-soft">{t('why.more')}</p>}
    </TableScroll>
  )
}

/** So many the server tells of a run. */
const MOST_TOLD = 100

function useWhy(): (row: Result['list'][number]) => string {
  const { t } = useTranslation('request')
  const { t: invoice } = useTranslation('invoice')
  return ({ state, reason, expected, net, currency }) => {
    const known = LEFT_OUT.find((one) => one === reason)
    if (known !== undefined) return invoice(`left.${known}`)
    if (state === 'failed') return t('why.failed', { reason })
    return t('why.other', { expected: money(expected, currency), net: money(net, currency) })
  }
}

function invoicesOf({ side, uuid }: Result['run']): string {
  return `${screenHref('billing')}?${side === 'affiliates' ? '' : 'view=advertisers&part=invoices&'}run=${uuid}`
}

/** The same period, asked for by hand. */
function byHand({ side, period_from, period_to, schedule }: Result['run']): string {
  const asked = { ...(period_from !== null && { from: period_from }), to: period_to }
  return side === 'affiliates'
    ? `${screenHref('invoiceCreate')}?${new URLSearchParams({ ...asked, ...(schedule !== null && { schedule }) })}`
    : `${screenHref('billing')}?${new URLSearchParams({ view: 'advertisers', part: 'new', ...asked })}`
}
