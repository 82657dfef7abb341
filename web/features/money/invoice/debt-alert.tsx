import { Alert } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { money } from '#web/format.ts'

/** What the affiliate of an invoice owes beside it, where something of that is still to be paid. */
export function DebtAlert({ invoice: { owed, currency, affiliate, status } }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  if (owed === null) return null
  const isOpen = status === 'draft' || status === 'waiting'
  const words = { name: affiliate.name, sum: money(owed, currency) }
  return (
    <Alert color="var(--ohma-waiting)" role="status" title={t('debt.title', words)}>
      {t(isOpen ? 'debt.open' : 'debt.issued')}
    </Alert>
  )
}
