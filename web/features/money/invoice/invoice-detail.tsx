import { Stack } from '@mantine/core'
import { useHotkeys, type HotkeyItem } from '@mantine/hooks'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { day, integer, money, UNKNOWN } from '#web/format.ts'
import { ChangedLines } from '#web/features/money/invoice/changed-lines.tsx'
import { DebtAlert } from '#web/features/money/invoice/debt-alert.tsx'
import { InvoicePayments } from '#web/features/money/invoice/invoice-payments.tsx'
import { InvoiceLines } from '#web/features/money/invoice/invoice-lines.tsx'
import { INVOICE_STATUS, nameOf, SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { IssueBy } from '#web/issue-by.tsx'
import { ObjectionAlert } from '#web/features/money/invoice/objection/objection-alert.tsx'
import { useObjected } from '#web/features/money/invoice/objection/use-objected.ts'
import { StaffDocument } from '#web/features/money/invoice/objection/staff-document.tsx'
import { InvoiceOfficialNumbers } from '#web/features/money/invoice/official-number.tsx'
import { useInvoiceActions } from '#web/features/money/invoice/use-invoice-actions.tsx'
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
import { useZone } from '#web/kit/show/zone.tsx'
import { Status } from '#web/kit/status/status.tsx'
import { PageActions } from '#web/kit/table/page-actions.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { useGo } from '#web/shell/access.ts'
import { todayIn } from '#web/zone-time.ts'

/** One invoice: what it is made of, what changed since, how it was paid, what happened to it, and how it is booked. */
export function InvoiceScreen() {
  const { t } = useTranslation('invoice')
  return (
    <DetailPage screen="invoiceDetail" endpoint={invoiceApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid} live>
      {(invoice) => (
        <>
          <Header invoice={invoice} />
          <DebtAlert invoice={invoice} />
          <ObjectionAlert invoice={invoice} />
          <IssueBy invoice={invoice} />
          <UrlTabs
            label={nameOf(invoice, t)}
            tabs={[
              { id: 'overview', label: t('facts'), content: <Overview invoice={invoice} /> },
              { id: 'lines', label: t('tab.lines'), content: <InvoiceLines invoice={invoice} /> },
              {
                id: 'changed',
                label: t('tab.changed'),
                content: <ChangedLines invoice={invoice} />,
                ...(invoice.changed !== null && { badge: money(invoice.changed, invoice.currency) }),
              },
              { id: 'payments', label: t('tab.payments'), content: <InvoicePayments invoice={invoice} /> },
              { id: 'history', label: t('tab.history'), content: <History invoice={invoice} /> },
              { id: 'bookings', label: t('tab.bookings'), content: <Bookings of={invoice} /> },
            ]}
          />
        </>
      )}
    </DetailPage>
  )
}

const PRIMARY = { draft: 'send', waiting: 'approve', approved: 'pay', partly_paid: 'pay' } as const

function Header({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const { actionsFor, dialog } = useInvoiceActions()
  const objected = useObjected(invoice)
  const actions = actionsFor({ ...invoice, objected })
  const today = todayIn(useZone())
  const { status, due_day, open, planned, sent, currency } = invoice
  const isOwed = status === 'approved' || status === 'partly_paid'
  useKeys(invoice, actions)
  // to answer what the affiliate objects to comes first, and stands with it
  const next = status in PRIMARY && !objected ? PRIMARY[status as keyof typeof PRIMARY] : undefined
  return (
    <>
      <PageHeader
        title={nameOf(invoice, t)}
        id={invoice.id}
        status={<Status of={INVOICE_STATUS} value={status} />}
        facts={[
          invoice.affiliate.name,
          periodOf(invoice),
          <strong key="total">
            <Money amount={invoice.total} currency={currency} />
          </strong>,
          ...(isOwed && !isNone(open) ? [t('openFact', { sum: money(open, currency) })] : []),
          ...(isOwed && !isNone(planned) ? [t('plannedFact', { sum: money(planned, currency) })] : []),
          ...(isOwed && !isNone(sent) ? [t('onWayFact', { sum: money(sent, currency) })] : []),
          ...(due_day !== null && status !== 'paid' && status !== 'cancelled' && status !== 'declined'
            ? [t(isOwed && due_day < today ? 'overdue' : 'due', { day: day(due_day) })]
            : []),
        ]}
        actions={<PageActions actions={actions} primary={actions.some(({ id }) => id === 'settle') ? 'settle' : next} />}
      />
      {dialog}
    </>
  )
}

const isNone = (amount: string) => /^0(\.0*)?$/.test(amount)

/** What a key does, wherever it is written on the keyboard: a step of its life, or the invoice before or after. */
const KEYS = { A: 'approve', D: 'decline', E: 'edit', P: 'pay', G: 'pdf' } as const

function useKeys({ previous, next }: InvoiceDetail, actions: readonly RowAction[]) {
  const go = useGo()
  const isFree = () => document.querySelector('[role=dialog]') === null
  const open = (uuid: string | null) => uuid !== null && isFree() && go('invoiceDetail', { uuid })
  useHotkeys([
    ...Object.entries(KEYS).map(([key, step]): HotkeyItem => [
      key,
      () => isFree() && actions.find(({ id, why }) => id === step && why === undefined)?.onClick(),
      { usePhysicalKeys: true },
    ]),
    ['BracketLeft', () => open(previous), { usePhysicalKeys: true }],
    ['BracketRight', () => open(next), { usePhysicalKeys: true }],
  ])
}

function Overview({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const { currency } = invoice
  const rowsOf = (rows: number) => t('rows', { count: rows, number: integer(rows) })
  const sum = (amount: string) => <Money key={amount} amount={amount} currency={currency} />
  return (
    <PageColumns>
      <Stack gap="lg">
        <Panel title={t('facts')}>
          <Facts
            of={[
              [t('net'), sum(invoice.net)],
              ...(isNone(invoice.vat) ? [] : [[t('vat'), sum(invoice.vat)] as const]),
              [t('total'), sum(invoice.total)],
              ...(isNone(invoice.offset_prepaid) ? [] : [[t('offset'), sum(invoice.offset_prepaid)] as const]),
              ...(isNone(invoice.planned) ? [] : [[t('plannedSum'), sum(invoice.planned)] as const]),
              ...(isNone(invoice.sent) ? [] : [[t('sentSum'), sum(invoice.sent)] as const]),
              ...(isNone(invoice.credited)
                ? []
                : invoice.credited.startsWith('-')
                  ? [[t('addedSum'), sum(invoice.credited.slice(1))] as const]
                  : [[t('credited'), sum(invoice.credited)] as const]),
              // before its number nothing is owed by it
              ...(invoice.number === null ? [] : [[t('paidSum'), sum(invoice.paid)] as const, [t('open'), sum(invoice.open)] as const]),
              [t('supply'), supplyOf(invoice) ?? UNKNOWN],
              [t('runPeriod'), periodOf(invoice)],
              [t('payment_system'), <SystemName key="system" code={invoice.payment_system} />],
              [t('due_day'), invoice.due_day === null ? UNKNOWN : day(invoice.due_day)],
              [t('made_by'), invoice.made_by ?? t('nobody')],
              [t('created'), <Moment key="made" at={invoice.created_at} />],
              ...(invoice.credit_note === null ? [] : [[t('credit_note'), invoice.credit_note.number] as const]),
              ...(invoice.reason === '' ? [] : [[t('reason'), invoice.reason] as const]),
              [t('note'), invoice.note || UNKNOWN],
              [t('internal_note'), invoice.internal_note || UNKNOWN],
            ]}
          />
        </Panel>
        <InvoiceOfficialNumbers invoice={invoice} />
      </Stack>
      <StaffDocument invoice={invoice} />
      <Panel title={t('summary')}>
        <MadeOf
          currency={currency}
          net={invoice.net}
          lines={invoice.lines}
          rows={[
            ...invoice.groups.map(({ offer, goal, rows, amount }) => ({ title: offer, about: `${goal} · ${rowsOf(rows)}`, amount })),
            ...invoice.lines
              // what conversions were corrected by stands with their offers
              .filter(({ kind }) => kind === 'adjustment' || kind === 'referral')
              .map(({ kind, rows, amount }) => ({ title: t(`kind.${kind}`), about: rowsOf(rows), amount })),
          ]}
        />
      </Panel>
    </PageColumns>
  )
}

function History({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  return (
    <Steps
      of={invoice.history}
      title={t('tab.history')}
      eventOf={(event) => t(`event.${event}` as 'event.made', { defaultValue: event })}
      nobody={t('nobody')}
    />
  )
}
