import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { advertiserInput } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { useConstants } from '#web/api/constants.ts'
import { ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-columns.tsx'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

export type AdvertiserValues = z.output<typeof advertiserInput>

/** The fields of an advertiser, for creating and editing alike. */
export function AdvertiserForm({ of, manager = null }: { of: SaveForm<AdvertiserValues>; manager?: ReferenceRow | null }) {
  const { t } = useTranslation('advertiser')
  const { currency } = useConstants()
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField of={of} name="email" label={t('email')} type="email" />
        <SelectField
          of={of}
          name="status"
          label={t('status')}
          options={useStatusOptions(ADVERTISER_STATUS)}
          help={t('statusHelp')}
          required
        />
        <ReferenceField of={of} name="manager_uuid" label={t('manager')} endpoint={managerApi.options} chosen={manager} />
        <SelectField of={of} name="currency" label={t('currency')} options={currency} required />
      </FormSection>
      <FormSection title={t('section.postbacks')} text={t('section.postbacksText')}>
        <TagsField of={of} name="allowed_ips" label={t('allowedIps')} help={t('allowedIpsHelp')} wide />
      </FormSection>
      <FormSection title={t('section.company')} text={t('section.companyText')}>
        <TextField of={of} name="company.name" label={t('companyName')} />
        <TextField of={of} name="company.vat_id" label={t('vatId')} />
        <TextField of={of} name="company.registration_number" label={t('registrationNumber')} />
        <CountryField of={of} name="company.country" label={t('country')} />
        <TextField of={of} name="company.address" label={t('address')} wide />
        <TextField of={of} name="company.city" label={t('city')} />
        <TextField of={of} name="company.postal_code" label={t('postalCode')} />
      </FormSection>
      <FormSection title={t('section.contact')}>
        <TextField of={of} name="contacts.telegram" label="Telegram" />
        <TextField of={of} name="contacts.skype" label="Skype" />
        <TextField of={of} name="contacts.linkedin" label="LinkedIn" wide />
      </FormSection>
      <FormSection title={t('section.internal')}>
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
