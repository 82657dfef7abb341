import { useCallback, useState, useMemo, type ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { offerApi } from '#contract/offers/offer.ts'
import { useConstants } from '#web/api/constants.ts'
import type { OfferValues } from '#web/features/offers/offer/form/offer-values.ts'
import { VersionEditor } from '#web/features/offers/offer/form/version-editor.tsx'
import { ChoicesField } from '#web/kit/fields/choices-field.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { Option } from '#web/kit/list/filter.ts'
import { RARE_TARGETS, USUAL_TARGETS, type TargetDimension } from '#web/targeting-words.ts'
import classes from '#web/features/offers/offer/form/offer-form.module.css'

type Of = { of: SaveForm<OfferValues> }

/** Whose clicks the offer takes: for each property everybody, only some, or all but some. What few offers look at is folded. */
export function TargetingEditor({ of }: Of) {
  const { t } = useTranslation('offer')
  const { targeting } = of.values
  const options = useDimensionOptions()
  const [opened, setOpened] = useState(false)
  // once something of it is set it stays open, also when that is taken back
  if (!opened && RARE_TARGETS.some((dimension) => targeting[dimension].mode !== 'any')) setOpened(true)
  const countries = targeting.geo.mode === 'include' ? targeting.geo.values : []
  const place = (kind: 'region' | 'city') => (label: string) => (
    <ChoicesField
      of={of}
      name={`targeting.${kind}.values`}
      label={label}
      endpoint={offerApi.places}
      only={{ kind, countries }}
      help={countries.length > 0 ? t('target.places') : undefined}
      required
    />
  )
  return (
    <FormSection title={t('section.targeting')} text={t('section.targetingText')}>
      <div className={classes.targets} data-wide>
        {USUAL_TARGETS.map((dimension) => (
          <UsualTarget key={dimension} of={of} dimension={dimension} options={options[dimension]} />
        ))}
        <details open={opened} onToggle={(event) => setOpened(event.currentTarget.open)}>
          <summary className={classes.more}>{t('target.more')}</summary>
          <div className={classes.targets}>
            <Target of={of} dimension="region" values={place('region')} />
            <Target of={of} dimension="city" values={place('city')} />
            <Target of={of} dimension="os_version" values={(label) => <VersionEditor of={of} label={label} />} />
            <Target
              of={of}
              dimension="network"
              values={(label) => (
                <ChoicesField of={of} name="targeting.network.values" label={label} endpoint={offerApi.networks} required />
              )}
            />
          </div>
        </details>
      </div>
    </FormSection>
  )
}

/** A property many offers look at: its values are typed at once, and then said whether only they or all but they are taken. */
function UsualTarget({ of, dimension, options }: Of & { dimension: (typeof USUAL_TARGETS)[number]; options: readonly Option[] }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const { getValues, setFieldValue } = of.form
  // the same function each time, or the field would be drawn with every letter typed elsewhere
  const follow = useCallback(
    (values: readonly string[]) => {
      const { mode } = getValues().targeting[dimension]
      if (values.length === 0) setFieldValue(`targeting.${dimension}.mode`, 'any')
      else if (mode === 'any') setFieldValue(`targeting.${dimension}.mode`, 'include')
    },
    [getValues, setFieldValue, dimension],
  )
  return (
    <div className={classes.usual}>
      <MultiSelectField
        of={of}
        name={`targeting.${dimension}.values`}
        label={word(dimension)}
        options={options}
        placeholder={t('target.anyone')}
        onPick={follow}
      />
      {of.values.targeting[dimension].mode !== 'any' && (
        <SelectField
          of={of}
          name={`targeting.${dimension}.mode`}
          label={t('target.how', { what: word(dimension) })}
          options={(['include', 'exclude'] as const).map((value) => ({ value, label: t(`target.${value}`) }))}
        />
      )}
    </div>
  )
}

/** A property few offers look at: whether it matters, and then which values. */
function Target({ of, dimension, values }: Of & { dimension: TargetDimension; values: (label: string) => ReactNode }) {
  const { t } = useTranslation('offer')
  const { t: word } = useTranslation('dimension')
  const { mode } = of.values.targeting[dimension]
  const modes = (['any', 'include', 'exclude'] as const).map((value) => ({ value, label: t(`target.${value}`) }))
  return (
    <div className={classes.target}>
      <SelectField of={of} name={`targeting.${dimension}.mode`} label={word(dimension)} options={modes} />
      {mode !== 'any' && values(t(mode === 'include' ? 'target.taken' : 'target.refused', { what: word(dimension) }))}
    </div>
  )
}

/** What can be chosen for each property of a visitor, in the language of the panel. */
export function useDimensionOptions(): Record<(typeof USUAL_TARGETS)[number], readonly Option[]> {
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
