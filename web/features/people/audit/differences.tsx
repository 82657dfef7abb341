import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { AuditEntry } from '#contract/people/audit.ts'
import { changeWords } from '#web/features/people/audit/change-words.ts'
import { DifferenceList } from '#web/kit/show/difference-list.tsx'
import { useZone } from '#web/kit/show/zone.tsx'

/** What changed, field by field: how it was, and how it is. */
export function Differences({ of, empty = false }: { of: AuditEntry; empty?: boolean }) {
  const { t } = useTranslation('audit')
  const lines = changeWords(t, of, useZone())
  if (lines.length === 0) {
    return empty ? (
      <Text fz={14} c="dimmed">
        {t('noFields')}
      </Text>
    ) : null
  }
  return <DifferenceList lines={lines} words={{ before: t('before'), after: t('after') }} />
}
