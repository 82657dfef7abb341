import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DATA_FIELDS } from '#contract/leads/recold-plan.ts'
import { useConstants } from '#web/api/constants.ts'
import type { RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TagsField } from '#web/kit/fields/tags-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type SectionProps = { of: SaveForm<RecoldValues> }
const USES = ['captured', 'omit', 'declared'] as const

/** Whom of the list it takes, and what is told of them. */
export function DataSection({ of }: SectionProps) {
  const { t } = useTranslation('recold')
  const { lead_genders: genders, lead_os: os, lead_device: devices } = useConstants()
  const any = t('data.any')
  const [told, tell] = useState(() => DATA_FIELDS.some((field) => of.values.data.fields[field].use !== 'captured'))
  return (
    <FormSection title={t('step.data')} text={t('step.dataText')}>
      <MultiSelectField of={of} name="data.geos" label={t('data.geos')} placeholder={any} options={useCountryOptions()} />
      <TagsField of={of} name="data.languages" label={t('data.languages')} help={t('data.languagesHelp')} placeholder={any} />
      <MultiSelectField of={of} name="data.genders" label={t('data.genders')} placeholder={any} options={genders} />
      <MultiSelectField of={of} name="data.os" label={t('data.os')} placeholder={any} options={os} />
      <MultiSelectField of={of} name="data.devices" label={t('data.devices')} placeholder={any} options={devices} wide />
      {!told && (
        <div data-wide>
          {t('told.captured')}{' '}
          <Anchor component="button" type="button" fz="inherit" onClick={() => tell(true)}>
            {t('told.change')}
          </Anchor>
        </div>
      )}
      {(told ? DATA_FIELDS : []).map((field) => (
        <div key={field} style={{ display: 'contents' }}>
          <SelectField
            of={of}
            name={`data.fields.${field}.use`}
            label={t(`field.${field}`)}
            options={USES.map((value) => ({ value, label: t(`use.${value}`) }))}
          />
          {of.values.data.fields[field].use === 'declared' && (
            <TextField of={of} name={`data.fields.${field}.value`} label={t('use.value', { field: t(`field.${field}`) })} required />
          )}
        </div>
      ))}
    </FormSection>
  )
}
