import { useTranslation } from '#web/i18n/use-translation.ts'
import { personApi, type PersonCard } from '#contract/leads/person.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type DialogProps = { of: PersonCard; onClose: () => void }
const SHOWN = [personApi.get, personApi.find, personApi.toTell, userSessionApi.detail]

/** Mends who somebody is; what is left empty stays. */
export function RectifyPerson({ of: { uuid }, onClose }: DialogProps) {
  const { t } = useTranslation('person')
  const form = useSaveForm({
    endpoint: personApi.rectify,
    initial: { first_name: '', last_name: '', email: '', phone: '', reason: '' },
    toInput: ({ reason, ...values }) => ({
      params: { uuid },
      body: { ...Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')), reason },
    }),
    invalidate: SHOWN,
    savedText: t('rectified'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('rectify')} text={t('rectify.text')} action={t('save')} size={520} onClose={onClose}>
      <TextField of={form} name="first_name" label={t('firstName')} />
      <TextField of={form} name="last_name" label={t('lastName')} />
      <TextField of={form} name="email" label={t('email')} />
      <TextField of={form} name="phone" label={t('phone')} help={t('phoneHelp')} />
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} rows={2} required />
    </DialogForm>
  )
}
