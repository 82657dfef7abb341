import { useTranslation } from '#web/i18n/use-translation.ts'
import { DENSITIES, homesFor, preferenceApi } from '#contract/people/preference.ts'
import { FIRST_DAYS, PERIOD_PRESETS } from '#contract/traffic/period.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import type { Profile } from '#web/shell/layout/profile.ts'
import { rememberPreferences, usePreferences } from '#web/shell/preferences.ts'

/** How somebody likes the panel to be: density of tables, first day of the week, default period and home. */
export function PreferencesDialog({ me, onClose }: { me: Profile; onClose: () => void }) {
  const { t } = useTranslation('layout')
  const kit = useTranslation('kit')
  const { t: nameOf } = useTranslation('screen')
  const form = useSaveForm({
    endpoint: preferenceApi.save,
    initial: usePreferences(),
    toInput: (values) => ({ body: values }),
    invalidate: [preferenceApi.get],
    onSaved: (kept) => {
      rememberPreferences(me.uuid, kept)
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('preferences.title')} action={t('save')} onClose={onClose}>
      <SelectField
        of={form}
        name="density"
        label={t('preferences.density')}
        options={DENSITIES.map((value) => ({ value, label: t(`preferences.density.${value}`) }))}
      />
      <SelectField
        of={form}
        name="first_day"
        label={t('preferences.firstDay')}
        unset={t('preferences.firstDay.usual')}
        options={FIRST_DAYS.map((value) => ({ value, label: t(`preferences.firstDay.${value}`) }))}
      />
      <SelectField
        of={form}
        name="default_period"
        label={t('preferences.period')}
        help={t('preferences.periodHelp')}
        unset={t('preferences.period.usual')}
        options={PERIOD_PRESETS.filter((one) => one !== 'custom').map((value) => ({ value, label: kit.t(`period.${value}`) }))}
      />
      <SelectField
        of={form}
        name="home"
        label={t('preferences.home')}
        help={t('preferences.homeHelp')}
        unset={t('preferences.home.usual', { screen: nameOf(homesFor(me.user_role)[0] ?? 'dashboard') })}
        options={homesFor(me.user_role).map((value) => ({ value, label: nameOf(value) }))}
      />
    </DialogForm>
  )
}
