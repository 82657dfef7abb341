import { useTranslation } from '#web/i18n/use-translation.ts'
import { WINDOW_ZONES } from '#contract/leads/recold-plan.ts'
import { AddedRows } from '#web/kit/form/added-rows.tsx'
import { useConstants } from '#web/api/constants.ts'
import { type RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type SectionProps = { of: SaveForm<RecoldValues> }
const DAYS = ['0', '1', '2', '3', '4', '5', '6'] as const

/** When it sends. */
export function ScheduleSection({ of }: SectionProps) {
  const { t } = useTranslation('recold')
  const { time } = useConstants()
  const { always, hours } = of.values.schedule
  const clocks = time.filter(({ value }) => value.includes(':'))
  const optionsFor = (value: string) => (clocks.some((one) => one.value === value) ? clocks : [{ value, label: value }, ...clocks])
  return (
    <FormSection title={t('step.schedule')}>
      <MomentField of={of} name="schedule.starts_at" label={t('starts_at')} placeholder={t('starts_at.now')} />
      <MomentField of={of} name="schedule.ends_at" label={t('ends_at')} placeholder={t('ends_at.none')} />
      <SelectField
        of={of}
        name="schedule.windows_in"
        label={t('windows_in')}
        options={WINDOW_ZONES.map((value) => ({ value, label: t(`windows_in.${value}`) }))}
        required
      />
      <ZoneField of={of} name="schedule.time_zone" label={t('time_zone')} help={t('time_zone.help')} required />
      <SwitchField of={of} name="schedule.always" label={t('always')} wide />
      {!always && (
        <AddedRows
          add={t('window.add')}
          remove={t('window.remove')}
          count={hours.length}
          onAdd={() => changeAt(of, 'schedule.hours', [...hours, { days: [], from: '09:00', until: '18:00' }])}
          onRemove={(at) => changeAt(of, 'schedule.hours', hours.toSpliced(at, 1))}
        >
          {(at) => (
            <>
              <MultiSelectField
                of={of}
                name={`schedule.hours.${at}.days`}
                label={t('window.days')}
                options={DAYS.map((value) => ({ value, label: t(`day.${value}`) }))}
              />
              <SelectField
                of={of}
                name={`schedule.hours.${at}.from`}
                label={t('window.from')}
                options={optionsFor(hours[at]?.from ?? '')}
              />
              <SelectField
                of={of}
                name={`schedule.hours.${at}.until`}
                label={t('window.until')}
                options={optionsFor(hours[at]?.until ?? '')}
              />
            </>
          )}
        </AddedRows>
      )}
    </FormSection>
  )
}
