import { OwnTaxProfile } from '#web/features/money/document/own-tax-profile.tsx'
import { OwnMethods } from '#web/features/money/payment/own-methods.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'

/** /settings/payments of an affiliate: where they are paid, and who they are on invoices. */
export function OwnPaymentSettingsScreen() {
  return (
    <SettingsPage>
      <OwnMethods />
      <OwnTaxProfile />
    </SettingsPage>
  )
}
