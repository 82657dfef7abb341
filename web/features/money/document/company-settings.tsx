import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { DOCUMENT_LANGUAGES, documentApi } from '#contract/money/document.ts'
import { query } from '#web/api/query.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { SettingForm } from '#web/setting-form.tsx'
import { PartyFields } from './party-fields.tsx'

/** Our company as it stands on documents, and what they say. */
export function CompanySettings() {
  const { t } = useTranslation('document')
  return (
    <QueryPage query={useQuery(query(documentApi.company, {}))} failed={t('failed')}>
      {(company) => <CompanyForm company={company} />}
    </QueryPage>
  )
}

function CompanyForm({ company }: { company: CallOutput<typeof documentApi.company> }) {
  const { t } = useTranslation('document')
  const form = useSaveForm({
    endpoint: documentApi.updateCompany,
    record: company,
    valuesOf: ({ version: _version, changed: _changed, ...values }) => values,
    toInput: (values, { version }) => ({ body: { ...values, version } }),
    invalidate: [documentApi.company],
  })
  return (
    <SettingForm of={form} section="company" label={t('company')} changed={company.changed}>
      <FormSection title={t('company')} text={t('companyText')}>
        <PartyFields of={form} />
      </FormSection>
      <FormSection title={t('documents')} text={t('documentsText')}>
        <SelectField
          of={form}
          name="language"
          label={t('language')}
          options={DOCUMENT_LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }))}
          required
        />
        <SwitchField of={form} name="copy" label={t('copy')} help={t('copyHelp')} />
        <TextField of={form} name="reverse_charge_text" label={t('reverse_charge_text')} />
        <TextField of={form} name="outside_text" label={t('outside_text')} />
        <TextField of={form} name="exempt_text" label={t('exempt_text')} help={t('exempt_textHelp')} />
        <LongTextField of={form} name="payment_details" label={t('payment_details')} help={t('payment_detailsHelp')} />
      </FormSection>
      <FormSection title={t('act')} text={t('actHelp')}>
        <SwitchField of={form} name="act" label={t('act.make')} help={t('act.makeHelp')} />
        <TextField of={form} name="act_place" label={t('act_place')} help={t('act_placeHelp')} />
        <TextField of={form} name="act_post" label={t('act_post')} />
        <TextField of={form} name="act_name" label={t('act_name')} />
      </FormSection>
      <FormSection title={t('selfBilling')} text={t('selfBillingText')}>
        <SwitchField of={form} name="self_billing" label={t('self_billing')} help={t('self_billingHelp')} />
        {form.values.self_billing && <LongTextField of={form} name="agreement" label={t('agreement')} help={t('agreementHelp')} />}
      </FormSection>
    </SettingForm>
  )
}
