import { useTranslation } from '#web/i18n/use-translation.ts'
import type { z } from 'zod'
import { blankLanding, landingApi, landingPrivacy, type landingDetail, type landingInput } from '#contract/offers/landing.ts'
import { landingType } from '#contract/offers/offer-landing.ts'
import { advertiserApi } from '#contract/people/advertiser.ts'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { useConstants } from '#web/api/constants.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MacroField } from '#web/kit/fields/macro/macro-field.tsx'
import { PictureField } from '#web/kit/fields/picture/picture-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { ReferencesField } from '#web/kit/fields/references-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { CreatePage } from '#web/kit/form/create-page.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'
import { useGo } from '#web/shell/access.ts'

type Input = z.output<typeof landingInput>
/** What the form holds: affiliates with their names, and no language as nothing chosen. */
type LandingValues = Omit<Input, 'affiliate_uuids' | 'language'> & { affiliate_uuids: ReferenceRow[]; language: string | null }

/** Makes a landing, active at once. */
export function LandingCreate() {
  const { t } = useTranslation('landing')
  const go = useGo()
  const form = useSaveForm({
    endpoint: landingApi.create,
    initial: landingValues(blankLanding, []),
    toInput: (values) => ({ body: landingBody(values) }),
    invalidate: [landingApi.list],
    savedText: t('created'),
    onSaved: ({ uuid }) => go('landingEdit', { uuid }, { replace: true }),
  })
  return (
    <CreatePage of={form} title={t('new')} action={t('create')} onCancel={() => go('landings')}>
      <LandingForm of={form} />
    </CreatePage>
  )
}

/** A saved landing, or a new one, as the form holds it. */
export function landingValues(
  input: Omit<Input, 'affiliate_uuids'>,
  affiliates: z.output<typeof landingDetail>['affiliates'],
): LandingValues {
  return { ...input, language: input.language || null, affiliate_uuids: affiliates }
}

/** What the server takes of the form. */
export function landingBody({ language, affiliate_uuids, ...values }: LandingValues): Input {
  return { ...values, language: language ?? '', affiliate_uuids: affiliate_uuids.map(({ uuid }) => uuid) }
}

/** The fields of a landing, for creating and editing alike. */
export function LandingForm({
  of,
  advertiser = null,
  id,
}: {
  of: SaveForm<LandingValues>
  advertiser?: ReferenceRow | null
  /** Its number, where it is saved already. */
  id?: number
}) {
  const { t } = useTranslation('landing')
  const { languages } = useConstants()
  return (
    <>
      <FormSection title={t('section.page')}>
        <TextField of={of} name="name" label={t('name')} required />
        <SelectField
          of={of}
          name="type"
          label={t('type')}
          options={landingType.options.map((value) => ({ value, label: t(`type.${value}`) }))}
          help={t(`typeHelp.${of.values.type}`)}
          required
        />
        <MacroField
          of={of}
          name="url"
          place="offer"
          label={t('url')}
          placeholder="https://shop.example/?click={click_id}"
          samples={id === undefined ? undefined : { landing_id: String(id) }}
          required
          wide
        />
        <SelectField of={of} name="language" label={t('language')} options={languages} placeholder={t('anyLanguage')} clearable />
        <TagsField of={of} name="tags" label={t('tags')} />
        <PictureField of={of} name="preview" kind="landing" label={t('preview')} help={t('previewHelp')} wide />
      </FormSection>
      <FormSection title={t('section.use')} text={t('section.useText')}>
        <ReferenceField
          of={of}
          name="advertiser_uuid"
          label={t('advertiser')}
          endpoint={advertiserApi.options}
          chosen={advertiser}
          placeholder={t('anyAdvertiser')}
          help={t('advertiserHelp')}
        />
        <SelectField
          of={of}
          name="privacy"
          label={t('privacy')}
          options={landingPrivacy.options.map((value) => ({ value, label: t(`privacy.${value}`) }))}
          help={t(`privacyHelp.${of.values.privacy}`)}
          required
        />
        {of.values.privacy === 'private' && (
          <ReferencesField of={of} name="affiliate_uuids" label={t('affiliates')} endpoint={affiliateApi.list} wide />
        )}
      </FormSection>
      <FormSection title={t('section.internal')}>
        <LongTextField of={of} name="notes" label={t('notes')} wide />
      </FormSection>
    </>
  )
}
