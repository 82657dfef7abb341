import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { registrationApi, REGISTRATION_MODES } from '#contract/people/registration.ts'
import { query } from '#web/api/query.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { runtime, setRuntime } from '#web/shell/runtime.ts'
import { FieldRules } from './field-rules.tsx'
import { QuestionEditor } from './question-editor.tsx'

/** Who may sign up, what is asked, and what holds for whom. */
export function RegistrationSettings() {
  const { t } = useTranslation('registration')
  const found = useQuery(query(registrationApi.settings, {}))
  return (
    <QueryPage query={found} failed={t('settings.failed')}>
      {(settings) => <SettingsForm settings={settings} />}
    </QueryPage>
  )
}

function SettingsForm({ settings }: { settings: CallOutput<typeof registrationApi.settings> }) {
  const { t } = useTranslation('registration')
  const { data: state } = useQuery(query(registrationApi.state, {}))
  const form = useSaveForm({
    endpoint: registrationApi.updateSettings,
    record: settings,
    valuesOf: ({ version: _version, changed: _changed, ...stored }) => stored,
    toInput: (values, { version }) => ({
      body: { ...values, version },
    }),
    invalidate: [registrationApi.settings],
    // the page of sign-in offers to sign up, or does not
    onSaved: ({ mode }) => setRuntime({ ...runtime(), signup: mode === 'open' || mode === 'moderated' }),
  })
  const { mode } = form.values
  return (
    <SettingForm of={form} section="registration" label={t('settings.title')} changed={settings.changed}>
      {state?.mail === false && mode !== 'closed' && (
        <Alert color="var(--ohma-waiting)" title={t('settings.noMail.title')}>
          {t(mode === 'open' ? 'settings.noMail.open' : 'settings.noMail.text')}
        </Alert>
      )}
      <FormSection title={t('settings.who')} text={t('settings.whoText')}>
        <SelectField
          of={form}
          name="mode"
          label={t('settings.mode')}
          options={REGISTRATION_MODES.map((value) => ({ value, label: t(`settings.mode.${value}`) }))}
          help={t(`settings.modeHelp.${mode}`)}
          required
        />
        <SwitchField of={form} name="confirm_email" label={t('settings.confirmEmail')} help={t('settings.confirmEmailHelp')} wide />
      </FormSection>
      <FormSection title={t('settings.fields')} text={t('settings.fieldsText')}>
        <FieldRules of={form} />
      </FormSection>
      <FormSection title={t('settings.questions')} text={t('settings.questionsText')}>
        <QuestionEditor of={form} />
      </FormSection>
    </SettingForm>
  )
}
