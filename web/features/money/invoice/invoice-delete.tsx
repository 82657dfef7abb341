import { Button, Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ISSUED, invoiceApi, type InvoiceDetail } from '#contract/money/invoice.ts'
import { useSave } from '#web/api/query.ts'
import { integer, money } from '#web/format.ts'
import { nameOf } from '#web/features/money/invoice/invoice-words.tsx'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { useInvoiceActions } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { DetailPage } from '#web/kit/page/detail-page.tsx'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { notify } from '#web/notify.ts'
import { useGo } from '#web/shell/access.ts'

/** Says what follows when an invoice is deleted, and deletes it. */
export function InvoiceDelete() {
  const { t } = useTranslation('invoice')
  return (
    <DetailPage screen="invoiceDelete" endpoint={invoiceApi.get} failed={t('failed')} uuidOf={({ uuid }) => uuid}>
      {(invoice) => <Question invoice={invoice} />}
    </DetailPage>
  )
}

function Question({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const go = useGo()
  const { actionsFor, dialog } = useInvoiceActions()
  // an issued one is not deleted but cancelled
  const cancel = actionsFor(invoice).find(({ id }) => id === 'cancel')
  const isIssued = ISSUED.includes(invoice.status)
  const rows = invoice.lines.reduce((sum, one) => sum + one.rows, 0)
  const remove = useSave(invoiceApi.remove, {
    invalidate: SHOW_INVOICES,
    onSuccess: () => {
      notify.success(t('deleted.toast'))
      go('billing', {}, { replace: true })
    },
  })
  const sum = money(invoice.net, invoice.currency)
  return (
    <>
      <PageHeader title={t('deleteTitle', { name: nameOf(invoice, t) })} facts={[invoice.affiliate.name, sum]} />
      <Panel title={nameOf(invoice, t)}>
        <p>
          {isIssued
            ? t('deleteIssued')
            : t('deleteText', { sum, name: invoice.affiliate.name, rows: t('rows', { count: rows, number: integer(rows) }) })}
        </p>
        <Group>
          <Button variant="default" onClick={() => go('invoiceDetail', { uuid: invoice.uuid })}>
            {t('back')}
          </Button>
          {cancel && (
            <Button color="red.9" onClick={cancel.onClick}>
              {cancel.label}
            </Button>
          )}
          {!isIssued && (
            <Button
              color="red.9"
              loading={remove.isPending}
              onClick={() => remove.mutate({ params: { uuid: invoice.uuid }, body: { revision: invoice.revision } })}
            >
              {t('deleteAction')}
            </Button>
          )}
        </Group>
      </Panel>
      {dialog}
    </>
  )
}
