import { Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Profile } from '#web/shell/layout/profile.ts'
import { useOwnSections } from '#web/shell/security/own-sections.tsx'
import { Modal } from '#web/kit/page/modal.tsx'

/** One's own safety, for those whose settings have no page for it. */
export function SecurityDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('security')
  const [busy, setBusy] = useState(false)
  const sections = useOwnSections(me.email, setBusy)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={760}
      // codes and keys that are shown once go away by the button that says so
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Tabs defaultValue={sections[0]?.id ?? null} keepMounted={false}>
        <Tabs.List mb="md">
          {sections.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id} disabled={busy}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sections.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Modal>
  )
}
