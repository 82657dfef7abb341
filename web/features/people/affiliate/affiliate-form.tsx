import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { affiliateInput } from '#contract/people/affiliate.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { AFFILIATE_STATUS } from '#web/features/people/affiliate/affiliate-columns.tsx'
import { CountryField, useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

export type AffiliateValues = z.output<typeof affiliateInput>

/** The fields of an affiliate, for creating and editing alike. */
export function AffiliateForm({ of, manager = null }: { of: SaveForm<AffiliateValues>; manager?: ReferenceRow | null }) {
  const { t } = useTranslation('affiliate')
  const { traffic, verticals, currency } = useConstants()
  const countries = useCountryOptions()
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField of={of} name="email" label={t('email')} type="email" help={t('emailHelp')} required />
        <SelectField
          of={of}
          name="status"
          label={t('status')}
          options={useStatusOptions(AFFILIATE_STATUS)}
          help={t('statusHelp')}
          required
        />
        <ReferenceField of={of} name="manager_uuid" label={t('manager')} endpoint={managerApi.options} chosen={manager} />
        <SelectField of={of} name="currency" label={t('currency')} options={currency} help={t('currencyHelp')} required />
        <ZoneField of={of} name="time_zone" label={t('time_zone')} required />
      </FormSection>
      <FormSection title={t('section.contact')}>
        <CountryField of={of} name="country" label={t('country')} />
        <TextField of={of} name="phone" label={t('phone')} type="tel" />
        <TextField of={of} name="contacts.telegram" label="Telegram" />
        <TextField of={of} name="contacts.skype" label="Skype" />
        <TextField of={of} name="contacts.linkedin" label="LinkedIn" wide />
      </FormSection>
      <FormSection title={t('section.traffic')} text={t('section.trafficText')}>
        <MultiSelectField of={of} name="traffic_sources" label={t('trafficSources')} options={traffic} />
        <MultiSelectField of={of} name="verticals" label={t('verticals')} options={verticals} />
        <MultiSelectField of={of} name="geos" label={t('geos')} options={countries} wide />
      </FormSection>
      <FormSection title={t('section.internal')} text={t('section.internalText')}>
        <TagsField of={of} name="tags" label={t('tags')} wide />
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
