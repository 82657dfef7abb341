import { Alert, Button, Stack } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { registrationApi } from '#contract/people/registration.ts'
import { messagesOf } from '#web/api/call-error.ts'
import { useSave } from '#web/api/query.ts'
import { GuestFrame } from '#web/guest/guest-frame.tsx'
import { errorText } from '#web/i18n/language.ts'
import type { Signed } from './signup-done.tsx'

/** Confirms an address by a button: mail scanners open every link, and must not confirm what nobody asked for. */
export function ConfirmEmail({ token, email, onDone }: { token: string; email: string; onDone: (signed: Signed) => void }) {
  const { t } = useTranslation('registration')
  const confirm = useSave(registrationApi.confirm, { onSuccess: onDone })
  return (
    <GuestFrame title={t('confirm.title')} subtitle={t('confirm.text', { email })}>
      <Stack gap="md">
        {confirm.error && (
          <Alert color="var(--ohma-bad)" p="sm" role="alert">
            {messagesOf(confirm.error, errorText).join(' ')}
          </Alert>
        )}
        <Button data-autofocus fullWidth size="md" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
          {t('confirm.action')}
        </Button>
      </Stack>
    </GuestFrame>
  )
}
