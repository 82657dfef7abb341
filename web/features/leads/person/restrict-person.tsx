import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type PersonCard } from '#contract/leads/person.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type DialogProps = { of: PersonCard; onClose: () => void }
const SHOWN = [personApi.get, personApi.find, personApi.toTell, userSessionApi.detail]

/** Keeps somebody from being offered, or ends that. */
export function RestrictPerson({ of: { uuid, restricted_at }, onClose }: DialogProps) {
  const { t } = useTranslation('person')
  const word = restricted_at === null ? 'restrict' : 'unrestrict'
  const form = useSaveForm({
    endpoint: personApi.restrict,
    initial: { reason: '' },
    toInput: ({ reason }) => ({ params: { uuid }, body: { restricted: restricted_at === null, reason } }),
    invalidate: SHOWN,
    savedText: t('saved'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t(word)} text={t(`${word}.text`)} action={t(word)} onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} rows={2} required />
    </DialogForm>
  )
}
