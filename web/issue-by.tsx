import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { day } from '#web/format.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

/** Until when an invoice with reverse charge is to be issued: in a sentence, or as a mark below what it is called in a list. */
export function IssueBy({ invoice: { issue_by }, mark = false }: { invoice: { issue_by: string | null }; mark?: boolean }) {
  const { t } = useTranslation('ledger')
  const today = todayIn(useZone())
  if (issue_by === null) return null
  const sentence = t('issueBy', { day: day(issue_by) })
  const colour = issue_by < today ? 'var(--ohma-bad)' : mark ? 'var(--ohma-waiting)' : 'var(--mantine-color-dimmed)'
  if (!mark)
    return (
      <Text fz={13} mb="md" style={{ color: colour }}>
        {sentence}
      </Text>
    )
  return (
    <Text span display="block" fz={12.5} title={sentence} style={{ color: colour }}>
      {t('issueByMark', { day: day(issue_by) })}
    </Text>
  )
}
