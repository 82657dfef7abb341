import { useTranslation } from 'react-i18next'
import { CurrencySettings } from '#web/features/money/currency/currency-settings.tsx'
import { GeneralSettings } from '#web/features/network/setting/general-settings.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/general: two features on one screen, which is why it stands outside of both. */
export function GeneralScreen() {
  const { t } = useTranslation('screen')
  const { t: settingText } = useTranslation('setting')
  const { t: currencyText } = useTranslation('currency')
  return (
    <SettingsPage>
      <UrlTabs
        label={t('tab.settingsGeneral')}
        tabs={[
          { id: 'network', label: settingText('tab.network'), content: <GeneralSettings /> },
          { id: 'currencies', label: currencyText('title'), content: <CurrencySettings /> },
        ]}
      />
    </SettingsPage>
  )
}
