import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { isNothing } from '#contract/money/amount.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { money } from '#web/format.ts'
import { InvoiceLines } from '#web/features/money/invoice/invoice-lines.tsx'
import { ReasonDialog } from '#web/features/money/invoice/use-invoice-actions.tsx'
import { useCan } from '#web/shell/access.ts'

/** What has changed since on an invoice, and what follows: a line of the next one, or a credit note that is made here. */
export function ChangedLines({ invoice }: { invoice: InvoiceDetail }) {
  return (
    <>
      <WhatFollows invoice={invoice} />
      <InvoiceLines invoice={invoice} changed />
    </>
  )
}

function WhatFollows({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const [asks, setAsks] = useState(false)
  const { changes, currency, affiliate, status } = invoice
  if (changes === null || changes.rows === 0 || status === 'cancelled') return null
  const sum = money(changes.amount, currency)
  if (changes.by === 'line') return <Text mb="md">{t('changes.line', { sum })}</Text>
  const adds = !changes.amount.startsWith('-')
  const title = t(adds ? 'creditChanges.adds' : 'creditChanges')
  const plain = money(changes.amount.replace('-', ''), currency)
  return (
    <Alert color="var(--ohma-waiting)" role="status" mb="md">
      <Group justify="space-between">
        <Text fz={14}>{isNothing(changes.amount) ? t('changes.noteNobody') : t(adds ? 'changes.noteAdds' : 'changes.note', { sum })}</Text>
        {!isNothing(changes.amount) && can('billing.approve') && (
          <Button size="compact-sm" onClick={() => setAsks(true)} style={{ height: 'auto', whiteSpace: 'normal' }}>
            {title}
          </Button>
        )}
      </Group>
      {asks && (
        <ReasonDialog
          of={invoice}
          step="creditChanges"
          words={{ title, text: t(adds ? 'creditChanges.textAdds' : 'creditChanges.text', { name: affiliate.name, sum: plain }) }}
          onClose={() => setAsks(false)}
        />
      )}
    </Alert>
  )
}
