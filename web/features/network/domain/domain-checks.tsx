import { Alert, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconMinus } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { DomainCheck } from '#contract/network/domain.ts'
import { integer } from '#web/format.ts'
import { wordsOf, type Words } from '#web/kit/status/status-look.ts'

/** What the last look at a domain found, check by check, in words. */
export function DomainChecks({ checks, pending }: { checks: readonly DomainCheck[]; pending: boolean }) {
  const { t } = useTranslation('domain')
  if (checks.length === 0) return <Alert color="var(--ohma-waiting)">{t('checks.none')}</Alert>
  return (
    <Stack component="ul" gap={10} m={0} p={0} style={{ listStyle: 'none' }}>
      {checks.map((one) => (
        <Group component="li" key={one.check} gap={10} wrap="nowrap" align="flex-start">
          <span style={{ flex: 'none', lineHeight: 1 }}>
            <CheckIcon ok={one.check === 'record' && !pending && one.ok === false ? null : one.ok} />
          </span>
          <div style={{ minWidth: 0 }}>
            <Text fw={550} fz={14}>
              {t(`check.${one.check}`)}
            </Text>
            <Text fz={13} c="dimmed">
              {saidOf(one, wordsOf(t))}
            </Text>
            {one.found.length > 0 && (
              <Text fz={13} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {one.found.join(', ')}
              </Text>
            )}
          </div>
        </Group>
      ))}
    </Stack>
  )
}

function CheckIcon({ ok }: { ok: boolean | null }) {
  const { t } = useTranslation('domain')
  if (ok === null) return <IconMinus size={18} color="var(--mantine-color-dimmed)" role="img" aria-label={t('mark.open')} />
  if (ok) return <IconCircleCheck size={18} color="var(--ohma-good)" role="img" aria-label={t('mark.good')} />
  return <IconAlertTriangle size={18} color="var(--ohma-bad)" role="img" aria-label={t('mark.bad')} />
}

/** A finding means something else for each check; where it has no words of its own there, its usual ones are said. */
function saidOf({ check, finding, days }: DomainCheck, words: Words): string {
  const of = { days: integer(days) }
  return words(`found.${check}.${finding}`, { ...of, defaultValue: words(`found.${finding}`, of) })
}
