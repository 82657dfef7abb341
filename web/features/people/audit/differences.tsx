import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '#contract/people/audit.ts'
import { changeWords } from '#web/features/people/audit/change-words.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import classes from '#web/features/people/audit/audit.module.css'

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
  return (
    <dl className={classes.differences}>
      {lines.map(({ field, before, after }, index) => (
        // two fields may be called the same
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${field} ${index}`}>
          <dt>{field}</dt>
          <dd>
            {before.map((text) => (
              <del key={text} aria-label={`${t('before')}: ${text}`}>
                {text}
              </del>
            ))}
            {after.map((text) => (
              <ins key={text} aria-label={`${t('after')}: ${text}`}>
                {text}
              </ins>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
