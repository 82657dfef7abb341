import { useTranslation } from 'react-i18next'
import { personApi, type PersonCard } from '#contract/leads/person.ts'
import { suppressionApi } from '#contract/leads/suppression.ts'
import { userSessionApi } from '#contract/leads/user-session.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { download } from '#web/kit/list/export/run-export.ts'

type DialogProps = { of: PersonCard; onClose: () => void }
const SHOWN = [personApi.get, personApi.find, personApi.toTell, userSessionApi.detail]

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

/** Forgets who somebody is, for good. */
export function ErasePerson({ of: { uuid }, onClose }: DialogProps) {
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
    <DialogForm of={form} title={t('erase')} text={t('erase.text')} action={t('erase')} danger careful size={520} onClose={onClose}>
      <LongTextField of={form} name="reason" label={t('reason')} help={t('reasonHelp')} rows={2} required />
    </DialogForm>
  )
}
