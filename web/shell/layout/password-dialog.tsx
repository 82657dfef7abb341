import { useTranslation } from '#web/i18n/use-translation.ts'
import { authApi } from '#contract/people/auth.ts'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { Profile } from '#web/shell/layout/profile.ts'

/** A new password for the own account; every other session ends. */
export function PasswordDialog({ me, onClose }: { me: Pick<Profile, 'email'>; onClose: () => void }) {
  const { t } = useTranslation('layout')
  const form = useSaveForm({
    endpoint: authApi.changePassword,
    initial: { current: '', password: '', end_keys: false },
    toInput: (values) => ({ body: values }),
    invalidate: [authApi.sessions],
    savedText: t('password.saved'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('password.title')} action={t('password.action')} onClose={onClose}>
      {/* password managers file the new password under this name */}
      <input type="text" hidden readOnly autoComplete="username" value={me.email} />
      <PasswordField of={form} name="current" label={t('password.current')} autoComplete="current-password" required />
      <PasswordField of={form} name="password" label={t('password.new')} help={t('password.help')} autoComplete="new-password" required />
      <SwitchField of={form} name="end_keys" label={t('password.keys')} />
    </DialogForm>
  )
}
