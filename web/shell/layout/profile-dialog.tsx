import { useTranslation } from '#web/i18n/use-translation.ts'
import { authApi } from '#contract/people/auth.ts'
import { setLanguage } from '#web/i18n/language.ts'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { Profile } from '#web/shell/layout/profile.ts'
import { ProfileFields } from '#web/kit/fields/profile-fields.tsx'

/** The own name, language and time zone, for those whose settings have no page for them. */
export function ProfileDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('layout')
  const form = useSaveForm({
    endpoint: authApi.updateProfile,
    initial: { name: me.name, language: me.language, time_zone: me.time_zone },
    toInput: (values) => ({ body: values }),
    invalidate: [authApi.me],
    onSaved: ({ language }) => {
      void setLanguage(language)
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('profile.title')} action={t('save')} onClose={onClose}>
      <ProfileFields of={form} />
    </DialogForm>
  )
}
