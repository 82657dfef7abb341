import { Alert, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListImportApi, type LeadListImportDetail } from '#contract/leads/lead-list-import.ts'
import { LEFT_OUT, leadListApi } from '#contract/leads/lead-list.ts'
import { call } from '#web/api/call.ts'
import { invalidate, useSave } from '#web/api/query.ts'
import { useProblemWords } from '#web/features/leads/lead-list/import/use-problem-words.ts'
import { integer } from '#web/format.ts'
import { ImportOutcome } from '#web/import/import-outcome.tsx'
import { saveLeftRows } from '#web/import/save-left-rows.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { Moment } from '#web/kit/show/moment.tsx'
import { notify } from '#web/notify.ts'

type ResultStepProps = { detail: LeadListImportDetail; onNew: () => void; onClose: () => void }
const CHANGED = [leadListApi.items, leadListApi.get, leadListApi.list, leadListImportApi.list]

/** How far a file has come, and what became of it: counts, the rows that were not taken as a file, and taking it back. */
export function ResultStep({ detail, onNew, onClose }: ResultStepProps) {
  const { t } = useTranslation('leadListImport')
  const client = useQueryClient()
  const [loading, setLoading] = useState(false)
  const { uuid, status, rows, done, added, left_out } = detail
  const working = status === 'running'
  const undo = useSave(leadListImportApi.undo, { invalidate: [leadListImportApi.get, ...CHANGED] })
  const stop = useSave(leadListImportApi.cancel, { invalidate: [leadListImportApi.get, ...CHANGED] })
  // what the worker did shows on the page behind
  useEffect(() => {
    if (!working) void invalidate(client, CHANGED)
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [working])
  const say = useProblemWords()
  const not = detail.refused + Object.values(left_out).reduce((sum, count) => sum + count, 0)
  const file = detail.file_name || t('noName')
  const takeBack = async () => {
    const sure = await confirm({
      title: t('undo.title'),
      text: t('undo.text', { count: added, number: integer(added) }),
      action: t('undo'),
      danger: true,
    })
    if (sure) undo.mutate({ params: { uuid } })
  }
  const save = async () => {
    setLoading(true)
    try {
      const { columns } = await call(leadListImportApi.rows, { params: { uuid }, body: { count: 1 } })
      const saved = await saveLeftRows(
        ({ count, page }, signal) => call(leadListImportApi.rows, { params: { uuid }, body: { count, page } }, { signal }),
        {
          fileName: detail.file_name,
          columns,
          row: t('row'),
          why: t('why'),
          whyOf: ({ problems }) => problems.map(say).join('; '),
        },
      )
      if (!saved) notify.error(t('errorsFailed'))
    } catch {
      notify.error(t('errorsFailed'))
    }
    setLoading(false)
  }
  return (
    <Stack>
      {detail.problem !== '' && (
        <Alert color="red" variant="light" role="alert">
          {t(`failedBy.${detail.problem}`)}
        </Alert>
      )}
      <ImportOutcome
        working={working ? { text: t('working', { done: integer(done), all: integer(rows) }), share: rows === 0 ? 1 : done / rows } : null}
        said={t(`said.${status === 'draft' || status === 'running' ? 'done' : status}`, { file })}
        counts={[
          { label: t('count.addedDone'), value: added },
          { label: t('count.known'), value: detail.known },
          ...LEFT_OUT.flatMap((reason) => (left_out[reason] ? [{ label: t(`problem.${reason}`), value: left_out[reason] }] : [])),
          ...(detail.refused > 0 ? [{ label: t('count.refused'), value: detail.refused }] : []),
        ]}
        left={not > 0 ? { text: t('errors', { count: not, number: integer(not) }), loading, onSave: () => void save() } : null}
        undo={detail.may_undo ? { until: null, loading: undo.isPending, onUndo: () => void takeBack() } : null}
        stop={working ? { text: t('stop'), loading: stop.isPending, onStop: () => stop.mutate({ params: { uuid } }) } : null}
        words={{
          progress: t('progress'),
          mayLeave: t('mayLeave'),
          undo: t('undo'),
          until: '',
          another: t('another'),
          close: t('close'),
        }}
        onNew={onNew}
        onClose={onClose}
      />
      {not > 0 && !working && (
        <Text size="sm" c="dimmed">
          {t(detail.has_rows ? 'errorsKept' : 'errorsBare')}
        </Text>
      )}
      {detail.confirmed_at !== null && detail.basis !== null && (
        <Text size="sm" c="dimmed">
          {t('confirmedBy', { name: detail.by })} <Moment at={detail.confirmed_at} />. {t(`basis.${detail.basis}`)}: {detail.source}. “
          {detail.statement}”
        </Text>
      )}
    </Stack>
  )
}
