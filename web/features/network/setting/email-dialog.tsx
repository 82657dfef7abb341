import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownProfileApi, staffProfileApi } from '#contract/people/own-profile.ts'
import { PasswordField } from '#web/kit/fields/password-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Asks for another address: a link goes there, and nothing changes until it is followed. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('setting')
  const form = useSaveForm({
    endpoint: ownProfileApi.changeEmail,
    initial: { email: '', password: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [ownProfileApi.get, staffProfileApi.get],
    savedText: t('profile.asked'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('profile.changeEmail')} text={t('profile.emailText')} action={t('profile.sendLink')} onClose={onClose}>
      <TextField of={form} name="email" label={t('profile.newEmail')} type="email" autoComplete="email" required />
      <PasswordField of={form} name="password" label={t('profile.password')} autoComplete="current-password" required />
    </DialogForm>
  )
}
