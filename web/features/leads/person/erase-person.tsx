import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type PersonCard } from '#contract/leads/person.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type DialogProps = { of: PersonCard; onClose: () => void }
const SHOWN = [personApi.get, personApi.find, personApi.toTell, userSessionApi.detail]

/** Forgets who somebody is, for good. */
export function ErasePerson({ of: { uuid, id, name }, onClose }: DialogProps) {
  const { t } = useTranslation('person')
  const form = useSaveForm({
    endpoint: personApi.erase,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid }, body: { reason } }),
    invalidate: [...SHOWN, userSessionApi.list, suppressionApi.list],
    savedText: t('erasedNow'),
    onSaved: onClose,
  })
  return (
    <DialogForm
      of={form}
      title={[`${t('erase')}: ${t('one').toLowerCase()} ${id}`, name].filter(Boolean).join(' · ')}
      text={t('erase.text')}
      action={t('erase')}
      danger
      careful
      size={520}
      onClose={onClose}
    >
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} rows={2} required />
    </DialogForm>
  )
}
