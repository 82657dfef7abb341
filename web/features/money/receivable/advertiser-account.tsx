import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link, useSearchParams } from 'react-router'
import type { CallOutput } from '#contract/endpoint.ts'
import { advertiserBillingApi, AGES } from '#contract/money/advertiser-billing.ts'
import { query } from '#web/api/query.ts'
import { day, integer, money } from '#web/format.ts'
import { CreditBar } from '#web/features/money/receivable/credit-bar.tsx'
import { ADVERTISER_INVOICE_STATUS, isNone } from '#web/features/money/receivable/receivable-words.ts'
import { ReceiptDialog } from '#web/features/money/receivable/receipt-dialog.tsx'
import { TermsDialog } from '#web/features/money/receivable/terms-dialog.tsx'
import { Unbilled } from '#web/features/money/receivable/unbilled.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { TableScroll } from '#web/kit/table/table-scroll.tsx'
import { screenHref, useCan } from '#web/shell/access.ts'

type Account = CallOutput<typeof advertiserBillingApi.account>

/** What one advertiser owes in each currency, and how its invoices stand; who sees billing goes on from here. */
export function AdvertiserAccount({ uuid, name }: { uuid: string; name: string }) {
  const { t } = useTranslation('receivable')
  const readsBilling = useCan()('billing.read')
  return (
    <QueryPage query={useQuery(query(advertiserBillingApi.account, { params: { uuid } }))} failed={t('failedList')}>
      {(account) => (
        <Stack>
          {account.balances.length === 0 && (
            <Panel title={t('balances')}>
              <p className="ohma-soft">{t('account.none')}</p>
            </Panel>
          )}
          <PageColumns>
            {account.balances.map((one) => (
              <Balance key={one.currency} of={one} />
            ))}
          </PageColumns>
          {readsBilling && (
            <Panel title={t('unbilled')} actions={<Onward uuid={uuid} name={name} currency={account.balances[0]?.currency} />}>
              <Unbilled advertiser={uuid} />
            </Panel>
          )}
          <Invoices invoices={account.invoices} linked={readsBilling} />
        </Stack>
      )}
    </QueryPage>
  )
}

function Onward({ uuid, name, currency }: { uuid: string; name: string; currency: string | undefined }) {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const [search] = useSearchParams()
  // the way out of a used up credit leads here
  const [open, setOpen] = useState<'terms' | 'receipt' | undefined>(search.has('receipt') && can('billing.pay') ? 'receipt' : undefined)
  const close = () => setOpen(undefined)
  const to = (part: string) => `${screenHref('billing')}?${new URLSearchParams({ view: 'advertisers', part, advertiser: uuid })}`
  return (
    <Group gap="md">
      <Anchor component={Link} to={to('new')} fz={14}>
        {t('makeInvoice')}
      </Anchor>
      <Anchor component={Link} to={`${screenHref('billing')}?view=advertisers&advertiser_uuid=${uuid}`} fz={14}>
        {t('toBilling')}
      </Anchor>
      <Anchor
        component={Link}
        to={`${screenHref('billing')}?${new URLSearchParams({ view: 'reconcile', of: uuid, advertiser_uuid: uuid })}`}
        fz={14}
      >
        {t('reconcile')}
      </Anchor>
      {can('billing.pay') && (
        <Button size="compact-sm" variant="default" onClick={() => setOpen('receipt')}>
          {t('receipt.book')}
        </Button>
      )}
      {can('billing.approve') && (
        <Button size="compact-sm" variant="default" onClick={() => setOpen('terms')}>
          {t('terms')}
        </Button>
      )}
      {open === 'terms' && <TermsDialog advertiser={{ uuid, name }} onClose={close} />}
      {open === 'receipt' && <ReceiptDialog advertiser={{ uuid, name }} suggested={currency} onClose={close} />}
    </Group>
  )
}

function Balance({ of }: { of: Account['balances'][number] }) {
  const { t } = useTranslation('receivable')
  const { currency } = of
  const sum = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <Panel title={t('account.balance', { currency })}>
      <Facts
        of={[
          [t('not_invoiced'), sum(of.not_invoiced)],
          [t('invoiced'), sum(of.invoiced)],
          ...AGES.filter((age) => !isNone(of.overdue[age])).map((age) => [t(`overdue.${age}`), sum(of.overdue[age])] as const),
          [t('received'), sum(of.received)],
          [t('prepaid'), sum(of.prepaid)],
          [t('exposure'), sum(of.exposure)],
          ...(of.credit_limit === null ? [] : [[t('credit'), <CreditBar key="credit" of={of} name={currency} />] as const]),
        ]}
      />
    </Panel>
  )
}

function Invoices({ invoices, linked }: { invoices: Account['invoices']; linked: boolean }) {
  const { t } = useTranslation('receivable')
  return (
    <Panel title={t('part.invoices')}>
      {invoices.length === 0 ? (
        <p className="ohma-soft">{t('account.noInvoices')}</p>
      ) : (
        <TableScroll label={t('part.invoices')} minWidth={560} stacked>
          <Table verticalSpacing={6} tabularNums>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('number')}</Table.Th>
                <Table.Th>{t('status')}</Table.Th>
                <Table.Th>{t('due_day')}</Table.Th>
                <Table.Th ta="right">{t('total')}</Table.Th>
                <Table.Th ta="right">{t('open')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {invoices.map((one) => (
                <Table.Tr key={one.uuid}>
                  <Table.Td>
                    {linked ? (
                      <Anchor component={Link} to={screenHref('invoiceDetail', { uuid: one.uuid })}>
                        {one.number}
                      </Anchor>
                    ) : (
                      one.number
                    )}
                  </Table.Td>
                  <Table.Td data-label={t('status')}>
                    <Status of={ADVERTISER_INVOICE_STATUS} value={one.status} />
                  </Table.Td>
                  <Table.Td data-label={t('due_day')}>
                    <div>
                      {day(one.due_day)}
                      {one.overdue_days !== null && (
                        <Text fz={12.5} c="var(--ohma-bad)">
                          {t('overdueDays', { count: one.overdue_days, number: integer(one.overdue_days) })}
                        </Text>
                      )}
                    </div>
                  </Table.Td>
                  <Table.Td ta="right" data-label={t('total')}>
                    {money(one.total, one.currency)}
                  </Table.Td>
                  <Table.Td ta="right" data-label={t('open')}>
                    {money(one.open, one.currency)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </TableScroll>
      )}
    </Panel>
  )
}
