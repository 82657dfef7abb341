import { useTranslation } from '#web/i18n/use-translation.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Lets a paused distribution go on; asks from when its limits count. */
export function ResumeRecold({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('recold')
  const form = useSaveForm({
    endpoint: recoldApi.resume,
    initial: { caps: 'continue' as 'continue' | 'from_now' },
    toInput: (body) => ({ params: { uuid }, body }),
    invalidate: [recoldApi.list, recoldApi.get, recoldApi.live, recoldApi.items],
    savedText: t('resumed'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('resume.title')} text={t('resume.text')} action={t('resume')} onClose={onClose}>
      <SelectField
        of={form}
        name="caps"
        label={t('caps')}
        options={(['continue', 'from_now'] as const).map((value) => ({ value, label: t(`caps.${value}`) }))}
        required
      />
    </DialogForm>
  )
}
