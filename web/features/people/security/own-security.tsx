import { OwnPanels } from '#web/features/people/security/own-panels.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/security of an affiliate: how it signs in. */
export function OwnSecurity() {
  return (
    <SettingsPage>
      <OwnPanels />
    </SettingsPage>
  )
}
