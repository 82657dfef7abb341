import { useTranslation } from '#web/i18n/use-translation.ts'
import { dashboardApi } from '#contract/network/dashboard.ts'
import { advertiserApi, blankAdvertiser } from '#contract/people/advertiser.ts'
import { useConstants } from '#web/api/constants.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { DoneNote } from './done-note.tsx'
import type { StepProps } from './steps.ts'
import { StepForm } from './step-form.tsx'

/** Who pays for results. */
export function AdvertiserStep({ there, currency: base, next, back }: StepProps) {
  const { t } = useTranslation('setUp')
  const { currency } = useConstants()
  const form = useSaveForm({
    endpoint: advertiserApi.create,
    initial: { name: '', email: '', currency: base },
    toInput: (values) => ({ body: { ...blankAdvertiser, ...values, manager_uuid: there.manager_uuid } }),
    invalidate: [advertiserApi.list, dashboardApi.firstSteps],
    onSaved: next,
  })
  if (there.advertiser_uuid !== null) return <DoneNote text={t('advertiser.there')} next={next} back={back} />
  return (
    <StepForm of={form} label={t('step.advertiser')} action={t('advertiser.add')} ways={{ back, skip: next }}>
      <FormSection title={t('advertiser.who')} text={t('advertiser.whoText')}>
        <TextField of={form} name="name" label={t('company')} required />
        <TextField of={form} name="email" label={t('email')} type="email" />
        <SelectField of={form} name="currency" label={t('currency')} options={currency} required />
      </FormSection>
    </StepForm>
  )
}
