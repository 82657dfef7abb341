import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { authApi } from '#contract/people/auth.ts'
import { staffProfileApi } from '#contract/people/own-profile.ts'
import { query } from '#web/api/query.ts'
import { setLanguage } from '#web/i18n/language.ts'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { ProfileFields } from '#web/kit/fields/profile-fields.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { OwnSignIn } from './own-sign-in.tsx'

/** /settings/profile of staff: what they change of themselves. */
export function StaffProfile() {
  const { t } = useTranslation('layout')
  const { t: setting } = useTranslation('setting')
  const found = useQuery(query(staffProfileApi.get, {}))
  return (
    <SettingsPage>
      <EmailConfirmation />
      <QueryPage query={found} failed={t('profile.failed')}>
        {(profile) => (
          <>
            <OwnSignIn profile={profile} noMail={setting('profile.noMailStaff')}>
              <Text size="sm" c="dimmed">
                {t(`role.${profile.role}`)}
              </Text>
            </OwnSignIn>
            <ProfileForm profile={profile} />
          </>
        )}
      </QueryPage>
    </SettingsPage>
  )
}

function ProfileForm({ profile }: { profile: CallOutput<typeof staffProfileApi.get> }) {
  const { t } = useTranslation('setting')
  const { t: named } = useTranslation('layout')
  const form = useSaveForm({
    endpoint: staffProfileApi.update,
    record: profile,
    valuesOf: ({ name, language, time_zone, contacts }) => ({ name, language, time_zone, contacts }),
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [staffProfileApi.get, authApi.me],
    onSaved: ({ language }) => void setLanguage(language),
  })
  return (
    <PageForm of={form} label={named('profile.title')} action={named('save')}>
      <FormSection title={named('profile.about')} text={named('profile.text')}>
        <ProfileFields of={form} />
      </FormSection>
      <FormSection title={t('profile.contacts')} text={t('profile.contactsText')}>
        <ContactFields of={form} />
      </FormSection>
    </PageForm>
  )
}
