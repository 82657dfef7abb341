import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { day } from '#web/format.ts'

type Draft = { vat_category: string; period_to: string; number: string | null }

/** Until when an invoice with reverse charge is to be issued: the 15th of the month after its service (directive 2006/112/EC, art. 222). */
export function IssueBy({ invoice: { vat_category, period_to, number } }: { invoice: Draft }) {
  const { t } = useTranslation('ledger')
  if (vat_category !== 'AE' || number !== null) return null
  const [year = 0, month = 0] = period_to.split('-').map(Number)
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`
  return (
    <Text fz={13} c="dimmed" mb="md">
      {t('issueBy', { day: day(`${next}-15`) })}
    </Text>
  )
}
