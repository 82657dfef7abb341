import { useTranslation } from '#web/i18n/use-translation.ts'
import { AcceptanceList } from '#web/features/network/legal/settings/acceptance-list.tsx'
import { LegalSettings } from '#web/features/network/legal/settings/legal-settings.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { RegistrationPreview } from '#web/features/people/registration/settings/registration-preview.tsx'
import { RegistrationSettings } from '#web/features/people/registration/settings/registration-settings.tsx'

/** /settings/registration: how affiliates sign up, how that looks, and what they agree to. */
export function RegistrationScreen() {
  const { t } = useTranslation('registration')
  return (
    <SettingsPage>
      <UrlTabs
        label={t('settings.title')}
        tabs={[
          { id: 'form', label: t('settings.tab.form'), content: <RegistrationSettings /> },
          { id: 'preview', label: t('settings.tab.preview'), content: <RegistrationPreview /> },
          { id: 'legal', label: t('settings.tab.legal'), content: <LegalSettings /> },
          { id: 'accepted', label: t('settings.tab.accepted'), content: <AcceptanceList /> },
        ]}
      />
    </SettingsPage>
  )
}
