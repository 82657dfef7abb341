import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PAYOUTS, recoldApi } from '#contract/leads/recold.ts'
import { query } from '#web/api/query.ts'
import type { RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { changeAt } from '#web/kit/fields/field.ts'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

type SectionProps = { of: SaveForm<RecoldValues>; chosen: ReferenceRow | null }

/** To whom. */
export function TargetSection({ of, chosen, fixed }: SectionProps & { fixed: boolean }) {
  const { t } = useTranslation('recold')
  const [picked, setPicked] = useState(chosen)
  const found = useQuery({
    ...query(recoldApi.targets, { body: { search: picked?.name ?? '' } }, { quiet: true }),
    enabled: picked !== null,
  })
  const products = found.data?.list.find(({ uuid }) => uuid === of.values.offer_uuid)?.products ?? []
  return (
    <FormSection title={t('step.target')}>
      <ReferenceField
        of={of}
        name="offer_uuid"
        label={t('offer')}
        endpoint={recoldApi.targets}
        chosen={chosen}
        onPick={({ uuid, id, name }) => {
          setPicked({ uuid, id, name })
          changeAt(of, 'product_uuids', [])
        }}
        required
      />
      <MultiSelectField
        of={of}
        name="product_uuids"
        label={t('products')}
        placeholder={t('products.all')}
        help={t('products.help')}
        options={products.map(({ uuid, name, advertiser, state }) => ({
          value: uuid,
          label: [name, advertiser?.name, state === 'active' ? '' : t(`product_state.${state}`)].filter(Boolean).join(' · '),
        }))}
      />
      <SelectField
        of={of}
        name="payout"
        label={t('payout')}
        options={PAYOUTS.map((value) => ({ value, label: t(`payout.${value}`) }))}
        disabled={fixed}
        {...(fixed && { help: t('payout.kept') })}
        required
      />
      {of.values.payout === 'fixed' && (
        <NumberField of={of} name="payout_amount" label={t('payout_amount')} help={t('payout_amount.help')} disabled={fixed} required />
      )}
    </FormSection>
  )
}
