import { useTranslation } from '#web/i18n/use-translation.ts'
import { CALL_STATUSES } from '#contract/leads/call-status.ts'
import type { RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type SectionProps = { of: SaveForm<RecoldValues> }

/** Whom it passes over. */
export function SkipSection({ of }: SectionProps) {
  const { t } = useTranslation('recold')
  const unit = t('days')
  return (
    <FormSection title={t('step.skip')} text={t('step.skipText')}>
      <NumberField of={of} name="skip.consent_days" label={t('consent_days')} placeholder={t('any_age')} unit={unit} whole />
      <NumberField
        of={of}
        name="skip.same_advertiser_days"
        label={t('same_advertiser_days')}
        placeholder={t('never_again')}
        unit={unit}
        whole
      />
      <NumberField of={of} name="skip.cool_down_days" label={t('cool_down_days')} unit={unit} whole required />
      <NumberField of={of} name="skip.most_sends" label={t('most_sends')} whole required />
      <NumberField of={of} name="skip.age_min_days" label={t('age_min_days')} placeholder={t('any_age')} unit={unit} whole />
      <NumberField of={of} name="skip.age_max_days" label={t('age_max_days')} placeholder={t('any_age')} unit={unit} whole />
      <MultiSelectField
        of={of}
        name="skip.call_statuses"
        label={t('call_statuses')}
        options={CALL_STATUSES.map((value) => ({ value, label: t(`userSession:call.${value}` as 'one') }))}
        wide
      />
    </FormSection>
  )
}
