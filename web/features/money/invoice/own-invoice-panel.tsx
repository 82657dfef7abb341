import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { query } from '#web/api/query.ts'
import { day, integer, UNKNOWN } from '#web/format.ts'
import { INVOICE_STATUS, SystemName } from '#web/features/money/invoice/invoice-words.tsx'
import { OwnDocument } from '#web/features/money/invoice/objection/own-document.tsx'
import { OwnObjection } from '#web/features/money/invoice/objection/own-objection.tsx'
import { saveDocument, saveLines, saveNote } from '#web/features/money/invoice/save-document.ts'
import { periodOf, supplyOf } from '#web/invoice/days.ts'
import { MadeOf } from '#web/invoice/made-of.tsx'
import { useOwnPaymentState } from '#web/features/money/invoice/use-own-payment-state.ts'
import { Facts } from '#web/kit/page/facts.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SidePanel } from '#web/kit/page/side-panel.tsx'
import { usePanelAddress } from '#web/kit/page/use-panel-address.ts'
import { Money } from '#web/kit/show/money.tsx'
import { Status } from '#web/kit/status/status.tsx'

/** One own invoice, over the list: what it is made of, and what was paid. */
export function OwnInvoicePanel({ among }: { among: readonly string[] }) {
  const { t } = useTranslation('invoice')
  const { open, show, close } = usePanelAddress('invoice')
  const stateOf = useOwnPaymentState()
  const found = useQuery(query(ownInvoiceApi.get, { params: { uuid: open ?? '' } }))
  const title = found.data?.number ?? t('own.noNumber')
  return (
    <SidePanel title={title} size={520} open={open ?? ''} among={among} onShow={show} onClose={close}>
      <QueryPage query={found} failed={t('failed')}>
        {(invoice) => (
          <Stack>
            <Group gap={8}>
              <Button size="compact-sm" variant="default" onClick={() => void saveDocument(invoice, 'invoice', true)}>
                {t('pdf')}
              </Button>
              {invoice.official_number !== '' && (
                <Button size="compact-sm" variant="default" onClick={() => void saveDocument(invoice, 'copy', true)}>
                  {t('official.copy')}
                </Button>
              )}
              {invoice.act && (
                <Button size="compact-sm" variant="default" onClick={() => void saveDocument(invoice, 'act', true)}>
                  {t('act')}
                </Button>
              )}
              {invoice.credit_notes.map((one) => (
                <Button
                  key={one.uuid}
                  size="compact-sm"
                  variant="default"
                  onClick={() => void saveNote(one, true, one.official_number === '' ? 'note' : 'copy')}
                >
                  {t('noteOf', { number: one.number })}
                </Button>
              ))}
              <Button size="compact-sm" variant="default" onClick={() => void saveLines(invoice, true)}>
                {t('linesCsv')}
              </Button>
            </Group>
            <OwnObjection invoice={invoice} />
            <OwnDocument invoice={invoice} />
            <Facts
              of={[
                [t('status'), <Status key="status" of={INVOICE_STATUS} value={invoice.status} />],
                [t('supply'), supplyOf(invoice) ?? periodOf(invoice)],
                [t('total'), <Money key="total" amount={invoice.total} currency={invoice.currency} />],
                [t('open'), <Money key="open" amount={invoice.open} currency={invoice.currency} />],
                [t('due_day'), invoice.due_day === null ? UNKNOWN : day(invoice.due_day)],
                [t('payment_system'), <SystemName key="system" code={invoice.payment_system} />],
                ...(invoice.official_number === '' ? [] : [[t('official'), invoice.official_number] as const]),
                ...(invoice.note === '' ? [] : [[t('note'), invoice.note] as const]),
                ...(invoice.reason === '' ? [] : [[t('reason'), invoice.reason] as const]),
                ...invoice.payments.map(
                  (one) =>
                    [`${day(one.day)} · ${stateOf(one)}`, <Money key={one.uuid} amount={one.amount} currency={one.currency} />] as const,
                ),
              ]}
            />
            <MadeOf
              currency={invoice.currency}
              net={invoice.net}
              lines={invoice.lines}
              rows={[
                ...invoice.groups.map(({ offer, goal, rows, amount }) => ({
                  title: offer,
                  about: [goal, t('rows', { count: rows, number: integer(rows) })].filter(Boolean).join(' · '),
                  amount,
                })),
                ...invoice.lines
                  .filter(({ kind }) => kind === 'adjustment' || kind === 'referral')
                  .map(({ kind, rows, amount }) => ({
                    title: t(`kind.${kind}`),
                    about: t('rows', { count: rows, number: integer(rows) }),
                    amount,
                  })),
              ]}
            />
          </Stack>
        )}
      </QueryPage>
    </SidePanel>
  )
}
