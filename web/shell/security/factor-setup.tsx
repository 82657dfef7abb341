import { Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { secondFactorApi } from '#contract/people/second-factor.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { CodeField } from './code-field.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import style from './security.module.css'

type Begun = CallOutput<typeof secondFactorApi.begin>

type Props = {
  email: string
  onDone: () => void
  /** Absent where there is no way around it. */
  onCancel?: () => void
}

/** Sets the second factor up: the password once more, the secret for the app, a first code, and the recovery codes. */
export function FactorSetup({ email, onDone, onCancel }: Props) {
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />
  if (begun !== undefined) return <Scan begun={begun} onConfirmed={setCodes} onCancel={onCancel} />
  return <AskPassword email={email} onBegun={setBegun} onCancel={onCancel} />
}

function AskPassword({ email, onBegun, onCancel }: { email: string; onBegun: (begun: Begun) => void; onCancel: Props['onCancel'] }) {
  const { t } = useTranslation('security')
  const form = useSaveForm({
    endpoint: secondFactorApi.begin,
    initial: { password: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: '',
    onSaved: onBegun,
  })
  return (
    <form onSubmit={form.submit} aria-label={t('setup.title')} noValidate>
      <Stack gap="md">
        <Text c="dimmed">{t('setup.text')}</Text>
        <input type="text" hidden readOnly autoComplete="username" value={email} />
        <PasswordField
          of={form}
          name="password"
          label={t('password')}
          help={t('setup.passwordHelp')}
          autoComplete="current-password"
          required
        />
        <Bar action={t('setup.next')} saving={form.saving} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

function Scan({ begun, onConfirmed, onCancel }: { begun: Begun; onConfirmed: (codes: string[]) => void; onCancel: Props['onCancel'] }) {
  const { t } = useTranslation('security')
  const form = useSaveForm({
    endpoint: secondFactorApi.confirm,
    initial: { code: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [],
    savedText: '',
    onSaved: ({ recovery_codes }) => onConfirmed(recovery_codes),
  })
  return (
    <form onSubmit={form.submit} aria-label={t('setup.title')} noValidate>
      <Stack gap="md">
        <div className={style.scan}>
          <img className={style.qr} src={`data:image/svg+xml,${encodeURIComponent(begun.qr)}`} alt={t('setup.qr')} />
          <ol className={style.steps}>
            <li>{t('setup.step1')}</li>
            <li>
              {t('setup.step2')}
              <div className={style.secret}>
                <CopyText text={begun.secret} shown={begun.secret.replace(/(.{4})(?=.)/g, '$1 ')} />
              </div>
            </li>
            <li>{t('setup.step3')}</li>
          </ol>
        </div>
        <CodeField of={form} label={t('code')} />
        <Bar action={t('setup.confirm')} saving={form.saving} onCancel={onCancel} />
      </Stack>
    </form>
  )
}

function Bar({ action, saving, onCancel }: { action: string; saving: boolean; onCancel: Props['onCancel'] }) {
  const { t } = useTranslation('security')
  return (
    <Group justify="flex-end" gap="sm">
      {onCancel && (
        <Button variant="default" onClick={onCancel} disabled={saving}>
          {t('cancel')}
        </Button>
      )}
      <Button type="submit" loading={saving}>
        {action}
      </Button>
    </Group>
  )
}
