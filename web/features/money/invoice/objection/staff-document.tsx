import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { InvoiceDetail } from '#contract/money/invoice.ts'
import { ownDocumentApi } from '#contract/money/own-document.ts'
import { query } from '#web/api/query.ts'
import { day } from '#web/format.ts'
import { saveOwnDocument } from '#web/features/money/invoice/objection/save-own-document.ts'
import { SHOW_INVOICES } from '#web/features/money/invoice/show-invoices.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { Facts } from '#web/kit/page/facts.tsx'
import { useCan } from '#web/shell/access.ts'

/** The invoices an affiliate wrote itself for a statement, as staff read them: each with its file, the given one may be refused. */
export function StaffDocument({ invoice }: { invoice: InvoiceDetail }) {
  const { t } = useTranslation('invoice')
  const can = useCan()
  const [refuses, setRefuses] = useState(false)
  const found = useQuery(query(ownDocumentApi.list, { params: { uuid: invoice.uuid } }, { quiet: true }))
  if (found.data === undefined || (!found.data.due && found.data.list.length === 0)) return null
  const { due, open, list } = found.data
  return (
    <Panel
      title={t('ownDoc.staff')}
      actions={
        open && list[0]?.state === 'given' && can('billing.write') ? (
          <Button size="compact-sm" variant="default" onClick={() => setRefuses(true)}>
            {t('ownDoc.refuse')}
          </Button>
        ) : undefined
      }
    >
      {due && (
        <Alert color="var(--ohma-waiting)" role="status">
          {t('ownDoc.missing')}
        </Alert>
      )}
      <Facts
        of={list.map((one) => [
          `${t(`ownDoc.state.${one.state}`)} · ${day(one.day)}`,
          <Group key={one.uuid} gap={8}>
            <Text fz={14} style={{ overflowWrap: 'anywhere' }}>
              {[one.number, one.reason].filter(Boolean).join(' · ')}
            </Text>
            {one.file && (
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t('ownDoc.save', { number: one.number })}
                onClick={() => one.file && void saveOwnDocument(one.file)}
              >
                {one.file.name}
              </Button>
            )}
          </Group>,
        ])}
      />
      {refuses && <RefuseDialog invoice={invoice} number={list[0]?.number ?? ''} onClose={() => setRefuses(false)} />}
    </Panel>
  )
}

function RefuseDialog({ invoice, number, onClose }: { invoice: InvoiceDetail; number: string; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const form = useSaveForm({
    endpoint: ownDocumentApi.refuse,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid: invoice.uuid }, body: { revision: invoice.revision, reason } }),
    invalidate: [...SHOW_INVOICES, ownDocumentApi.list],
    savedText: t('toast.documentRefused'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={t('ownDoc.refuseTitle', { number })}
      text={t('ownDoc.refuseText', { name: invoice.affiliate.name })}
      action={t('ownDoc.refuse')}
      danger
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} rows={2} required />
    </DialogForm>
  )
}
