import { Alert, Text } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import type { reconciliationApi } from '#contract/money/reconciliation.ts'
import { REPORT_MEANINGS, type ReportMeaning, type ReportReading } from '#contract/money/report-reading.ts'
import { integer } from '#web/format.ts'
import { WordTable } from '#web/import/word-table.tsx'

type ReadingWordsProps = {
  found: CallOutput<typeof reconciliationApi.look>
  reading: ReportReading
  onMean: (word: string, means: ReportMeaning) => void
  onTake: (words: readonly { word: string; means: ReportMeaning }[]) => void
}

/** What the file says in its own words, each with its meaning, and what of it cannot be read. */
export function ReadingWords({ found, reading, onMean, onTake }: ReadingWordsProps) {
  const { t } = useTranslation('reconciliation')
  const own = new Map(reading.words.map(({ word, means }) => [word.toLowerCase(), means]))
  const odd = [
    ...(found.bad_times > 0 ? [t('bad.times', { count: found.bad_times, number: integer(found.bad_times) })] : []),
    ...(found.bad_amounts > 0 ? [t('bad.amounts', { count: found.bad_amounts, number: integer(found.bad_amounts) })] : []),
    ...(found.without_id > 0 ? [t('bad.ids', { count: found.without_id, number: integer(found.without_id) })] : []),
    ...(found.numbers === null ? [t('bad.numbers')] : []),
    ...(found.dates === null ? [t('bad.dates')] : []),
    ...(found.numbers !== null && found.numbers !== reading.numbers ? [t('bad.otherNumbers', { way: t(`numbers.${found.numbers}`) })] : []),
    ...(found.dates !== null && found.dates !== 'iso' && found.dates !== reading.dates
      ? [t('bad.otherDates', { way: t(`dates.${found.dates}`) })]
      : []),
  ]
  return (
    <>
      {found.words.length > 0 && (
        <WordTable
          legend={t('words')}
          words={found.words.map(({ word, lines, means, guess }) => ({
            word,
            lines: t('words.lines', { count: lines, number: integer(lines) }),
            found: means,
            guess,
          }))}
          said={own}
          options={REPORT_MEANINGS.map((value) => ({ value, label: t(`means.${value}`) }))}
          ask={t('words.ask')}
          nameOf={(word) => t('words.of', { word })}
          onMean={onMean}
          onTake={onTake}
          take={(count) => t('words.take', { count, number: integer(count) })}
        />
      )}
      {odd.length > 0 && (
        <Alert color="var(--ohma-waiting)" variant="light" role="status">
          {odd.map((text) => (
            <Text key={text} fz={14}>
              {text}
            </Text>
          ))}
          {found.examples.slice(0, 3).map((one) => (
            <Text key={`${one.line} ${one.field}`} fz={13}>
              {t('bad.example', { line: integer(one.line), text: one.text, field: t(`field.${one.field}`) })}
            </Text>
          ))}
        </Alert>
      )}
    </>
  )
}
