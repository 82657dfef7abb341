import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import type { profileInput } from '#contract/people/auth.ts'
import { offeredLanguages } from '#web/i18n/language.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

/** What people change of themselves: name, language and time zone. */
export function ProfileFields({ of }: { of: SaveForm<z.output<typeof profileInput>> }) {
  const { t } = useTranslation('layout')
  return (
    <>
      <TextField of={of} name="name" label={t('profile.name')} autoComplete="name" required />
      <SelectField of={of} name="language" label={t('language')} options={offeredLanguages} required />
      <ZoneField of={of} name="time_zone" label={t('profile.zone')} help={t('profile.zoneHelp')} required />
    </>
  )
}
