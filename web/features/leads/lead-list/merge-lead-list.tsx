import { useTranslation } from '#web/i18n/use-translation.ts'
import { leadListApi, type LeadList } from '#contract/leads/lead-list.ts'
import { integer } from '#web/format.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SwitchField } from '#web/kit/fields/switch-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Takes the people of another list in. */
export function MergeLeadList({ of: { uuid, title }, onClose }: { of: Pick<LeadList, 'uuid' | 'title'>; onClose: () => void }) {
  const { t } = useTranslation('leadList')
  const form = useSaveForm({
    endpoint: leadListApi.merge,
    initial: { from_uuid: null as string | null, archive: false },
    toInput: ({ from_uuid, archive }) => ({ params: { uuid }, body: { from_uuid: from_uuid ?? '', archive } }),
    invalidate: [leadListApi.list, leadListApi.get, leadListApi.items, leadListApi.options],
    savedText: '',
    onSaved: ({ added, there }) => {
      notify.success(t('merged', { added: integer(added), there: integer(there) }))
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('merge.title', { title })} text={t('merge.text')} action={t('merge')} onClose={onClose}>
      <ReferenceField of={form} name="from_uuid" label={t('merge.from')} endpoint={leadListApi.options} required />
      <SwitchField of={form} name="archive" label={t('merge.archive')} />
    </DialogForm>
  )
}
