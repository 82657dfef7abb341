import { useTranslation } from '#web/i18n/use-translation.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ProductValues } from './product-values.ts'

/** After how many errors a product is left alone, and for how long. */
export function ProductBreaker<Values extends ProductValues>({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('product')
  return (
    <FormSection title={t('breaker')} text={t('breakerText')}>
      <NumberField of={of} name="breaker_failures" label={t('breaker.failures')} help={t('breaker.failuresHelp')} whole required />
      <NumberField
        of={of}
        name="breaker_minutes"
        label={t('breaker.minutes')}
        unit={t('breaker.unit')}
        help={t('breaker.minutesHelp')}
        whole
        required
      />
    </FormSection>
  )
}
