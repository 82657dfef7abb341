import { useTranslation } from '#web/i18n/use-translation.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { useCountryOptions } from '#web/kit/fields/country-field.tsx'
import { ZoneField } from '#web/kit/fields/zone-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ProductValues } from './product-values.ts'

/** Title, address, countries and notes of a product. */
export function ProductFields<Values extends ProductValues>({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('product')
  const countries = useCountryOptions()
  return (
    <>
      <TextField of={of} name="title" label={t('name')} required />
      <TextField of={of} name="host" label={t('host')} help={t('hostHelp')} placeholder="https://crm.advertiser.example" required />
      <MultiSelectField of={of} name="geos" label={t('geos')} options={countries} placeholder={t('geos.any')} />
      <ZoneField of={of} name="time_zone" label={t('zone')} help={t('zoneHelp')} required />
      <LongTextField of={of} name="notes" label={t('notes')} wide />
    </>
  )
}
