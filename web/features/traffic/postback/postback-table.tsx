import { Alert, Button } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useDeliveryWords } from '#web/delivery-words.ts'
import { OWN_POSTBACK_COLUMNS, type OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'
import { EmptyState } from '#web/kit/feedback/empty-state.tsx'
import { useColumns } from '#web/kit/list/columns.tsx'
import type { RowAction } from '#web/kit/table/column.ts'
import { DataTable } from '#web/kit/table/data-table.tsx'
import { TableCards } from '#web/kit/table/table-cards.tsx'
import { useViewport } from '#web/viewport.ts'

type PostbackTableProps = {
  list: readonly OwnPostback[]
  empty: { text: string; action?: ReactNode }
  /** Both absent for who only looks at them. */
  actionsFor?: (postback: OwnPostback) => RowAction[]
  onResume?: (postback: OwnPostback) => void
}

/** The postbacks of an affiliate; what is suspended is said above them. */
export function PostbackTable({ list, empty, actionsFor, onResume }: PostbackTableProps) {
  const { t } = useTranslation('postback')
  const words = useDeliveryWords()
  const mobile = useViewport() === 'mobile'
  const columns = useColumns('postback', OWN_POSTBACK_COLUMNS)
  if (list.length === 0) return <EmptyState icon={<IconSend size={26} stroke={1.6} aria-hidden />} title={t('empty.title')} {...empty} />
  const Table = mobile ? TableCards : DataTable
  const suspended = list.filter(({ status }) => status === 'suspended')
  return (
    <>
      {suspended.map((one) => (
        <Alert key={one.uuid} color="red" title={t('suspended.title')} style={{ overflowWrap: 'anywhere' }}>
          {t('suspended.text', { url: one.url, error: words(one.last_error), held: one.held })}{' '}
          {onResume && (
            <Button size="compact-sm" variant="light" color="red" onClick={() => onResume(one)}>
              {t('resume')}
            </Button>
          )}
        </Alert>
      ))}
      <Table name="own-postback" label={t('title')} rows={list} columns={columns} rowKey={(one) => one.uuid} rowActions={actionsFor} />
    </>
  )
}
