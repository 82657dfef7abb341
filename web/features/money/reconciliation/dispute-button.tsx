import { Button } from '@mantine/core'
import { IconFileZip } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { disputeApi } from '#contract/money/dispute.ts'
import type { Reconciliation } from '#contract/money/reconciliation.ts'
import type { ReconciliationCause } from '#contract/money/reconciliation-cause.ts'
import { useSave } from '#web/api/query.ts'
import { download } from '#web/kit/list/export/run-export.ts'

/** Gives what may be sent to the advertiser about the differences to the browser's downloads: of one cause, where one is shown. */
export function DisputeButton({ batch, cause }: { batch: Reconciliation; cause: ReconciliationCause | null }) {
  const { t } = useTranslation('reconciliation')
  const { uuid, advertiser, period } = batch
  const save = useSave(disputeApi.pack, {
    onSuccess: (bytes) => {
      const days = period === null ? '' : `${period.from}_${period.to}`
      const name = [advertiser?.name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim(), days, t('dispute.file')]
      download(`${name.filter(Boolean).join(' ')}.zip`, [new Uint8Array(bytes)], 'application/zip')
    },
  })
  return (
    <Button
      variant="default"
      leftSection={<IconFileZip size={16} aria-hidden />}
      loading={save.isPending}
      title={t('dispute.what')}
      onClick={() => save.mutate({ params: { uuid }, body: { cause: cause === null ? [] : [cause] } })}
    >
      {cause === null ? t('dispute') : t('dispute.of', { cause: t(`cause.${cause}`) })}
    </Button>
  )
}
