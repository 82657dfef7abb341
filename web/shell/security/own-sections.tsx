import { Button, Group, Stack, Text } from '@mantine/core'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { OwnHistory } from '#web/own-history.tsx'
import { ApiKeys } from '#web/shell/security/api-keys.tsx'
import { SecondFactor } from '#web/shell/security/second-factor.tsx'
import { SessionList } from '#web/shell/security/session-list.tsx'
import { SignInList } from '#web/shell/security/sign-in-list.tsx'

const PasswordDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/shell/layout/password-dialog.tsx'))).PasswordDialog,
}))

export type OwnSection = { id: string; label: string; content: ReactNode }

/**
 * All that belongs to one's own safety, in the sections of the page and of the dialog: how one signs in, where one is signed in, API
 * keys, and what was done with the account. `onBusy` hears of codes and keys that are shown once.
 */
export function useOwnSections(email: string, onBusy?: (busy: boolean) => void): OwnSection[] {
  const { t } = useTranslation('security')
  const { t: layout } = useTranslation('layout')
  const busy = onBusy === undefined ? {} : { onBusy }
  return [
    {
      id: 'sign-in',
      label: t('own.signIn'),
      content: (
        <Stack>
          <Panel title={t('own.password')}>
            <Password email={email} {...busy} />
          </Panel>
          <Panel title={t('factor.title')}>
            <SecondFactor email={email} {...busy} />
          </Panel>
        </Stack>
      ),
    },
    {
      id: 'sessions',
      label: layout('sessions.title'),
      content: (
        <Stack>
          <Panel title={t('own.now')}>
            <SessionList />
          </Panel>
          <Panel title={t('history.title')}>
            <SignInList />
          </Panel>
        </Stack>
      ),
    },
    {
      id: 'keys',
      label: t('keys.title'),
      content: (
        <Panel title={t('keys.title')}>
          <ApiKeys email={email} {...busy} />
        </Panel>
      ),
    },
    { id: 'activity', label: layout('activity.title'), content: <OwnHistory /> },
  ]
}

function Password({ email, onBusy }: { email: string; onBusy?: (busy: boolean) => void }) {
  const { t } = useTranslation('security')
  const { t: layout } = useTranslation('layout')
  const [open, setOpen] = useState(false)
  const show = (next: boolean) => {
    setOpen(next)
    onBusy?.(next)
  }
  return (
    <Group justify="space-between" gap="sm">
      <Text c="dimmed" maw={480}>
        {t('own.passwordText')}
      </Text>
      <Button variant="default" onClick={() => show(true)}>
        {layout('password.title')}
      </Button>
      {open && (
        <Suspense>
          <PasswordDialog me={{ email }} onClose={() => show(false)} />
        </Suspense>
      )}
    </Group>
  )
}
