import { Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { reconciliationApi } from '#contract/money/reconciliation.ts'
import type { ReportReading } from '#contract/money/report-reading.ts'
import { integer } from '#web/format.ts'
import { WordTable } from '#web/import/word-table.tsx'

type Goals = ReportReading['goals']
type GoalWordsProps = {
  found: Pick<CallOutput<typeof reconciliationApi.look>, 'goals' | 'our_goals'>
  said: Goals
  onChange: (said: Goals) => void
}

/** What a report calls goals, each with the goal of ours it is for all lines that name it; what was said is changed and taken back here too. */
export function GoalWords({ found: { goals, our_goals }, said, onChange }: GoalWordsProps) {
  const { t } = useTranslation('reconciliation')
  const without = (word: string) => said.filter((one) => one.word.toLowerCase() !== word.toLowerCase())
  const isSaid = (word: string) => without(word).length < said.length
  const open = goals.filter(({ word, known }) => !known && !isSaid(word))
  // a word that has just been answered stays where it is
  const asked = (one: (typeof goals)[number]) => Number(!one.known || isSaid(one.word))
  if (goals.length === 0) return null
  return (
    <div>
      <WordTable
        legend={t('goalWords')}
        words={goals
          .toSorted((a, b) => asked(b) - asked(a) || b.lines - a.lines)
          .map(({ word, lines, means, known }) => ({
            word,
            lines: t('words.lines', { count: lines, number: integer(lines) }),
            found: means,
            ...(known && means === null && { note: t('goalWords.byOffer') }),
          }))}
        said={new Map(said.map(({ word, goal }) => [word.toLowerCase(), goal]))}
        options={our_goals.map(({ code, title }) => ({ value: code, label: title === code ? code : `${title} (${code})` }))}
        ask={t('goalWords.ask')}
        nameOf={(word) => t('goalWords.of', { word })}
        onMean={(word, goal) => onChange([...without(word), { word, goal }])}
        onForget={(word) => onChange(without(word))}
      />
      {open.length > 0 && (
        <Text fz={13} c="dimmed" mt={4}>
          {t('goalWords.text')}
        </Text>
      )}
    </div>
  )
}
