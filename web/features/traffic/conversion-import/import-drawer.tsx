import { Drawer, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { conversionImportApi } from '#contract/traffic/conversion-import.ts'
import { query } from '#web/api/query.ts'
import { FileStep } from '#web/features/traffic/conversion-import/file-step.tsx'
import { PreviewStep } from '#web/features/traffic/conversion-import/preview-step.tsx'
import { ResultStep } from '#web/features/traffic/conversion-import/result-step.tsx'
import { ErrorState } from '#web/kit/feedback/error-state.tsx'

type ImportDrawerProps = {
  /** `new`, or the one that is shown. */
  uuid: string
  refresh: readonly Endpoint[]
  onShow: (uuid: string) => void
  onClose: () => void
}

/** Brings results of conversions in a file: what it is, what it would change, and what became of it. */
export function ImportDrawer({ uuid, refresh, onShow, onClose }: ImportDrawerProps) {
  const { t } = useTranslation('conversionImport')
  const isNew = uuid === 'new'
  const found = useQuery({
    ...query(conversionImportApi.get, { params: { uuid } }, { quiet: true }),
    enabled: !isNew,
    // told every second while a worker is at it
    refetchInterval: ({ state }) => (state.data?.state === 'running' || state.data?.state === 'undoing' ? 1000 : false),
  })
  const detail = isNew ? undefined : found.data
  const another = () => onShow('new')
  return (
    <Drawer opened onClose={onClose} title={t('title')} position="right" size="min(860px, 100vw)">
      {isNew && <FileStep onShow={onShow} />}
      {!isNew && found.isError && <ErrorState what={t('failed')} error={found.error} onRetry={() => void found.refetch()} />}
      {!isNew && detail === undefined && !found.isError && <Skeleton height={220} />}
      {detail?.state === 'draft' && <PreviewStep key={uuid} detail={detail} onBack={another} />}
      {detail !== undefined && detail.state !== 'draft' && (
        <ResultStep detail={detail} refresh={refresh} onNew={another} onClose={onClose} />
      )}
    </Drawer>
  )
}
