import { Anchor, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { advertiserInvoiceApi } from '#contract/money/advertiser-invoice.ts'
import { billingRunApi } from '#contract/money/billing-run.ts'
import { addAmounts } from '#contract/money/amount.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query, useSave } from '#web/api/query.ts'
import { day, integer, money } from '#web/format.ts'
import { SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { periodOf } from '#web/invoice/days.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { notify } from '#web/notify.ts'
import { screenHref, useCan } from '#web/shell/access.ts'
import { useViewport } from '#web/viewport.ts'
import { ByHand } from './by-hand.tsx'
import { RunResult } from './run-result.tsx'
import { RunCards } from './run-cards.tsx'
import { useRunRemark } from './use-run-remark.ts'

type RunPanelProps = { uuid: string; among: readonly string[]; onShow: (uuid: string) => void; onClose: () => void }

/** What a proposed run would make, before it is made; of one that was made, what came out otherwise. */
export function RunPanel({ uuid, among, onShow, onClose }: RunPanelProps) {
  const { t } = useTranslation('request')
  const found = useQuery(query(billingRunApi.preview, { params: { uuid } }))
  const period = found.data === undefined ? '' : periodOf(found.data.run)
  return (
    <SidePanel title={t('preview.title', { period })} size={1080} open={uuid} among={among} onShow={onShow} onClose={onClose}>
      <QueryPage query={found} failed={t('preview.failed')}>
        {(preview) => (preview.run.state === 'proposed' ? <ToMake preview={preview} onMade={onClose} /> : <RunResult run={preview.run} />)}
      </QueryPage>
    </SidePanel>
  )
}

function ToMake({ preview: { run, list, more }, onMade }: { preview: Preview; onMade: () => void }) {
  const { t } = useTranslation('request')
  const phone = useViewport() === 'mobile'
  const can = useCan()
  const those = list.filter(({ left_out }) => left_out === null)
  const sums = [...Map.groupBy(those, ({ currency }) => currency)]
    .map(([currency, rows]) => money(addAmounts(...rows.map(({ total }) => total)), currency))
    .join(' · ')
  const make = useSave(billingRunApi.make, {
    invalidate: [billingRunApi.list, billingRunApi.preview, advertiserInvoiceApi.list, ...SHOW_INVOICES],
    onSuccess: ({ made }) => {
      notify.success(t('make.toast', { count: made, number: integer(made) }))
      onMade()
    },
  })
  const words = { count: those.length, number: integer(those.length) }
  const makeAll = async () => {
    if (
      await confirm({
        title: t('make.ask'),
        text: t(run.side === 'affiliates' ? 'make.text' : 'make.textAdvertisers', { sums }),
        action: t('make', words),
        careful: true,
      })
    )
      make.mutate({ params: { uuid: run.uuid } })
  }
  if (list.length === 0) return <p className="ohma-soft">{t('preview.none')}</p>
  return (
    <Stack>
      <Group justify="space-between">
        <Text fw={600}>{sums}</Text>
        {can('billing.write') && (
          <ReasonButton why={those.length === 0 ? t('make.nothing') : undefined} loading={make.isPending} onClick={() => void makeAll()}>
            {t('make', words)}
          </ReasonButton>
        )}
      </Group>
      {more && <p className="ohma-soft">{t('preview.more')}</p>}
      {phone ? <RunCards list={list} /> : <Rows side={run.side} list={list} />}
    </Stack>
  )
}

type Preview = CallOutput<typeof billingRunApi.preview>
type RowsProps = { side: Preview['run']['side']; list: Preview['list'] }

function Rows({ side, list }: RowsProps) {
  const remark = useRunRemark()
  const { t } = useTranslation('request')
  const { t: invoice } = useTranslation('invoice')
  return (
    <TableScroll label={invoice('preview')} minWidth={560} stacked>
      <Table verticalSpacing={6} tabularNums>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t(side === 'affiliates' ? 'affiliate' : 'advertiser')}</Table.Th>
            <Table.Th ta="right">{t('conversions')}</Table.Th>
            <Table.Th ta="right">{t('net')}</Table.Th>
            <Table.Th ta="right">{invoice('vat')}</Table.Th>
            <Table.Th ta="right">{invoice('total')}</Table.Th>
            {side === 'affiliates' && <Table.Th>{t('method')}</Table.Th>}
            <Table.Th>{t('due')}</Table.Th>
            <Table.Th>{t('leftOut')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {list.map((row) => (
            <Table.Tr key={`${(row.affiliate ?? row.advertiser)?.uuid} ${row.currency}`} c={row.left_out === null ? undefined : 'dimmed'}>
              <Table.Td>
                {row.affiliate?.name}
                {row.advertiser !== null && (
                  <Anchor component={Link} fz="inherit" to={`${screenHref('advertiserEdit', { uuid: row.advertiser.uuid })}?tab=billing`}>
                    {row.advertiser.name}
                  </Anchor>
                )}
                {row.mode !== null && (
                  <Text fz={12.5} c="dimmed">
                    {invoice(`mode.${row.mode}`)}
                  </Text>
                )}
                {row.later !== null && (
                  <Text fz={12.5} c="var(--ohma-waiting)">
                    {invoice('laterChanges', { sum: money(row.later, row.currency) })}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="right" data-label={t('conversions')}>
                {integer(row.conversions)}
              </Table.Td>
              <Table.Td ta="right" data-label={t('net')}>
                <Money amount={row.net} currency={row.currency} column />
              </Table.Td>
              <Table.Td ta="right" data-label={invoice('vat')}>
                <Money amount={row.vat} currency={row.currency} column />
              </Table.Td>
              <Table.Td ta="right" data-label={invoice('total')}>
                <Money amount={row.total} currency={row.currency} column />
              </Table.Td>
              {side === 'affiliates' && (
                <Table.Td data-label={t('method')}>
                  <SystemName code={row.payment_system} />
                </Table.Td>
              )}
              <Table.Td data-label={t('due')}>{day(row.due_day)}</Table.Td>
              <Table.Td>
                {remark(row)}
                <ByHand row={row} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroll>
  )
}
