import { useTranslation } from '#web/i18n/use-translation.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import type { RecoldValues } from '#web/features/leads/recold/form-values.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { FormSection } from '#web/kit/form/form-section.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'
import type { ReferenceRow } from '#web/kit/list/filter.ts'

type SectionProps = { of: SaveForm<RecoldValues>; chosen: ReferenceRow | null }

/** Who is sent. */
export function ListSection({ of, chosen, fixed }: SectionProps & { fixed: boolean }) {
  const { t } = useTranslation('recold')
  return (
    <FormSection title={t('step.list')}>
      <TextField of={of} name="title" label={t('recold_title')} required />
      <ReferenceField
        of={of}
        name="list_uuid"
        label={t('list')}
        endpoint={recoldApi.lists}
        chosen={chosen}
        disabled={fixed}
        {...(fixed && { help: t('list.fixed') })}
        required
      />
    </FormSection>
  )
}
