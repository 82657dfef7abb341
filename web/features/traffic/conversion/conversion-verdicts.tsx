import { Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { ConversionLife } from '#web/features/traffic/conversion/conversion-life.ts'
import { useVerdictWords } from '#web/verdict-words.ts'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { Panel } from '#web/kit/page/panel.tsx'

/** The checks in the order they were made: those of the click, those of the postback, the payout rule. */
export function ConversionVerdicts({ verdicts }: { verdicts: ConversionLife['verdicts'] }) {
  const { t } = useTranslation('conversion')
  const words = useVerdictWords()
  return (
    <Panel title={t('checks')}>
      <ul>
        {verdicts.map(({ check, passed, detail }, index) => (
          // a check may be made twice, for the click and for the conversion; the list never changes its order
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            <Group justify="space-between" align="baseline" wrap="nowrap" py={4}>
              <div style={{ overflowWrap: 'anywhere' }}>
                {t(`check.${check}` as 'check.hold', { defaultValue: check }) /* checks the file does not know stay as they are */}
                {detail !== null && <p className="ohma-soft">{words(detail)}</p>}
              </div>
              <Outcome check={check} passed={passed} />
            </Group>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Outcome({ check, passed }: { check: string; passed: boolean }) {
  const { t } = useTranslation('conversion')
  if (passed) return <StatusBadge tone="good" label={t('passed')} />
  // a hold that still runs is nothing bad
  return check === 'hold' ? <StatusBadge tone="waiting" label={t('notYet')} /> : <StatusBadge tone="bad" label={t('notPassed')} />
}
