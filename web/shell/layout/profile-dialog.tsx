import { useTranslation } from 'react-i18next'
import { authApi } from '#contract/people/auth.ts'
import { LANGUAGES, setLanguage } from '#web/i18n/language.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { Profile } from '#web/shell/layout/profile.ts'

/** The own name, language and time zone. */
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
      <TextField of={form} name="name" label={t('profile.name')} autoComplete="name" required />
      <SelectField of={form} name="language" label={t('language')} options={LANGUAGES} required />
      <ZoneField of={form} name="time_zone" label={t('profile.zone')} help={t('profile.zoneHelp')} required />
    </DialogForm>
  )
}
