import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { importApi, type ImportDetail } from '#contract/people/import.ts'
import { call } from '#web/api/call.ts'
import { invalidate, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { useFieldNames } from '#web/features/people/import/use-field-names.ts'
import { ImportOutcome } from '#web/import/import-outcome.tsx'
import { saveLeftRows } from '#web/import/save-left-rows.ts'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { notify } from '#web/notify.ts'

type ResultStepProps = { detail: ImportDetail; refresh: readonly Endpoint[]; onNew: () => void; onClose: () => void }
const NOT_MADE = ['skipped', 'refused', 'stays'] as const

/** How far an import has come, and what became of it: counts, the rows that were not made as a file, and taking it back. */
export function ResultStep({ detail, refresh, onNew, onClose }: ResultStepProps) {
  const { t } = useTranslation('import')
  const client = useQueryClient()
  const nameOf = useFieldNames(detail.kind)
  const [loading, setLoading] = useState(false)
  const { uuid, state, counts, rows } = detail
  const undo = useSave(importApi.undo, { invalidate: [importApi.get, importApi.list] })
  const working = state === 'running' || state === 'undoing'
  // what the worker made shows in the list behind
  useEffect(() => {
    if (!working) void invalidate(client, refresh)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [working])
  const left = state === 'undoing' ? (counts.made ?? 0) : (counts.waiting ?? 0)
  const all = state === 'undoing' ? (counts.made ?? 0) + (counts.removed ?? 0) + (counts.stays ?? 0) : rows
  const notMade = NOT_MADE.reduce((sum, one) => sum + (counts[one] ?? 0), 0)

  const takeBack = async () => {
    const sure = await confirm({ title: t('undo.title'), text: t('undo.text'), action: t('undo'), danger: true })
    if (sure) undo.mutate({ params: { uuid } })
  }
  const saveErrors = async () => {
    setLoading(true)
    const saved = await saveLeftRows(
      ({ count, page }, signal) => call(importApi.rows, { params: { uuid }, body: { count, page, state: [...NOT_MADE] } }, { signal }),
      {
        fileName: detail.file_name,
        columns: detail.columns,
        row: t('row'),
        why: t('reason'),
        whyOf: ({ problems }) =>
          Object.entries(problems)
            .map(([field, text]) => [nameOf(field), fieldText(text)].filter(Boolean).join(': '))
            .join('; '),
      },
    )
    setLoading(false)
    if (!saved) notify.error(t('errorsFailed'))
  }
  return (
    <ImportOutcome
      working={
        working
          ? { text: t(`working.${state}`, { done: integer(all - left), all: integer(all) }), share: all === 0 ? 1 : (all - left) / all }
          : null
      }
      said={t(state === 'undone' ? 'undone' : 'done', { file: detail.file_name })}
      counts={(['made', 'removed', 'stays', 'skipped', 'refused'] as const)
        .filter((one) => one === 'made' || (counts[one] ?? 0) > 0)
        .map((one) => ({ label: t(`count.${one}`), value: counts[one] ?? 0 }))}
      left={
        notMade > 0 ? { text: t('errors', { count: notMade, number: integer(notMade) }), loading, onSave: () => void saveErrors() } : null
      }
      undo={detail.undo_until === null ? null : { until: detail.undo_until, loading: undo.isPending, onUndo: () => void takeBack() }}
      words={{
        progress: t('progress'),
        mayLeave: t('mayLeave'),
        undo: t('undo'),
        until: t('undo.until'),
        another: t('another'),
        close: t('close'),
      }}
      onNew={onNew}
      onClose={onClose}
    />
  )
}
