import { Drawer, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListImportApi } from '#contract/leads/lead-list-import.ts'
import { query, useSave } from '#web/api/query.ts'
import { FileStep } from '#web/features/leads/lead-list/import/file-step.tsx'
import { PreviewStep } from '#web/features/leads/lead-list/import/preview-step.tsx'
import { ResultStep } from '#web/features/leads/lead-list/import/result-step.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'

type ImportDrawerProps = {
  list: string
  /** `new`, or the file that is shown. */
  uuid: string
  onShow: (uuid: string) => void
  onClose: () => void
}

/** Brings people of a list in a file: what it is, what it would come to, that this is lawful, and what became of it. */
export function ImportDrawer({ list, uuid, onShow, onClose }: ImportDrawerProps) {
  const { t } = useTranslation('leadListImport')
  const isNew = uuid === 'new'
  const found = useQuery({
    ...query(leadListImportApi.get, { params: { uuid } }, { quiet: true }),
    enabled: !isNew,
    // told every second while a worker is at it
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? 1000 : false),
  })
  const giveUp = useSave(leadListImportApi.cancel, { invalidate: [leadListImportApi.list] })
  const detail = isNew ? undefined : found.data
  const another = () => {
    // what nobody confirms is not kept longer than it is looked at
    if (detail?.status === 'draft') giveUp.mutate({ params: { uuid } })
    onShow('new')
  }
  return (
    <Drawer opened onClose={onClose} title={t('title')} position="right" size="min(900px, 100vw)">
      {isNew && <FileStep list={list} onShow={onShow} />}
      {!isNew && found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {!isNew && detail === undefined && !found.isError && <Skeleton height={220} />}
      {detail?.status === 'draft' && <PreviewStep key={uuid} detail={detail} onBack={another} />}
      {detail !== undefined && detail.status !== 'draft' && <ResultStep key={uuid} detail={detail} onNew={another} onClose={onClose} />}
    </Drawer>
  )
}
