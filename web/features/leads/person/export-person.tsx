import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type PersonCard } from '#contract/leads/person.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { download } from '#web/kit/list/export/run-export.ts'

type DialogProps = { of: PersonCard; onClose: () => void }

/** Hands over all that is held of somebody, as a file. */
export function ExportPerson({ of: { uuid }, onClose }: DialogProps) {
  const { t } = useTranslation('person')
  const form = useSaveForm({
    endpoint: personApi.export,
    initial: { format: 'json' as 'json' | 'csv', reason: '' },
    toInput: (body) => ({ params: { uuid }, body }),
    invalidate: [],
    savedText: t('exported'),
    onSaved: ({ file_name, content }) => {
      download(file_name, [content], file_name.endsWith('.csv') ? 'text/csv;charset=utf-8' : 'application/json')
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('export')} text={t('export.text')} action={t('export')} onClose={onClose}>
      <SelectField
        of={form}
        name="format"
        label={t('format')}
        options={[
          { value: 'json', label: 'JSON' },
          { value: 'csv', label: 'CSV' },
        ]}
        required
      />
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} rows={2} required />
    </DialogForm>
  )
}
