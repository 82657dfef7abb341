import { Alert, Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CallOutput } from '#contract/endpoint.ts'
import { authApi } from '#contract/people/auth.ts'
import { ownProfileApi } from '#contract/people/own-profile.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { withinChunkTimeout } from '#web/chunk.ts'
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
import { Panel } from '#web/kit/page/panel.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { CopyText } from '#web/kit/show/copy-text.tsx'
import { StatusBadge } from '#web/kit/show/status-badge.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { useSession } from '#web/shell/session.ts'
import { YourManager } from '#web/your-manager.tsx'
import { EmailConfirmation } from './email-confirmation.tsx'
import { EmailDialog } from './email-dialog.tsx'

type Profile = CallOutput<typeof ownProfileApi.get>
// the account menu has it too: named here, it would pull the frame's files into a circle
const PasswordDialog = lazy(async () => ({
  default: (await withinChunkTimeout(() => import('#web/shell/layout/password-dialog.tsx'))).PasswordDialog,
}))
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
function SignIn({ profile: { id, email, new_email, mail, status } }: { profile: Profile }) {
  const { t } = useTranslation('setting')
  const { acting } = useSession()
  const [open, setOpen] = useState<'email' | 'password'>()
  return (
    <Panel title={t('profile.signIn')}>
      <Group justify="space-between" gap="sm">
        <div>
          <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Text size="sm" c="dimmed">
            {t('profile.id')} <CopyText text={String(id)} />
          </Text>
          <Group gap={6}>
            <Text size="sm" c="dimmed">
              {t('profile.status')}
            </Text>
            <StatusBadge tone={TONES[status]} label={t(`profile.status.${status}`)} />
          </Group>
        </div>
        {!acting && (
          <Group gap="xs">
            {mail && (
              <Button variant="default" onClick={() => setOpen('email')}>
                {t('profile.changeEmail')}
              </Button>
            )}
            <Button variant="default" onClick={() => setOpen('password')}>
              {t('profile.changePassword')}
            </Button>
          </Group>
        )}
      </Group>
      {!mail && <p className="ohma-soft">{t('profile.noMail')}</p>}
      {new_email !== null && (
        <Alert mt="sm" color="var(--ohma-waiting)" role="note">
          {t('profile.waiting', { email: new_email })}
        </Alert>
      )}
      {open === 'email' && <EmailDialog onClose={() => setOpen(undefined)} />}
      {open === 'password' && (
        <Suspense>
          <PasswordDialog me={{ email }} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </Panel>
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
