import { Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { authApi } from '#contract/people/auth.ts'
import { ownProfileApi } from '#contract/people/own-profile.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { setLanguage } from '#web/i18n/language.ts'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { PhoneField } from '#web/kit/fields/phone-field.tsx'
import { ProfileFields } from '#web/kit/fields/profile-fields.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { YourManager } from '#web/your-manager.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { OwnSignIn } from './own-sign-in.tsx'

type Profile = CallOutput<typeof ownProfileApi.get>
const TONES = { unverified: 'muted', moderation: 'waiting', active: 'good', inactive: 'muted', banned: 'bad', rejected: 'bad' } as const

/** /settings/profile of an affiliate: what the network knows of them, and what of it they change themselves. */
export function OwnProfile() {
  const { t } = useTranslation('layout')
  const found = useQuery(query(ownProfileApi.get, {}))
  return (
    <SettingsPage>
      <EmailConfirmation />
      <QueryPage query={found} failed={t('profile.failed')}>
        {(profile) => (
          <>
            <SignIn profile={profile} />
            <ProfileForm profile={profile} />
            <YourManager />
          </>
        )}
      </QueryPage>
    </SettingsPage>
  )
}

/** What signs them in, and under which number the network knows them. */
function SignIn({ profile }: { profile: Profile }) {
  const { t } = useTranslation('setting')
  const { id, status } = profile
  return (
    <OwnSignIn profile={profile} noMail={t('profile.noMail')}>
      <Text size="sm" c="dimmed">
        {t('profile.id')} <CopyText text={String(id)} />
      </Text>
      <Group gap={6}>
        <Text size="sm" c="dimmed">
          {t('profile.status')}
        </Text>
        <StatusBadge tone={TONES[status]} label={t(`profile.status.${status}`)} />
      </Group>
    </OwnSignIn>
  )
}

function ProfileForm({ profile }: { profile: Profile }) {
  const { t } = useTranslation('setting')
  const { t: named } = useTranslation('layout')
  const { currency } = useConstants()
  const form = useSaveForm({
    endpoint: ownProfileApi.update,
    record: profile,
    valuesOf: ({ name, language, time_zone, company, website, country, phone, contacts, currency: chosen }) => ({
      name,
      language,
      time_zone,
      company,
      website,
      country,
      phone,
      contacts,
      currency: chosen,
    }),
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [ownProfileApi.get, authApi.me],
    onSaved: ({ language }) => void setLanguage(language),
  })
  return (
    <PageForm of={form} label={named('profile.title')} action={named('save')}>
      <FormSection title={named('profile.about')} text={named('profile.text')}>
        <ProfileFields of={form} />
        <SelectField of={form} name="currency" label={t('profile.currency')} options={currency} help={t('profile.currencyHelp')} required />
      </FormSection>
      <FormSection title={t('profile.company')}>
        <TextField of={form} name="company" label={t('profile.companyName')} autoComplete="organization" />
        <TextField of={form} name="website" label={t('profile.website')} type="url" placeholder="https://" />
        <CountryField of={form} name="country" label={t('profile.country')} />
        <PhoneField of={form} name="phone" label={t('profile.phone')} home={form.values.country} own />
        <ContactFields of={form} />
      </FormSection>
    </PageForm>
  )
}
