import { Anchor, Button, Group, Table } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { adjustmentApi, type AdjustmentRow } from '#contract/money/adjustment.ts'
import { ledgerApi } from '#contract/money/ledger.ts'
import { MAX_PAGE_SIZE } from '#contract/paging.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { day } from '#web/format.ts'
import { GIVEN_STATE } from '#web/features/money/invoice/adjustment/adjustment-words.ts'
import { GiveBackDialog } from '#web/features/money/invoice/adjustment/give-back-dialog.tsx'
import { GiveDialog } from '#web/features/money/invoice/adjustment/give-dialog.tsx'
import { PrepayDialog } from '#web/features/money/invoice/adjustment/prepay-dialog.tsx'
import { VoidDialog } from '#web/features/money/invoice/adjustment/void-dialog.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { RowMenu } from '#web/kit/table/row-menu.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

const FIRST = 10
type Affiliate = { uuid: string; name: string }

/** What staff booked for an affiliate beside its conversions, what became of it, and what more can be booked. */
export function AdjustmentPanel({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('invoice')
  const [count, setCount] = useState(FIRST)
  const [voided, setVoided] = useState<AdjustmentRow>()
  const [returned, setReturned] = useState<AdjustmentRow>()
  const found = useQuery({
    ...query(adjustmentApi.list, { body: { affiliate_uuid: affiliate.uuid, count } }),
    placeholderData: keepPreviousData,
  })
  return (
    <Panel title={t('given.title')} text={t('given.text')} actions={<Give affiliate={affiliate} />}>
      <QueryPage query={found} failed={t('given.failed')}>
        {({ list, summary }) =>
          list.length === 0 ? (
            <p className="ohma-soft">{t('given.none')}</p>
          ) : (
            <>
              <TableScroll label={t('given.title')} minWidth={460}>
                <Table verticalSpacing={8} horizontalSpacing={8} tabularNums>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{t('adjust.kind')}</Table.Th>
                      <Table.Th ta="right">{t('adjust.amount')}</Table.Th>
                      <Table.Th>{t('adjust.note')}</Table.Th>
                      <Table.Th aria-label={t('given.actions')} />
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {list.map((row) => (
                      <Row key={row.uuid} row={row} onVoid={() => setVoided(row)} onReturn={() => setReturned(row)} />
                    ))}
                  </Table.Tbody>
                </Table>
              </TableScroll>
              {summary.rows > list.length && count < MAX_PAGE_SIZE && (
                <Button variant="default" size="compact-sm" onClick={() => setCount(Math.min(count + 40, MAX_PAGE_SIZE))}>
                  {t('given.more', { number: summary.rows })}
                </Button>
              )}
            </>
          )
        }
      </QueryPage>
      {voided && <VoidDialog of={voided} name={affiliate.name} onClose={() => setVoided(undefined)} />}
      {returned && <GiveBackDialog of={returned} name={affiliate.name} onClose={() => setReturned(undefined)} />}
    </Panel>
  )
}

function Row({ row, onVoid, onReturn }: { row: AdjustmentRow; onVoid: () => void; onReturn: () => void }) {
  const { t } = useTranslation('invoice')
  const { invoice } = row
  const under = [row.made_by, row.internal_note, row.reason].filter(Boolean).join(' · ')
  return (
    <Table.Tr>
      <Table.Td>
        {t(`given.kind.${row.kind}`)}
        <div className="ohma-soft">{day(row.day)}</div>
      </Table.Td>
      <Table.Td ta="right">
        <Money amount={row.amount} currency={row.currency} column />
        <Group gap={6} justify="flex-end">
          {row.state === 'proposed' ? (
            <Anchor component={Link} to={`${screenHref('billing')}?view=proposals`} fz={13}>
              {t('given.state.proposed')}
            </Anchor>
          ) : (
            <Status of={GIVEN_STATE} value={row.state} />
          )}
          {invoice !== null && (
            <Anchor component={Link} to={screenHref('invoiceDetail', { uuid: invoice.uuid })} fz={13}>
              {invoice.number ?? `#${invoice.id}`}
            </Anchor>
          )}
        </Group>
      </Table.Td>
      <Table.Td>
        {row.note}
        <div className="ohma-soft">{under}</div>
      </Table.Td>
      <Table.Td ta="right">
        {row.may_void && <RowMenu actions={[{ id: 'void', label: t('given.void'), danger: true, onClick: onVoid }]} />}
        {row.may_give_back && <RowMenu actions={[{ id: 'giveBack', label: t('giveBack'), danger: true, onClick: onReturn }]} />}
      </Table.Td>
    </Table.Tr>
  )
}

/** What the caller may book; the currency is the one the affiliate has most likely. */
function Give({ affiliate }: { affiliate: Affiliate }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const { currency: all } = useConstants()
  const [open, setOpen] = useState<'give' | 'end' | 'prepay'>()
  const accounts = useQuery(query(ledgerApi.accounts, { body: { owner: 'affiliate', uuid: affiliate.uuid } }, { quiet: true })).data
  const currency = accounts?.list[0]?.currency ?? all[0]?.value ?? 'USD'
  const close = () => setOpen(undefined)
  const button = (id: 'give' | 'end' | 'prepay', label: ReactNode) => (
    <Button variant="default" onClick={() => setOpen(id)}>
      {label}
    </Button>
  )
  return (
    <Group gap="xs">
      {can('billing.write') && button('give', t('given.give'))}
      {can('billing.pay') && button('prepay', t('given.prepay'))}
      {can('billing.approve') && button('end', t('given.end'))}
      {open === 'prepay' && <PrepayDialog affiliate={affiliate} currency={currency} onClose={close} />}
      {(open === 'give' || open === 'end') && (
        <GiveDialog affiliate={affiliate} currency={currency} ends={open === 'end'} onClose={close} />
      )}
    </Group>
  )
}
