import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { affiliateApi, affiliateInput, blankAffiliate, type affiliateDetail } from '#contract/people/affiliate.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { affiliateSettingApi } from '#contract/people/affiliate-setting.ts'
import { managerApi } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { useConstants } from '#web/api/constants.ts'
import { query } from '#web/api/query.ts'
import { QueryPage } from '#web/kit/page/query-page.tsx'
import { AFFILIATE_STATUS } from '#web/features/people/affiliate/affiliate-list.tsx'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { CountryField, useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { PhoneField } from '#web/kit/fields/phone-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { useCan, useGo } from '#web/shell/access.ts'
import { usePasswordLink } from '#web/shell/use-password-link.tsx'

type Values = z.output<typeof affiliateInput>
type AffiliateDetail = z.output<typeof affiliateDetail>

/** Makes an affiliate, then shows the one-time link that lets them in. */
export function AffiliateCreate() {
  const { t } = useTranslation('affiliate')
  const found = useQuery(query(affiliateSettingApi.defaults, {}))
  return (
    <QueryPage query={found} failed={t('failed')}>
      {(defaults) => <NewAffiliate defaults={defaults} />}
    </QueryPage>
  )
}

function NewAffiliate({ defaults: { status, currency, time_zone } }: { defaults: CallOutput<typeof affiliateSettingApi.defaults> }) {
  const { t } = useTranslation('affiliate')
  const go = useGo()
  const { partner_settings } = useConstants()
  const { show, dialog } = usePasswordLink(affiliateApi.passwordLink, ({ uuid }) => go('affiliateEdit', { uuid }, { replace: true }))
  const form = useSaveForm({
    endpoint: affiliateApi.create,
    initial: { ...blankAffiliate, status, currency, time_zone: time_zone ?? partner_settings.time_zone },
    toInput: (values) => ({ body: values }),
    invalidate: [affiliateApi.list],
    savedText: t('created.toast'),
    onSaved: (made, { name }) => show({ ...made, name }),
  })
  return (
    <>
      <CreatePage of={form} title={t('new')} action={t('create')} onCancel={() => go('affiliates')}>
        <Fields of={form} />
      </CreatePage>
      {dialog}
    </>
  )
}

/** Everything that can be changed of an affiliate. */
export function AffiliateEdit({ affiliate }: { affiliate: AffiliateDetail }) {
  const { t } = useTranslation('affiliate')
  const lockedEmail = !useCan()('account.password_link')
  const form = useSaveForm({
    endpoint: affiliateApi.update,
    record: affiliate,
    valuesOf: (stored) => valuesOf(affiliateInput, stored),
    toInput: (values, { version }) => ({ params: { uuid: affiliate.uuid }, body: { ...values, version } }),
    invalidate: [affiliateApi.list, affiliateApi.get],
  })
  return (
    <PageForm of={form} label={affiliate.name} action={t('save')}>
      <Fields of={form} manager={affiliate.manager} lockedEmail={lockedEmail} />
    </PageForm>
  )
}

/** The fields of an affiliate, for creating and editing alike. */
function Fields({
  of,
  manager = null,
  lockedEmail = false,
}: {
  of: SaveForm<Values>
  manager?: ReferenceRow | null
  /** Links that sign in go to the address: who may not see one does not name another address. */
  lockedEmail?: boolean
}) {
  const { t } = useTranslation('affiliate')
  const { traffic, verticals, currency } = useConstants()
  const countries = useCountryOptions()
  return (
    <>
      <FormSection title={t('section.account')}>
        <TextField of={of} name="name" label={t('name')} required />
        <TextField
          of={of}
          name="email"
          label={t('email')}
          type="email"
          help={t(lockedEmail ? 'emailLocked' : 'emailHelp')}
          disabled={lockedEmail}
          required
        />
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
        <TextField of={of} name="company" label={t('company')} />
        <TextField of={of} name="website" label={t('website')} type="url" />
        <CountryField of={of} name="country" label={t('country')} />
        <PhoneField of={of} name="phone" label={t('phone')} home={of.values.country} />
        <ContactFields of={of} />
      </FormSection>
      <FormSection title={t('section.traffic')} text={t('section.trafficText')}>
        <MultiSelectField of={of} name="traffic_sources" label={t('trafficSources')} options={traffic} />
        <MultiSelectField of={of} name="verticals" label={t('verticals')} options={verticals} />
        <MultiSelectField of={of} name="geos" label={t('geos')} options={countries} wide />
      </FormSection>
      <FormSection title={t('section.internal')} text={t('section.internalText')}>
        <TextField of={of} name="external_id" label={t('external_id')} help={t('externalIdHelp')} />
        <TagsField of={of} name="tags" label={t('tags')} wide />
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
