import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConversionStatusBadge } from '#web/conversion-status.tsx'
import type { Conversion } from '#web/features/traffic/conversion/conversion-life.ts'
import type { RowAction } from '#web/kit/table/column.ts'
import { RowMenu } from '#web/kit/table/row-menu.tsx'

/** What may be decided about a row of the list around; nothing for who decides nothing. */
export const RowDecisions = createContext<(row: Conversion) => RowAction[]>(() => [])

/** Where a conversion of a list stands; for who decides the button that moves it. */
export function StatusCell({ row }: { row: Conversion }) {
  const { t } = useTranslation('conversion')
  const actions = use(RowDecisions)(row)
  const badge = <ConversionStatusBadge status={row.status} />
  if (actions.length === 0) return badge
  const named = t('status.change', { status: t(`status.${row.status}`), id: row.id })
  return (
    <RowMenu
      actions={actions}
      target={
        <UnstyledButton style={{ whiteSpace: 'nowrap' }} aria-label={named} title={t('status.hint')} tabIndex={-1}>
          {badge}
          <IconChevronDown size={12} color="var(--ohma-soft)" style={{ marginInlineStart: 3, verticalAlign: 'middle' }} aria-hidden />
        </UnstyledButton>
      }
    />
  )
}
