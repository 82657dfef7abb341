import { useTranslation } from 'react-i18next'
import { leadListApi, type LeadListItem } from '#contract/leads/lead-list.ts'
import { integer } from '#web/format.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

/** Moves people of a list to another one. */
export function MoveItems({ uuid, items, onClose }: { uuid: string; items: readonly LeadListItem[]; onClose: () => void }) {
  const { t } = useTranslation('leadList')
  const form = useSaveForm({
    endpoint: leadListApi.moveItems,
    initial: { to_uuid: null as string | null },
    toInput: ({ to_uuid }) => ({ params: { uuid }, body: { to_uuid: to_uuid ?? '', item_ids: items.map(({ id }) => id) } }),
    invalidate: [leadListApi.items, leadListApi.get, leadListApi.list],
    savedText: '',
    onSaved: ({ moved, there, left }) => {
      notify.success(t('moved', { moved: integer(moved), there: integer(there), left: integer(left) }))
      onClose()
    },
  })
  return (
    <DialogForm of={form} title={t('move.title')} action={t('move')} onClose={onClose}>
      <ReferenceField of={form} name="to_uuid" label={t('move.to')} endpoint={leadListApi.options} required />
    </DialogForm>
  )
}
