import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useHotkeys, type HotkeyItem } from '@mantine/hooks'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Link } from 'react-router'
import { advertiserInvoiceApi, type AdvertiserInvoiceDetail } from '#contract/money/advertiser-invoice.ts'
import { day, integer, money, UNKNOWN } from '#web/format.ts'
import { IssueBy } from '#web/issue-by.tsx'
import { AdvertiserInvoiceLines } from '#web/features/money/receivable/advertiser-invoice-lines.tsx'
import { AdvertiserOfficialNumbers } from '#web/features/money/receivable/official-number.tsx'
import { ADVERTISER_INVOICE_STATUS, isNone } from '#web/features/money/receivable/receivable-words.ts'
import { saveCreditNote } from '#web/features/money/receivable/save-advertiser-document.ts'
import { useAdvertiserActions } from '#web/features/money/receivable/use-advertiser-actions.tsx'
import { Bookings } from '#web/invoice/bookings.tsx'
import { periodOf, supplyOf } from '#web/invoice/days.ts'
import { MadeOf } from '#web/invoice/made-of.tsx'
import { Steps } from '#web/invoice/steps.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { PageColumns } from '#web/kit/page/page-columns.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { screenHref, useCan, useGo } from '#web/shell/access.ts'

/** One invoice of an advertiser: what it is made of, what changed since, how it was paid, what happened to it, and how it is booked. */
export function AdvertiserInvoiceScreen() {
  const { t } = useTranslation('receivable')
  return (
    <DetailPage screen="invoiceDetail" endpoint={advertiserInvoiceApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid} live>
      {(invoice) => (
        <>
          <Header invoice={invoice} />
          <IssueBy invoice={invoice} />
          <UrlTabs
            label={invoice.number ?? t('noNumber', { id: invoice.id })}
            tabs={[
              { id: 'overview', label: t('tab.overview'), content: <Overview invoice={invoice} /> },
              { id: 'lines', label: t('tab.lines'), content: <AdvertiserInvoiceLines invoice={invoice} /> },
              {
                id: 'changed',
                label: t('changed'),
                content: (
                  <>
                    <WhatFollows invoice={invoice} />
                    <AdvertiserInvoiceLines invoice={invoice} changed />
                  </>
                ),
                ...(invoice.changed !== null && { badge: money(invoice.changed, invoice.currency) }),
              },
              { id: 'payments', label: t('tab.payments'), content: <Paid invoice={invoice} /> },
              { id: 'history', label: t('tab.history'), content: <History invoice={invoice} /> },
              {
                id: 'bookings',
                label: t('tab.bookings'),
                content: <Bookings of={invoice} title={t('tab.bookings')} none={t('bookings.none')} />,
              },
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

/** What follows of the changes: a line of the next invoice, or a credit note that is made here. */
function WhatFollows({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  const { actionsFor, dialog } = useAdvertiserActions()
  const { changes, currency } = invoice
  if (changes === null || changes.rows === 0) return null
  const sum = money(changes.amount, currency)
  if (changes.by === 'line') return <Text mb="md">{t('changes.line', { sum })}</Text>
  const adds = !changes.amount.startsWith('-')
  const credit = actionsFor(invoice).find(({ id }) => id === 'credit')
  return (
    <Alert color="var(--ohma-waiting)" role="status" mb="md">
      <Group justify="space-between">
        <Text fz={14}>{isNone(changes.amount) ? t('changes.none') : t(adds ? 'changes.noteAdds' : 'changes.note', { sum })}</Text>
        {!isNone(changes.amount) && credit !== undefined && (
          <Button size="compact-sm" onClick={credit.onClick} style={{ height: 'auto', whiteSpace: 'normal' }}>
            {t(adds ? 'creditChanges.adds' : 'creditChanges')}
          </Button>
        )}
      </Group>
      {dialog}
    </Alert>
  )
}

const PRIMARY = { draft: 'issue', issued: 'receipt', partly_paid: 'receipt' } as const

/** What a key does, wherever it is written on the keyboard: as on an affiliate's invoice, where there is such a step. */
const KEYS = { A: 'issue', D: 'delete', E: 'edit', P: 'receipt', G: 'pdf' } as const

function Header({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  const can = useCan()
  const { actionsFor, dialog } = useAdvertiserActions()
  useKeys(invoice, actionsFor(invoice))
  const { status, currency, overdue_days } = invoice
  const isOwed = status === 'issued' || status === 'partly_paid'
  return (
    <>
      <PageHeader
        title={invoice.number ?? t('noNumber', { id: invoice.id })}
        id={invoice.id}
        status={<Status of={ADVERTISER_INVOICE_STATUS} value={status} />}
        facts={[
          invoice.advertiser.name,
          periodOf(invoice),
          <strong key="total">
            <Money amount={invoice.now.total} currency={currency} />
          </strong>,
          ...(isOwed ? [t('openFact', { sum: money(invoice.open, currency) })] : []),
          overdue_days === null
            ? t('dueOn', { day: day(invoice.due_day) })
            : t('overdueFact', { day: day(invoice.due_day), count: overdue_days, number: integer(overdue_days) }),
        ]}
        actions={
          <PageActions actions={actionsFor(invoice)} primary={status in PRIMARY ? PRIMARY[status as keyof typeof PRIMARY] : undefined} />
        }
      />
      {invoice.missing.length > 0 && (
        <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} title={t('missing.title')} mb="md">
          {t('missing.text', { name: invoice.advertiser.name, fields: invoice.missing.map((field) => t(`missing.${field}`)).join(', ') })}
        </Alert>
      )}
      {invoice.missing_own.length > 0 && (
        <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} title={t('missingOwn.title')} mb="md">
          {t('missingOwn.text', { fields: invoice.missing_own.map((field) => t(`missing.${field}`)).join(', ') })}{' '}
          {can('setting.payments') && <Link to={`${screenHref('settingsPayments')}?tab=company`}>{t('missingOwn.link')}</Link>}
        </Alert>
      )}
      {status === 'draft' && invoice.changed !== null && (
        <Alert color="var(--ohma-waiting)" icon={<IconAlertTriangle size={18} aria-hidden />} title={t('draftChanged.title')} mb="md">
          {t('draftChanged.text', {
            before: money(invoice.total, currency),
            now: money(invoice.now.total, currency),
          })}
        </Alert>
      )}
      {dialog}
    </>
  )
}

function useKeys({ previous, next }: AdvertiserInvoiceDetail, actions: readonly RowAction[]) {
  const go = useGo()
  const isFree = () => document.querySelector('[role=dialog]') === null
  const open = (uuid: string | null) => uuid !== null && isFree() && go('invoiceDetail', { uuid })
  useHotkeys([
    ...Object.entries(KEYS).map(([key, step]): HotkeyItem => [
      key,
      () => isFree() && actions.find(({ id }) => id === step)?.onClick(),
      { usePhysicalKeys: true },
    ]),
    ['BracketLeft', () => open(previous), { usePhysicalKeys: true }],
    ['BracketRight', () => open(next), { usePhysicalKeys: true }],
  ])
}

function Overview({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  const { currency, billed_to: company } = invoice
  const rowsOf = (rows: number) => t('rows', { count: rows, number: integer(rows) })
  const sum = (amount: string) => <Money key={amount} amount={amount} currency={currency} />
  const some = (label: string, amount: string) => (isNone(amount) ? [] : [[label, sum(amount)] as const])
  return (
    <PageColumns>
      <Stack gap="lg">
        <Panel title={t('tab.overview')}>
          <Facts
            of={[
              [t('net'), sum(invoice.now.net)],
              ...some(t('vat'), invoice.now.vat),
              [t('total'), sum(invoice.now.total)],
              ...some(t('offset'), invoice.offset_prepaid),
              ...some(t('received'), invoice.received),
              ...some(t('credited'), invoice.credited),
              ...some(t('status.written_off'), invoice.written_off),
              ...(invoice.number === null ? [] : [[t('open'), sum(invoice.open)] as const]),
              [t('supply'), supplyOf(invoice) ?? UNKNOWN],
              [t('runPeriod'), periodOf(invoice)],
              [t('due_day'), day(invoice.due_day)],
              [t('billedTo'), [company.name, company.address, company.city, company.vat_id].filter(Boolean).join(', ') || UNKNOWN],
              [t('contact'), invoice.contact || t('contact.none')],
              [t('made_by'), invoice.made_by ?? UNKNOWN],
              ...(invoice.issued_at === null ? [] : [[t('issued_at'), <Moment key="issued" at={invoice.issued_at} />] as const]),
              ...(invoice.reminded_at === null ? [] : [[t('reminded_at'), <Moment key="reminded" at={invoice.reminded_at} />] as const]),
              ...(invoice.reason === '' ? [] : [[t('reason'), invoice.reason] as const]),
              [t('noteToThem'), invoice.note || UNKNOWN],
              [t('internal_note'), invoice.internal_note || UNKNOWN],
            ]}
          />
        </Panel>
        <AdvertiserOfficialNumbers invoice={invoice} />
      </Stack>
      <Panel title={t('summary')}>
        <MadeOf
          currency={currency}
          net={invoice.now.net}
          lines={invoice.lines}
          rows={[
            ...invoice.groups.map(({ offer, goal, rows, amount }) => ({ title: offer, about: `${goal} · ${rowsOf(rows)}`, amount })),
            ...invoice.lines
              .filter(({ kind }) => kind === 'adjustment')
              .map(({ kind, rows, amount }) => ({ title: t(`kind.${kind}`), about: rowsOf(rows), amount })),
          ]}
        />
      </Panel>
    </PageColumns>
  )
}

function Paid({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  const { currency, receipts, credit_notes } = invoice
  return (
    <Stack>
      <Panel title={t('receipts')}>
        {receipts.length === 0 && <p className="ohma-soft">{t('receipts.none')}</p>}
        <Facts
          of={receipts.map((one) => [
            `${day(one.day)}${one.state === 'bounced' ? ` · ${t('receipt.bounced')}` : ''}`,
            <span key={one.uuid}>
              <Money amount={one.amount} currency={currency} />
              <Text component="span" fz={12.5} c="dimmed">
                {` ${[one.source, one.external_id].filter(Boolean).join(' · ')}`}
              </Text>
            </span>,
          ])}
        />
      </Panel>
      {credit_notes.length > 0 && (
        <Panel title={t('creditNotes')}>
          <Facts
            of={credit_notes.map((one) => [
              one.number,
              <span key={one.uuid}>
                <Money amount={one.total} currency={currency} />
                <Text component="span" fz={12.5} c="dimmed">
                  {` ${[t(`credit.${one.kind}`), one.reason, one.actor].filter(Boolean).join(' · ')} `}
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('notePdf', { number: one.number })}
                  onClick={() => void saveCreditNote(one)}
                >
                  {t('pdf')}
                </Button>
              </span>,
            ])}
          />
        </Panel>
      )}
    </Stack>
  )
}

function History({ invoice }: { invoice: AdvertiserInvoiceDetail }) {
  const { t } = useTranslation('receivable')
  return (
    <Steps
      of={invoice.history}
      title={t('tab.history')}
      eventOf={(event) => t(`event.${event}` as 'event.made', { defaultValue: event })}
      nobody={t('bySystem')}
    />
  )
}
