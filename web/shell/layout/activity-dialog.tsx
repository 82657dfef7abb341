import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { OwnHistory } from '#web/own-history.tsx'

/** What was done by and to the own account, for everybody. */
export function ActivityDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('layout')
  return (
    <Modal opened onClose={onClose} title={t('activity.title')} centered size={760}>
      <OwnHistory />
    </Modal>
  )
}
