import { useTranslation } from '#web/i18n/use-translation.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type LiftProps = { uuids: readonly string[]; onDone: () => void; onClose: () => void }

/** Takes entries off the list, with the reason. */
export function LiftSuppression({ uuids, onDone, onClose }: LiftProps) {
  const { t } = useTranslation('suppression')
  const form = useSaveForm({
    endpoint: suppressionApi.remove,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ body: { uuids: [...uuids], reason } }),
    invalidate: [suppressionApi.list],
    savedText: t('removed', { count: uuids.length, number: uuids.length }),
    onSaved: onDone,
  })
  return (
    <DialogForm
      of={form}
      title={t('remove.title', { count: uuids.length })}
      text={t('remove.text')}
      action={t('remove')}
      danger
      onClose={onClose}
    >
      <TextField of={form} name="reason" label={t('remove.reason')} required />
    </DialogForm>
  )
}
