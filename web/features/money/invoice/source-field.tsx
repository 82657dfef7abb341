import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import type { SaveForm } from '#web/kit/form/use-save-form.ts'

type SourceFieldProps<Values> = { of: SaveForm<Values>; sources: readonly { id: number; name: string }[] }

/** The account a payment left from. */
export function SourceField<Values extends { source_id: string | null }>({ of, sources }: SourceFieldProps<Values>) {
  const { t } = useTranslation('invoice')
  return (
    <SelectField
      of={of}
      name={'source_id' as never}
      label={t('pay.source')}
      options={sources.map(({ id, name }) => ({ value: String(id), label: name }))}
      required
    />
  )
}
