import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { paymentSettingApi } from '#contract/money/payment.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { query } from '#web/api/query.ts'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { UrlTabs } from '#web/kit/page/url-tabs.tsx'
import { SettingsPage } from '#web/shell/settings-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { SystemList } from './system-list.tsx'
import { TermsFields } from './terms-fields.tsx'
import { termsBody, termsValues } from './terms-values.ts'

type PaymentSettingsProps = {
  /** What other features say of payments. */ more: readonly { id: string; label: string; content: ReactNode }[]
}

/** /settings/payments of the network: by what affiliates are paid, and beside it when. */
export function PaymentSettings({ more }: PaymentSettingsProps) {
  const { t } = useTranslation('payment')
  const found = useQuery(query(paymentSettingApi.settings, {}))
  return (
    <SettingsPage>
      <QueryPage query={found} failed={t('failed')}>
        {(settings) => (
          <UrlTabs
            label={t('title')}
            tabs={[
              { id: 'systems', label: t('systems'), content: <SystemList settings={settings} /> },
              { id: 'terms', label: t('terms'), content: <TermsForm settings={settings} /> },
              ...more,
            ]}
          />
        )}
      </QueryPage>
    </SettingsPage>
  )
}

function TermsForm({ settings }: { settings: CallOutput<typeof paymentSettingApi.settings> }) {
  const { t } = useTranslation('payment')
  const form = useSaveForm({
    endpoint: paymentSettingApi.updateSettings,
    record: settings,
    valuesOf: ({ systems: _systems, ...its }) => termsValues(its),
    // the systems are sent as they were read
    toInput: (values, { version, systems }) => ({ body: { ...termsBody(values), systems, version } }),
    invalidate: [paymentSettingApi.settings],
  })
  return (
    <SettingForm of={form} section="payments" label={t('terms')} changed={settings.changed}>
      <FormSection title={t('terms')} text={t('termsText')}>
        <TermsFields of={form} />
      </FormSection>
    </SettingForm>
  )
}
