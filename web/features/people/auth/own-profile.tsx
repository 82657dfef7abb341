import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { authApi } from '#contract/people/auth.ts'
import { query } from '#web/api/query.ts'
import { setLanguage } from '#web/i18n/language.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { PageHeader } from '#web/kit/page/page-header.tsx'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import type { Profile } from '#web/shell/layout/profile.ts'
import { ProfileFields } from '#web/kit/fields/profile-fields.tsx'

/** An affiliate's own profile, where the own settings begin. */
export function OwnProfile() {
  const { t } = useTranslation('layout')
  const found = useQuery(query(authApi.me, {}))
  return (
    <>
      <PageHeader title={t('profile.title')} facts={found.data && [found.data.email, found.data.currency]} />
      <QueryPage query={found} failed={t('profile.failed')}>
        {(me) => <ProfileForm me={me} />}
      </QueryPage>
    </>
  )
}

function ProfileForm({ me }: { me: Profile }) {
  const { t } = useTranslation('layout')
  const form = useSaveForm({
    endpoint: authApi.updateProfile,
    record: me,
    valuesOf: ({ name, language, time_zone }) => ({ name, language, time_zone }),
    toInput: (values) => ({ body: values }),
    invalidate: [authApi.me],
    onSaved: ({ language }) => void setLanguage(language),
  })
  return (
    <PageForm of={form} label={t('profile.title')} action={t('save')}>
      <FormSection title={t('profile.about')} text={t('profile.text')}>
        <ProfileFields of={form} />
      </FormSection>
    </PageForm>
  )
}
