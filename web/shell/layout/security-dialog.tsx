import { Modal, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'

/** The own second factor, for those whose settings have no page for it. */
export function SecurityDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('security')
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      centered
      size={600}
      // codes that are shown once go away by the button that says so
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Title order={3} fz={15} mb="sm">
        {t('factor.title')}
      </Title>
      <SecondFactor email={me.email} onBusy={setBusy} />
    </Modal>
  )
}
