import { OwnPanels } from '#web/features/people/security/own-panels.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/security of an affiliate: all that belongs to its own safety. */
export function OwnSecurity() {
  return (
    <SettingsPage>
      <OwnPanels />
    </SettingsPage>
  )
}
