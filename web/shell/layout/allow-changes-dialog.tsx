import { useTranslation } from '#web/i18n/use-translation.ts'
import { actingApi } from '#contract/people/acting.ts'
import { authApi } from '#contract/people/auth.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Why who acts as an affiliate has to change something: it stands in the log. */
export function AllowChangesDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { t } = useTranslation('security')
  const form = useSaveForm({
    endpoint: actingApi.allowChanges,
    initial: { reason: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [authApi.me],
    savedText: t('acting.allowed', { name }),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('acting.title', { name })} text={t('acting.text')} action={t('acting.allow')} onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('acting.reason')} rows={2} required wide />
    </DialogForm>
  )
}
