import { Drawer, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { importApi, type ImportedKind } from '#contract/people/import.ts'
import { query } from '#web/api/query.ts'
import { ColumnsStep } from '#web/features/people/import/columns-step.tsx'
import { FileStep } from '#web/features/people/import/file-step.tsx'
import type { Plan } from '#web/features/people/import/plan.ts'
import { PreviewStep } from '#web/features/people/import/preview-step.tsx'
import { ResultStep } from '#web/features/people/import/result-step.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'
import classes from '#web/features/people/import/import.module.css'

type ImportDrawerProps = {
  kind: ImportedKind
  /** `new`, or the one that is shown. */
  uuid: string
  refresh: readonly Endpoint[]
  onShow: (uuid: string) => void
  onClose: () => void
}

const STEPS = ['file', 'columns', 'preview', 'result'] as const

/** Brings affiliates or advertisers along in four steps: a file, its columns, what would be made, and what became of it. */
export function ImportDrawer({ kind, uuid, refresh, onShow, onClose }: ImportDrawerProps) {
  const { t } = useTranslation('import')
  const isNew = uuid === 'new'
  const [plan, setPlan] = useState<Plan>()
  const found = useQuery({
    ...query(importApi.get, { params: { uuid } }, { quiet: true }),
    enabled: !isNew,
    // told every second while a worker is at it
    refetchInterval: ({ state }) => (state.data?.state === 'running' || state.data?.state === 'undoing' ? 1000 : false),
  })
  const detail = isNew ? undefined : found.data
  const step = isNew ? 'file' : detail?.state !== 'draft' ? 'result' : plan === undefined ? 'columns' : 'preview'
  const open = (next: string) => {
    setPlan(undefined)
    onShow(next)
  }
  return (
    <Drawer opened onClose={onClose} title={t(`title.${kind}`)} position="right" size="min(920px, 100vw)">
      <ol className={classes.steps} aria-label={t('steps')}>
        {STEPS.map((one, index) => (
          <li key={one} aria-current={one === step ? 'step' : undefined} data-done={STEPS.indexOf(step) > index || undefined}>
            <span className={classes.number}>{index + 1}</span> {t(`step.${one}`)}
          </li>
        ))}
      </ol>
      {step === 'file' && <FileStep kind={kind} onRead={(read) => open(read.uuid)} onOpen={open} />}
      {!isNew && found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {!isNew && detail === undefined && !found.isError && <Skeleton height={220} />}
      {step === 'columns' && detail !== undefined && <ColumnsStep detail={detail} onBack={() => open('new')} onNext={setPlan} />}
      {step === 'preview' && detail !== undefined && plan !== undefined && (
        <PreviewStep detail={detail} plan={plan} onBack={() => setPlan(undefined)} />
      )}
      {step === 'result' && detail !== undefined && (
        <ResultStep detail={detail} refresh={refresh} onNew={() => open('new')} onClose={onClose} />
      )}
    </Drawer>
  )
}
