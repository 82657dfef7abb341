import { useTranslation } from '#web/i18n/use-translation.ts'
import { BLACKLIST_KINDS, blacklistApi, type BlacklistKind } from '#contract/leads/blacklist.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** Adds one value to the blacklist. */
export function AddEntry({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('blacklist')
  const form = useSaveForm({
    endpoint: blacklistApi.add,
    initial: { kind: 'email' as BlacklistKind, value: '', note: '', expires_at: null as string | null },
    // the day itself counts
    toInput: ({ expires_at, ...values }) => ({ body: { ...values, expires_at: expires_at === null ? null : `${expires_at}T23:59:59Z` } }),
    invalidate: [blacklistApi.list],
    savedText: t('added'),
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('add.title')} text={t('add.text')} action={t('add')} size={480} onClose={onClose}>
      <SelectField
        of={form}
        name="kind"
        label={t('kind')}
        options={BLACKLIST_KINDS.map((value) => ({ value, label: t(`kind.${value}`) }))}
        required
      />
      <TextField of={form} name="value" label={t('value')} help={t(`help.${form.values.kind}`)} required />
      <TextField of={form} name="note" label={t('note')} help={t('noteHelp')} />
      <DayField of={form} name="expires_at" label={t('expires_at')} help={t('expiresHelp')} />
    </DialogForm>
  )
}
