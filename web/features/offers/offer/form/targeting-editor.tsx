import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useConstants } from '#web/api/constants.ts'
import { DIMENSIONS, type Dimension, type OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { Option } from '#web/kit/list/filter.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

/** Whose clicks the offer takes: for each property everybody, only some, or all but some. */
export function TargetingEditor({ of }: { of: SaveForm<OfferValues> }) {
  const { t } = useTranslation('offer')
  const options = useDimensionOptions()
  const modes = [
    { value: 'any', label: t('target.any') },
    { value: 'include', label: t('target.include') },
    { value: 'exclude', label: t('target.exclude') },
  ]
  return (
    <FormSection title={t('section.targeting')} text={t('section.targetingText')}>
      <div className={classes.targets} data-wide>
        {DIMENSIONS.map((dimension) => (
          <div key={dimension} className={classes.target}>
            <SelectField of={of} name={`targeting.${dimension}.mode`} label={t(`dimension.${dimension}`)} options={modes} />
            {of.values.targeting[dimension].mode !== 'any' && (
              <MultiSelectField
                of={of}
                name={`targeting.${dimension}.values`}
                label={t(of.values.targeting[dimension].mode === 'include' ? 'target.taken' : 'target.refused', {
                  what: t(`dimension.${dimension}`),
                })}
                options={options[dimension]}
                required
              />
            )}
          </div>
        ))}
      </div>
    </FormSection>
  )
}

/** What can be chosen for each property of a visitor, in the language of the panel. */
export function useDimensionOptions(): Record<Dimension, readonly Option[]> {
  const { t } = useTranslation('report')
  const { devices, oss, browsers, languages } = useConstants()
  const geo = useCountryOptions()
  return useMemo(
    () => ({
      geo,
      device: devices.map(({ value }) => ({ value, label: t(`code.${value}` as 'code.mobile') })), // the contract's devices
      os: oss,
      browser: browsers,
      language: languages,
    }),
    [geo, devices, oss, browsers, languages, t],
  )
}
