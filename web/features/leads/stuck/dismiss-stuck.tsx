import { useTranslation } from '#web/i18n/use-translation.ts'
import { stuckApi, type Stuck } from '#contract/leads/stuck.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Puts it aside with a reason: nothing follows from it. */
export function DismissStuck({ of, onClose }: { of: Stuck; onClose: () => void }) {
  const { t } = useTranslation('stuck')
  const form = useSaveForm({
    endpoint: stuckApi.dismiss,
    initial: { note: '' },
    toInput: (body) => ({ params: { uuid: of.uuid }, body }),
    invalidate: [stuckApi.list, stuckApi.detail],
    savedText: '',
    onSaved: ({ changed }) => {
      notify.success(t(changed === 0 ? 'dismiss.already' : 'dismiss.done'))
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('dismiss')} text={t('dismiss.text')} action={t('dismiss')} onClose={onClose}>
      <LongTextField of={form} name="note" label={t('why')} rows={2} required />
    </DialogForm>
  )
}
