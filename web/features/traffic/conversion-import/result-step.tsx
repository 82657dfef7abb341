import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { CONVERSION_ROW_STATES, conversionImportApi, type ConversionImportDetail } from '#contract/traffic/conversion-import.ts'
import { call } from '#web/api/call.ts'
import { invalidate, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { ImportOutcome } from '#web/import/import-outcome.tsx'
import { saveLeftRows } from '#web/import/save-left-rows.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { useRowReason } from '#web/row-reason.ts'
import { notify } from '#web/notify.ts'

type ResultStepProps = { detail: ConversionImportDetail; refresh: readonly Endpoint[]; onNew: () => void; onClose: () => void }
/** What did not come to what the file says, or did not go back. */
const NOT_DONE = ['capped', 'refused', 'kept'] as const
const DONE = ['created', 'changed', 'amount'] as const

/** How far an import has come, and what became of it: counts, the rows that were not applied as a file, and taking it back. */
export function ResultStep({ detail, refresh, onNew, onClose }: ResultStepProps) {
  const { t } = useTranslation('conversionImport')
  const client = useQueryClient()
  const [loading, setLoading] = useState(false)
  const reasonOf = useRowReason()
  const { uuid, state, counts, rows } = detail
  const undo = useSave(conversionImportApi.undo, { invalidate: [conversionImportApi.get, conversionImportApi.list] })
  const working = state === 'running' || state === 'undoing'
  // what the worker did shows in the list behind
  useEffect(() => {
    if (!working) void invalidate(client, refresh)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [working])
  const sum = (states: readonly (typeof CONVERSION_ROW_STATES)[number][]) => states.reduce((all, one) => all + (counts[one] ?? 0), 0)
  const left = state === 'undoing' ? sum(DONE) : sum(['waiting'])
  const all = state === 'undoing' ? sum([...DONE, 'undone', 'kept']) : rows
  const notDone = sum(NOT_DONE)
  const file = detail.file_name || t('noName')

  const takeBack = async () => {
    const sure = await confirm({ title: t('undo.title'), text: t('undo.text'), action: t('undo'), danger: true })
    if (sure) undo.mutate({ params: { uuid } })
  }
  const saveErrors = async () => {
    setLoading(true)
    const saved = await saveLeftRows(
      ({ count, page }, signal) =>
        call(conversionImportApi.rows, { params: { uuid }, body: { count, page, state: [...NOT_DONE] } }, { signal }),
      {
        fileName: detail.file_name,
        columns: detail.columns,
        row: t('row'),
        why: t('why'),
        whyOf: ({ reason }) => reasonOf(reason),
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
      said={t(state === 'undone' ? 'undone' : 'done', { file })}
      counts={CONVERSION_ROW_STATES.filter((one) => one !== 'waiting' && (counts[one] ?? 0) > 0).map((one) => ({
        label: t(`count.${one as 'refused'}`),
        value: counts[one] ?? 0,
      }))}
      left={
        notDone > 0 ? { text: t('errors', { count: notDone, number: integer(notDone) }), loading, onSave: () => void saveErrors() } : null
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
