import { Modal, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiKeys } from '#web/shell/security/api-keys.tsx'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import { SignInList } from '#web/shell/security/sign-in-list.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'

/** How oneself signs in, for those whose settings have no page for it: second factor, API keys, and who has signed in. */
export function SecurityDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('security')
  const [busy, setBusy] = useState(false)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      size={680}
      // codes and keys that are shown once go away by the button that says so
      closeOnClickOutside={!busy}
      closeOnEscape={!busy}
      withCloseButton={!busy}
    >
      <Tabs defaultValue="factor" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="factor" disabled={busy}>
            {t('factor.title')}
          </Tabs.Tab>
          <Tabs.Tab value="keys" disabled={busy}>
            {t('keys.title')}
          </Tabs.Tab>
          <Tabs.Tab value="history" disabled={busy}>
            {t('history.title')}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="factor">
          <SecondFactor email={me.email} onBusy={setBusy} />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <ApiKeys email={me.email} onBusy={setBusy} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <SignInList />
        </Tabs.Panel>
      </Tabs>
    </Modal>
  )
}
