import { Alert, Button, Group, Text } from '@mantine/core'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
import { Panel } from '#web/kit/page/panel.tsx'
import { useSession } from '#web/shell/session.ts'
import { EmailDialog } from './email-dialog.tsx'

// the account menu has it too: named here, it would pull the frame's files into a circle
const PasswordDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/shell/layout/password-dialog.tsx'))).PasswordDialog,
}))

type OwnSignInProps = {
  profile: { email: string; new_email: string | null; mail: boolean }
  /** Said where the network sends no mail, without which nobody changes an address alone. */
  noMail: string
  /** What stands beneath the address. */
  children: ReactNode
}

/** What signs somebody in: the address, which a mailed link changes, and the password. */
export function OwnSignIn({ profile: { email, new_email, mail }, noMail, children }: OwnSignInProps) {
  const { t } = useTranslation('setting')
  const { acting } = useSession()
  const [open, setOpen] = useState<'email' | 'password'>()
  return (
    <Panel title={t('profile.signIn')}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          {children}
        </div>
        {!acting && (
          <Group gap="xs">
            {mail && (
              <Button variant="default" onClick={() => setOpen('email')}>
                {t('profile.changeEmail')}
              </Button>
            )}
            <Button variant="default" onClick={() => setOpen('password')}>
              {t('profile.changePassword')}
            </Button>
          </Group>
        )}
      </Group>
      {!mail && <p className="ohma-soft">{noMail}</p>}
      {new_email !== null && (
        <Alert mt="sm" color="var(--ohma-waiting)" role="note">
          {t('profile.waiting', { email: new_email })}
        </Alert>
      )}
      {open === 'email' && <EmailDialog onClose={() => setOpen(undefined)} />}
      {open === 'password' && (
        <Suspense>
          <PasswordDialog me={{ email }} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </Panel>
  )
}
