import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconDownload } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Endpoint } from '#contract/endpoint.ts'
import { importApi, type ImportDetail } from '#contract/people/import.ts'
import { call } from '#web/api/call.ts'
import { loadAll } from '#web/api/load-all.ts'
import { invalidate, useSave } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { useFieldNames } from '#web/features/people/import/use-field-names.ts'
import { fieldText } from '#web/i18n/language.ts'
import { confirm } from '#web/kit/feedback/confirm.tsx'
import { toCsv } from '#web/kit/list/export/csv.ts'
import { downloadCsv } from '#web/kit/list/export/run-export.ts'
import { Until } from '#web/kit/show/until.tsx'
import { notify } from '#web/notify.ts'
import classes from '#web/features/people/import/import.module.css'

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
  const done = all === 0 ? 100 : Math.round(((all - left) / all) * 100)
  const notMade = NOT_MADE.reduce((sum, one) => sum + (counts[one] ?? 0), 0)

  const takeBack = async () => {
    const sure = await confirm({ title: t('undo.title'), text: t('undo.text'), action: t('undo'), danger: true })
    if (sure) undo.mutate({ params: { uuid } })
  }
  const saveErrors = async () => {
    setLoading(true)
    const loader = loadAll(({ count, page }, signal) =>
      call(importApi.rows, { params: { uuid }, body: { count, page, state: [...NOT_MADE] } }, { signal }),
    )
    const { failed } = await loader.run()
    setLoading(false)
    if (failed > 0) return notify.error(t('errorsFailed'))
    const columns = [
      { header: t('row'), value: (row: ErrorRow) => row.line, numeric: true },
      ...detail.columns.map((header, place) => ({ header, value: (row: ErrorRow) => row.cells[place] })),
      {
        header: t('reason'),
        value: ({ problems }: ErrorRow) =>
          Object.entries(problems)
            .map(([field, text]) => [nameOf(field), fieldText(text)].filter(Boolean).join(': '))
            .join('; '),
      },
    ]
    downloadCsv(`${detail.file_name.replace(/\.\w+$/, '') || 'import'}-errors.csv`, toCsv(columns, loader.rows()))
  }
  return (
    <Stack>
      {working ? (
        <>
          <Text role="status">{t(`working.${state}`, { done: integer(all - left), all: integer(all) })}</Text>
          <Progress value={done} animated aria-label={t('progress')} />
          <Text size="sm" c="dimmed">
            {t('mayLeave')}
          </Text>
        </>
      ) : (
        <Text role="status" fw={600}>
          {t(state === 'undone' ? 'undone' : 'done', { file: detail.file_name })}
        </Text>
      )}
      <dl className={classes.counts}>
        {(['made', 'removed', 'stays', 'skipped', 'refused'] as const)
          .filter((one) => one === 'made' || (counts[one] ?? 0) > 0)
          .map((one) => (
            <div key={one}>
              <dt>{t(`count.${one}`)}</dt>
              <dd className="ohma-number">{integer(counts[one] ?? 0)}</dd>
            </div>
          ))}
      </dl>
      {!working && (
        <Group>
          {notMade > 0 && (
            <Button
              variant="default"
              loading={loading}
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => void saveErrors()}
            >
              {t('errors', { count: notMade, number: integer(notMade) })}
            </Button>
          )}
          {detail.undo_until !== null && (
            <Button
              variant="default"
              color="red"
              loading={undo.isPending}
              leftSection={<IconArrowBackUp size={16} aria-hidden />}
              onClick={() => void takeBack()}
            >
              {t('undo')}
            </Button>
          )}
          <Button variant="default" onClick={onNew}>
            {t('another')}
          </Button>
          <Button onClick={onClose}>{t('close')}</Button>
        </Group>
      )}
      {detail.undo_until !== null && (
        <Text size="sm" c="dimmed">
          {t('undo.until')} <Until at={detail.undo_until} />
        </Text>
      )}
    </Stack>
  )
}

type ErrorRow = { line: number; cells: string[]; problems: Record<string, string> }
