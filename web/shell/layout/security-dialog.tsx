import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'

/** The own second factor, for those whose settings have no page for it. */
export function SecurityDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('security')
  return (
    // codes that are shown once go away by the button that says so
    <Modal opened onClose={onClose} title={t('title')} centered size={600} closeOnClickOutside={false}>
      <SecondFactor email={me.email} />
    </Modal>
  )
}
