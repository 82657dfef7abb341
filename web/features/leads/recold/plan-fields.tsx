import { ActionIcon, Button, Group } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RECOLD_ORDERS, WINDOW_ZONES } from '#contract/leads/recold-plan.ts'
import { useConstants } from '#web/api/constants.ts'
import { UNIT_SECONDS, type RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { CountryField } from '#web/kit/fields/country-field.tsx'
import { MomentField } from '#web/kit/fields/day/moment-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
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
        <Rows
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
        </Rows>
      )}
    </FormSection>
  )
}

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
      <Rows
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
      </Rows>
    </FormSection>
  )
}

type RowsProps = {
  add: string
  remove: string
  count: number
  onAdd: () => void
  onRemove: (at: number) => void
  children: (at: number) => ReactNode
}

function Rows({ add, remove, count, onAdd, onRemove, children }: RowsProps) {
  return (
    <div data-wide>
      {Array.from({ length: count }, (_, at) => (
        <Group key={at} align="end" gap="xs" mb="xs">
          {children(at)}
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={remove} title={remove} onClick={() => onRemove(at)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <Button variant="default" size="compact-md" leftSection={<IconPlus size={14} aria-hidden />} onClick={onAdd}>
        {add}
      </Button>
    </div>
  )
}
