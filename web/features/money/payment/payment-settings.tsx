import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { paymentSettingApi } from '#contract/money/payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { SystemEditor } from './system-editor.tsx'
import { systemBody, systemValues } from './system-values.ts'
import { TermsFields } from './terms-fields.tsx'
import { termsBody, termsValues } from './terms-values.ts'

/** /settings/payments of the network: when affiliates are paid, and by what. */
export function PaymentSettings() {
  const { t } = useTranslation('payment')
  const found = useQuery(query(paymentSettingApi.settings, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(settings) => <PaymentForm settings={settings} />}
      </QueryPage>
    </SettingsPage>
  )
}

function PaymentForm({ settings }: { settings: CallOutput<typeof paymentSettingApi.settings> }) {
  const { t } = useTranslation('payment')
  const form = useSaveForm({
    endpoint: paymentSettingApi.updateSettings,
    record: settings,
    valuesOf: ({ systems, ...its }) => ({ ...termsValues(its), systems: systems.map(systemValues) }),
    toInput: (values, { version }) => ({ body: { ...termsBody(values), systems: values.systems.map(systemBody), version } }),
    invalidate: [paymentSettingApi.settings],
  })
  return (
    <SettingForm of={form} section="payments" label={t('title')} changed={settings.changed}>
      <FormSection title={t('terms')} text={t('termsText')}>
        <TermsFields of={form} />
      </FormSection>
      <FormSection title={t('systems')} text={t('systemsText')}>
        <SystemEditor of={form} stored={new Set(settings.systems.map(({ code }) => code))} />
      </FormSection>
    </SettingForm>
  )
}
