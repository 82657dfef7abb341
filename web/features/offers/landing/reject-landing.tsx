import { useTranslation } from 'react-i18next'
import { landingApi } from '#contract/offers/landing.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Asks for the reason, then turns a landing down. */
export function RejectLanding({ landing, onClose }: { landing: { uuid: string; name: string }; onClose: () => void }) {
  const { t } = useTranslation('landing')
  const form = useSaveForm({
    endpoint: landingApi.decide,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ body: { uuids: [landing.uuid], approve: false, reason } }),
    invalidate: [landingApi.list, landingApi.get, landingApi.waiting],
    savedText: t('rejected'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('rejectAsk', { name: landing.name })} action={t('reject')} onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} />
    </DialogForm>
  )
}
