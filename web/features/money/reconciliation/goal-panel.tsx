import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { GoalWords } from '#web/features/money/reconciliation/goal-words.tsx'
import { SHOW_BATCH } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { Panel } from '#web/kit/page/panel.tsx'

/** Goals of a matched report that nobody knows, or that somebody has named before: said once for all their lines, which are then matched anew. */
export function GoalPanel({ batch: { uuid, revision, reading, period } }: { batch: Reconciliation }) {
  const { t } = useTranslation('reconciliation')
  const [said, setSaid] = useState(reading.goals)
  const look = useQuery(query(reconciliationApi.look, { params: { uuid }, body: { reading: { ...reading, goals: [] } } }, { quiet: true }))
  const match = useSave(reconciliationApi.match, { invalidate: SHOW_BATCH })
  if (look.data === undefined || period === null) return null
  const before = new Set(reading.goals.map(({ word }) => word.toLowerCase()))
  const goals = look.data.goals.filter(({ word, known }) => !known || before.has(word.toLowerCase()))
  if (goals.length === 0) return null
  const unknown = goals.filter(({ word }) => !before.has(word.toLowerCase()))
  const lines = unknown.reduce((sum, one) => sum + one.lines, 0)
  const isChanged = JSON.stringify(said) !== JSON.stringify(reading.goals)
  return (
    <Panel
      title={t('goalWords')}
      text={lines === 0 ? t('goalWords.said') : t('goalWords.unknown', { count: lines, number: integer(lines) })}
    >
      <GoalWords found={{ ...look.data, goals }} said={said} onChange={setSaid} />
      {isChanged && (
        <Group gap="sm" mt="sm">
          <Text fz={13} c="dimmed" flex="1 1 240px">
            {t('goalWords.anew')}
          </Text>
          <Button variant="default" onClick={() => setSaid(reading.goals)}>
            {t('goalWords.discard')}
          </Button>
          <Button
            loading={match.isPending}
            onClick={() => match.mutate({ params: { uuid }, body: { revision, reading: { ...reading, goals: said }, period } })}
          >
            {t('goalWords.match')}
          </Button>
        </Group>
      )}
    </Panel>
  )
}
