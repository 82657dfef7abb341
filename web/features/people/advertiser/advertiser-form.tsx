import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { advertiserApi, advertiserInput, blankAdvertiser, type advertiserDetail } from '#contract/people/advertiser.ts'
import { managerApi } from '#contract/people/manager.ts'
import { valuesOf } from '#contract/shape.ts'
import { useConstants } from '#web/api/constants.ts'
import { ADVERTISER_STATUS } from '#web/features/people/advertiser/advertiser-list.tsx'
import { PostbackFields } from '#web/features/people/advertiser/advertiser-postback.tsx'
import { ContactFields } from '#web/kit/fields/contact-fields.tsx'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { PageForm } from '#web/kit/form/page-form.tsx'
import { fieldId, useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useStatusOptions } from '#web/kit/status/use-status.tsx'
import { useGo } from '#web/shell/access.ts'

type Values = z.output<typeof advertiserInput>
type AdvertiserDetail = z.output<typeof advertiserDetail>

/** Makes an advertiser, then shows it with the postback address to hand over. */
export function AdvertiserCreate() {
  const { t } = useTranslation('advertiser')
  const go = useGo()
  const form = useSaveForm({
    endpoint: advertiserApi.create,
    initial: blankAdvertiser,
    toInput: (values) => ({ body: values }),
    invalidate: [advertiserApi.list],
    savedText: t('created.toast'),
    onSaved: ({ uuid }) => go('advertiserEdit', { uuid }, { replace: true }),
  })
  return (
    <CreatePage of={form} title={t('new')} action={t('create')} onCancel={() => go('advertisers')}>
      <Fields of={form} />
    </CreatePage>
  )
}

/** Everything that can be changed of an advertiser. */
export function AdvertiserEdit({ advertiser }: { advertiser: AdvertiserDetail }) {
  const { t } = useTranslation('advertiser')
  const form = useSaveForm({
    endpoint: advertiserApi.update,
    record: advertiser,
    valuesOf: (stored) => valuesOf(advertiserInput, stored),
    toInput: (values, { version }) => ({ params: { uuid: advertiser.uuid }, body: { ...values, version } }),
    invalidate: [advertiserApi.list, advertiserApi.get],
  })
  const [search] = useSearchParams()
  // a postback that was refused for a word leads here to map it: what it means is left to say
  useEffect(() => {
    const word = search.get('word') ?? ''
    const { postback_words: words } = form.values
    if (word === '' || words.some((one) => one.word.toLowerCase() === word.toLowerCase())) return
    form.form.insertListItem(
      'postback_words',
      search.get('means') === 'goal' ? { word, status: null, goal: '' } : { word, status: 'pending', goal: null },
    )
    const drawn = requestAnimationFrame(() => document.getElementById(fieldId(form.id, `postback_words.${words.length}.word`))?.focus())
    return () => cancelAnimationFrame(drawn)
    // once: what is typed afterwards is the person's own
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <PageForm of={form} label={advertiser.name} action={t('save')}>
      <Fields of={form} manager={advertiser.manager} />
    </PageForm>
  )
}

/** The fields of an advertiser, for creating and editing alike. */
function Fields({ of, manager = null }: { of: SaveForm<Values>; manager?: ReferenceRow | null }) {
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
      <PostbackFields of={of} />
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
        <ContactFields of={of} />
      </FormSection>
      <FormSection title={t('section.internal')}>
        <TextField of={of} name="external_id" label={t('external_id')} help={t('externalIdHelp')} />
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
