import { Alert, Button } from '@mantine/core'
import { IconWebhook } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownWebhook, type OwnWebhook } from '#contract/traffic/own-webhook.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { integer } from '#web/format.ts'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { address, column, count, moment, status, useColumns, type Columns } from '#web/kit/list/columns.tsx'
import { statusLook } from '#web/kit/status/status-look.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'
import type english from './webhook.late.en.json'

declare module '#web/i18n/texts.ts' {
  interface Texts {
    webhook: typeof english
  }
}

const STATUS = statusLook({
  field: 'status',
  texts: 'webhook',
  values: ownWebhook.shape.status.options,
  tones: { active: 'good', paused: 'muted', suspended: 'bad' },
})

const COLUMNS: Columns<OwnWebhook, 'webhook'> = [
  address('url', { width: 320, card: 'title' }),
  column('events', {
    width: 260,
    card: 'field',
    cell: (one: OwnWebhook, t) => one.events.map((event) => t(`event.${event}`)).join(', '),
    csv: (one) => one.events.join(', '),
  }),
  status(STATUS),
  count('held', { hint: true, card: 'field' }),
  count('failed', { hint: true, card: 'field' }),
  moment('created_at', { width: 150 }),
]

type WebhookTableProps = {
  list: readonly OwnWebhook[]
  empty: { title: string; text: string; action?: ReactNode }
  /** Both absent for who only looks at them. */
  actionsFor?: (webhook: OwnWebhook) => RowAction[]
  onResume?: (webhook: OwnWebhook) => void
}

/** The webhooks of an affiliate; what is suspended, and why, is said above them. */
export function WebhookTable({ list, empty, actionsFor, onResume }: WebhookTableProps) {
  const { t } = useTranslation('webhook')
  const words = useDeliveryWords()
  const mobile = useViewport() === 'mobile'
  const columns = useColumns('webhook', COLUMNS)
  if (list.length === 0) return <EmptyState icon={<IconWebhook size={26} stroke={1.6} aria-hidden />} {...empty} />
  const Table = mobile ? TableCards : DataTable
  return (
    <>
      {list
        .filter((one) => one.status === 'suspended')
        .map((one) => (
          <Alert key={one.uuid} color="red" title={t('suspended.title')} style={{ overflowWrap: 'anywhere' }}>
            {t('suspended.text', { url: one.url, error: words(one.last_error), held: integer(one.held) })}{' '}
            {onResume && (
              <Button size="compact-sm" variant="light" color="red" onClick={() => onResume(one)}>
                {t('resume')}
              </Button>
            )}
          </Alert>
        ))}
      <Table name="webhook" label={t('title')} rows={list} columns={columns} rowKey={(one) => one.uuid} rowActions={actionsFor} />
    </>
  )
}
