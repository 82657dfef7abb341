import { useTranslation } from '#web/i18n/use-translation.ts'
import { RECOLD_ORDERS } from '#contract/leads/recold-plan.ts'
import { AddedRows } from '#web/kit/form/added-rows.tsx'
import { useConstants } from '#web/api/constants.ts'
import { UNIT_SECONDS, type RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type SectionProps = { of: SaveForm<RecoldValues> }

/** How fast, and how many at most. */
export function PacingSection({ of }: SectionProps) {
  const { t } = useTranslation('recold')
  const { time } = useConstants()
  const { per_geo: geos } = of.values.pacing
  const units = [{ value: 'second', label: '' }, ...time.filter(({ value }) => value in UNIT_SECONDS)].map(({ value, label }) => ({
    value,
    label: t(`unit.${value}` as 'unit.second', { defaultValue: label }),
  }))
  const none = t('limit.none')
  return (
    <FormSection title={t('step.pacing')}>
      <NumberField of={of} name="pacing.interval_min" label={t('interval_min')} required />
      <NumberField of={of} name="pacing.interval_max" label={t('interval_max')} required />
      <SelectField of={of} name="pacing.unit" label={t('unit')} options={units} required />
      <SelectField
        of={of}
        name="pacing.order"
        label={t('order')}
        options={RECOLD_ORDERS.map((value) => ({ value, label: t(`order.${value}`) }))}
        required
      />
      <NumberField of={of} name="pacing.per_hour" label={t('per_hour')} placeholder={none} whole />
      <NumberField of={of} name="pacing.per_day" label={t('per_day')} placeholder={none} whole />
      <NumberField of={of} name="pacing.total" label={t('total')} placeholder={none} whole />
      <NumberField of={of} name="pacing.attempts" label={t('attempts')} help={t('attempts.help')} whole required />
      <AddedRows
        add={t('geo.add')}
        remove={t('geo.remove')}
        count={geos.length}
        onAdd={() => changeAt(of, 'pacing.per_geo', [...geos, { country: null, most: '' }])}
        onRemove={(at) => changeAt(of, 'pacing.per_geo', geos.toSpliced(at, 1))}
      >
        {(at) => (
          <>
            <CountryField of={of} name={`pacing.per_geo.${at}.country`} label={t('country')} />
            <NumberField of={of} name={`pacing.per_geo.${at}.most`} label={t('geo.most')} whole />
          </>
        )}
      </AddedRows>
    </FormSection>
  )
}
