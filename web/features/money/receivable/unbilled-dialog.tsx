import { useTranslation } from '#web/i18n/use-translation.ts'
import { Unbilled } from '#web/features/money/receivable/unbilled.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

type UnbilledDialogProps = { advertiser: { uuid: string; name: string }; onClose: () => void }

/** What an advertiser owes that is on no invoice, by month and offer. */
export function UnbilledDialog({ advertiser, onClose }: UnbilledDialogProps) {
  const { t } = useTranslation('receivable')
  return (
    <Modal opened onClose={onClose} title={t('unbilled.title', { name: advertiser.name })} size={680} centered>
      <Unbilled advertiser={advertiser.uuid} />
    </Modal>
  )
}
