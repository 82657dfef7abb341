import { Group } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { SmtpOutcome } from '#contract/network/smtp.ts'

/** What became of each step on the way to the mail server, and what went wrong in its words. */
export function SmtpSteps({ of: { steps } }: { of: SmtpOutcome }) {
  const { t } = useTranslation('mail')
  return (
    <ul style={{ display: 'grid', gap: 8 }}>
      {steps.map(({ step, ok, reason, detail }) => (
        <li key={step}>
          <Group gap={8} wrap="nowrap" align="flex-start">
            {ok ? (
              <IconCheck size={18} color="var(--ohma-good)" role="img" aria-label={t('step.ok')} style={{ flexShrink: 0 }} />
            ) : (
              <IconX size={18} color="var(--ohma-bad)" role="img" aria-label={t('step.failed')} style={{ flexShrink: 0 }} />
            )}
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              {t(`step.${step}`)}
              {reason !== null && <p>{t(`problem.${reason}`)}</p>}
              {detail !== '' && <p className="ohma-soft">{t('serverSays', { detail })}</p>}
            </div>
          </Group>
        </li>
      ))}
    </ul>
  )
}
