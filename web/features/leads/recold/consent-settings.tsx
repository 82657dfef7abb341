import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { coldConsentApi, CONSENT_GATES, CONSENT_REGIONS } from '#contract/leads/cold-consent.ts'
import { query } from '#web/api/query.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'

/** How a second sale looks at consents, by where people live. */
export function ConsentSettings() {
  const { t } = useTranslation('recold')
  const found = useQuery(query(coldConsentApi.read, {}))
  return (
    <QueryPage query={found} failed={t('consent.failed')}>
      {(stored) => <ConsentForm of={stored} />}
    </QueryPage>
  )
}

function ConsentForm({ of }: { of: CallOutput<typeof coldConsentApi.read> }) {
  const { t } = useTranslation('recold')
  const form = useSaveForm({
    endpoint: coldConsentApi.update,
    record: of,
    valuesOf: ({ eea, uk, ch, elsewhere }) => ({ eea, uk, ch, elsewhere }),
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [coldConsentApi.read],
  })
  return (
    <SettingForm of={form} section="cold-consent" label={t('consent')} changed={of.changed}>
      <FormSection title={t('consent')} text={t('consent.text')}>
        {CONSENT_REGIONS.map((region) => (
          <SelectField
            key={region}
            of={form}
            name={region}
            label={t(`consent.${region}`)}
            options={CONSENT_GATES.map((value) => ({ value, label: t(`gate.${value}`) }))}
            required
          />
        ))}
      </FormSection>
    </SettingForm>
  )
}
