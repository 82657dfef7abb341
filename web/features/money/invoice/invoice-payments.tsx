import { Button, Group, Stack, Text } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { addAmounts } from '#contract/money/amount.ts'
import type { InvoicePayment } from '#contract/money/invoice-payment.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { day, money } from '#web/format.ts'
import { useInvoiceActions } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { saveNote } from '#web/features/money/invoice/save-document.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { Money } from '#web/kit/show/money.tsx'
import { useCan } from '#web/shell/access.ts'

/** How an invoice was paid, payment by payment; one by hand that arrived can come back. */
export function InvoicePayments({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const { giveBack, dialog } = useInvoiceActions()
  return (
    <Stack>
      <Panel title={t('tab.payments')}>
        {invoice.payments.length === 0 && <p className="ohma-soft">{t('payments.none')}</p>}
        <Stack gap={0} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {invoice.payments.map((one) => (
            <li key={one.uuid} style={{ borderTop: '1px solid var(--ohma-line)', padding: '10px 0' }}>
              <Group justify="space-between" align="start" gap={12}>
                <div style={{ minWidth: 0, flex: '1 1 220px' }}>
                  <Text fw={600}>
                    {day(one.day)} · {t(`state.${one.state}`)}
                  </Text>
                  <About payment={one} />
                </div>
                <Stack gap={6} align="end">
                  <Money amount={one.amount} currency={invoice.currency} />
                  {can('billing.pay') && one.state === 'settled' && !one.in_file && (
                    <Button
                      size="compact-xs"
                      variant="default"
                      leftSection={<IconArrowBackUp size={14} aria-hidden />}
                      onClick={() => giveBack(invoice, one)}
                    >
                      {t('giveBack')}
                    </Button>
                  )}
                </Stack>
              </Group>
            </li>
          ))}
        </Stack>
        {dialog}
      </Panel>
      {invoice.credit_notes.length > 0 && (
        <Panel title={t('creditNotes')}>
          <Facts
            of={invoice.credit_notes.map((one) => [
              one.number,
              <span key={one.uuid}>
                <Money
                  amount={addAmounts('0', one.total.startsWith('-') ? one.total.slice(1) : `-${one.total}`)}
                  currency={invoice.currency}
                />
                <Text component="span" fz={12.5} c="dimmed">
                  {` ${[one.reason, one.actor].filter(Boolean).join(' · ')} `}
                </Text>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t('noteOf', { number: one.number })}
                  onClick={() => void saveNote(one, false)}
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

const isNone = (amount: string) => /^0(\.0*)?$/.test(amount)

function About({ payment }: { payment: InvoicePayment }) {
  const { t } = useTranslation('invoice')
  const { amount, on_invoice, currency, moved, fee, fee_currency, charged, ended_day, reason } = payment
  const told = [
    amount === on_invoice ? '' : t('advance', { sum: money(addAmounts(amount, `-${on_invoice}`), currency) }),
    payment.source,
    moved && money(moved.amount, moved.currency),
    payment.external_id,
    isNone(fee) ? '' : t('payments.fee', { sum: money(fee, fee_currency) }),
    isNone(charged) ? '' : t('payments.charged', { sum: money(charged, currency) }),
    payment.note,
    payment.actor,
  ]
  const back = [ended_day === null ? '' : t('payments.back', { day: day(ended_day) }), reason].filter(Boolean).join(' · ')
  return (
    <>
      <Text fz={12.5} c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {told.filter(Boolean).join(' · ')}
      </Text>
      {back !== '' && <Text fz={12.5}>{back}</Text>}
    </>
  )
}
