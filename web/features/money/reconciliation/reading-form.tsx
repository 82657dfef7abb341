import { Alert, Group, Loader, NumberInput, Select, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { reconciliationApi, type Reconciliation } from '#contract/money/reconciliation.ts'
import { REPORT_AMOUNTS, REPORT_DATES, REPORT_FIELDS, REPORT_NUMBERS, type ReportReading } from '#contract/money/report-reading.ts'
import { useConstants } from '#web/api/constants.ts'
import { CallError } from '#web/api/call-error.ts'
import { query, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { GoalWords } from '#web/features/money/reconciliation/goal-words.tsx'
import { ReadingWords } from '#web/features/money/reconciliation/reading-words.tsx'
import { SHOW_BATCH } from '#web/features/money/reconciliation/reconciliation-words.ts'
import { ColumnMapping } from '#web/import/column-mapping.tsx'
import { fieldText } from '#web/i18n/language.ts'
import { DayInput } from '#web/kit/fields/day/day-input.tsx'
import { Panel } from '#web/kit/page/panel.tsx'
import { ReasonButton } from '#web/kit/page/reason-button.tsx'
import importClasses from '#web/import/import.module.css'
import classes from '#web/features/money/reconciliation/reconciliation.module.css'

/** How a report is read: its columns, numbers, dates and words, and the period it is of; then it is matched. */
export function ReadingForm({ batch, onAsked }: { batch: Reconciliation; onAsked: () => void }) {
  const { t } = useTranslation('reconciliation')
  const { currency } = useConstants()
  const { uuid, revision, columns, samples } = batch
  const [reading, setReading] = useState<ReportReading>(batch.reading)
  const [period, setPeriod] = useState<{ from: string | null; to: string | null } | null>(batch.period)
  const set = (change: Partial<ReportReading>) => setReading({ ...reading, ...change })
  const { mapping } = reading
  const hasId = mapping.transaction_id !== undefined || mapping.click_id !== undefined || mapping.sub_id !== undefined
  const isLike = (mapping.offer !== undefined || mapping.goal !== undefined) && mapping.time !== undefined && mapping.amount !== undefined
  const isMapped = hasId || isLike
  const look = useQuery({
    ...query(reconciliationApi.look, { params: { uuid }, body: { reading } }, { quiet: true }),
    enabled: isMapped,
    placeholderData: keepPreviousData,
  })
  const found = isMapped ? look.data : undefined
  // what the file says itself is proposed until somebody says otherwise
  const days = period ?? { from: found?.first ?? null, to: found?.last ?? null }
  const match = useSave(reconciliationApi.match, { invalidate: SHOW_BATCH, onSuccess: onAsked })
  const unknown = (found?.words ?? []).filter(({ means }) => means === null)
  const whyNot = () => {
    if (!isMapped) return 'needKey'
    if (unknown.length > 0) return 'words.need'
    if (look.isError) return 'look.failed'
    if (found === undefined || look.isPlaceholderData) return 'looking'
    return days.from === null || days.to === null ? 'match.period' : undefined
  }
  const closed = whyNot()
  const problems = match.error instanceof CallError ? Object.values(match.error.fields).map(fieldText) : []
  return (
    <Panel
      title={t('reading')}
      text={t(batch.remembered ? 'reading.remembered' : 'reading.text', { lines: integer(batch.lines), columns: integer(columns.length) })}
    >
      <ColumnMapping
        fields={REPORT_FIELDS.map((field) => ({ field, label: t(`field.${field}`) }))}
        columns={columns}
        samples={samples}
        mapping={mapping}
        onChange={(changed) => set({ mapping: changed })}
        words={{ legend: t('columns'), none: t('field.none'), unnamed: (number) => t('unnamed', { number }) }}
      />
      {!isMapped && (
        <Text fz={14} c="red" role="status">
          {t('needKey')}
        </Text>
      )}
      <fieldset className={importClasses.columns}>
        <legend>{t('ways')}</legend>
        <DayInput label={t('period.from')} value={days.from} onChange={(from) => setPeriod({ ...days, from })} required />
        <DayInput label={t('period.to')} value={days.to} onChange={(to) => setPeriod({ ...days, to })} required />
        <Choice
          label={t('numbers')}
          values={REPORT_NUMBERS}
          name="numbers"
          value={reading.numbers}
          onChange={(numbers) => set({ numbers })}
        />
        <Choice label={t('dates')} values={REPORT_DATES} name="dates" value={reading.dates} onChange={(dates) => set({ dates })} />
        <Choice
          label={t('amounts')}
          values={REPORT_AMOUNTS}
          name="amounts"
          value={reading.amounts}
          onChange={(amounts) => set({ amounts })}
        />
        <Select
          label={t('currency')}
          placeholder={t('currency.own')}
          data={currency}
          searchable
          clearable
          value={reading.currency}
          onChange={(value) => set({ currency: value })}
        />
        <NumberInput
          label={t('minutes')}
          min={0}
          max={1440}
          allowDecimal={false}
          value={reading.minutes}
          onChange={(value) => set({ minutes: Math.min(1440, Math.max(0, Number(value) || 0)) })}
        />
      </fieldset>
      {isMapped && look.isPending && <Loader size={18} aria-label={t('looking')} />}
      {look.isError && (
        <Alert color="red" variant="light" role="alert">
          {t('look.failed')}
        </Alert>
      )}
      {found !== undefined && (
        <ReadingWords
          found={found}
          reading={reading}
          onTake={(guesses) => set({ words: [...reading.words, ...guesses] })}
          onMean={(word, means) =>
            set({ words: [...reading.words.filter((one) => one.word.toLowerCase() !== word.toLowerCase()), { word, means }] })
          }
        />
      )}
      {found !== undefined && <GoalWords found={found} said={reading.goals} onChange={(goals) => set({ goals })} />}
      {problems.length > 0 && (
        <Alert color="red" variant="light" role="alert">
          {problems.join(' ')}
        </Alert>
      )}
      <Group justify="flex-end" className={classes.bar}>
        <Text fz={13} c="dimmed">
          {closed && t(closed)}
        </Text>
        <ReasonButton
          loading={match.isPending}
          why={closed && t(closed)}
          onClick={() =>
            match.mutate({ params: { uuid }, body: { revision, reading, period: { from: days.from ?? '', to: days.to ?? '' } } })
          }
        >
          {t('match')}
        </ReasonButton>
      </Group>
    </Panel>
  )
}

type ChoiceProps<Value extends string> = {
  label: string
  name: 'numbers' | 'dates' | 'amounts'
  values: readonly Value[]
  value: Value
  onChange: (value: Value) => void
}

function Choice<Value extends string>({ label, name, values, value, onChange }: ChoiceProps<Value>) {
  const { t } = useTranslation('reconciliation')
  return (
    <Select
      label={label}
      data={values.map((one) => ({ value: one, label: t(`${name}.${one}` as 'numbers.point') }))}
      allowDeselect={false}
      value={value}
      onChange={(chosen) => onChange(values.find((one) => one === chosen) ?? value)}
    />
  )
}
