import type { ComponentType } from 'react'
import { useSearchParams } from 'react-router'
import { ConsentSettings } from '#web/features/leads/recold/consent-settings.tsx'
import { CurrencySettings } from '#web/features/money/currency/currency-settings.tsx'
import { GeneralSettings } from '#web/features/network/setting/general-settings.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import type { SettingsPart } from '#web/shell/settings/use-settings-entries.ts'

const PARTS: Readonly<Record<SettingsPart, ComponentType>> = { currencies: CurrencySettings, consents: ConsentSettings }

/** /settings/general: several features on one screen, which is why it stands outside of them. */
export function GeneralScreen() {
  const [search] = useSearchParams()
  const [, Part] = Object.entries(PARTS).find(([part]) => part === search.get('tab')) ?? ['', GeneralSettings]
  return (
    <SettingsPage>
      <Part />
    </SettingsPage>
  )
}
