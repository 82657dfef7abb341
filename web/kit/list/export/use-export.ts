import { useEffect, useRef, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useLeaveGuard } from '#web/kit/feedback/leave-guard.tsx'
import { announceInTitle } from '#web/kit/list/export/export-title.ts'
import { downloadCsv, missingRows, runExport, saveExport, type ExportJob, type ExportProgress } from '#web/kit/list/export/run-export.ts'
import { notify } from '#web/notify.ts'
import { pageTitle } from '#web/page-title.ts'

type ExportState = { kind: 'idle' } | { kind: 'running'; progress: ExportProgress } | { kind: 'partial'; missing: string }

/** An export as its button sees it. Leaving the page while it runs is asked about first, and ends it. */
export function useExport<Row>() {
  const { t } = useTranslation('kit')
  const [state, setState] = useState<ExportState>({ kind: 'idle' })
  const job = useRef<ExportJob<Row>>(undefined)
  const abort = useRef<AbortController>(undefined)
  useLeaveGuard(state.kind === 'running', t('export.leave'))
  useEffect(() => () => abort.current?.abort(), [])

  async function run(next: ExportJob<Row>): Promise<void> {
    job.current = next
    const controller = new AbortController()
    abort.current = controller
    setState({ kind: 'running', progress: { loaded: 0, rows: undefined } })
    const outcome = await runExport(next, {
      save: downloadCsv,
      signal: controller.signal,
      onProgress: (progress) => setState({ kind: 'running', progress }),
    })
    setState(outcome.kind === 'partial' ? { kind: 'partial', missing: missingRows(next.loader) } : { kind: 'idle' })
    if (outcome.kind === 'complete') announceInTitle(t('export.complete'), document, pageTitle)
    else if (outcome.kind === 'partial') notify.error(t('export.partial', { count: outcome.failed }))
    else if (outcome.kind !== 'stopped') notify.error(t(`export.${outcome.kind}`))
  }

  return {
    state,
    start: (next: ExportJob<Row>) => void run(next),
    /** Asks for the failed requests again. */
    retry: () => job.current && void run(job.current),
    /** Takes the file without what failed. */
    saveAnyway: () => {
      if (job.current) saveExport(job.current, downloadCsv)
      setState({ kind: 'idle' })
    },
    stop: () => abort.current?.abort(),
  }
}
