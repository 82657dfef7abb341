import { useTranslation } from 'react-i18next'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { RECOLD_CHANGED } from '#web/features/leads/recold/use-recold-actions.tsx'
import { integer } from '#web/format.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

type Props = { uuid: string; people: readonly string[]; onMoved: () => void; onClose: () => void }

/** Moves people of a distribution to another list. */
export function MovePeople({ uuid, people, onMoved, onClose }: Props) {
  const { t } = useTranslation('recold')
  const form = useSaveForm({
    endpoint: recoldApi.move,
    initial: { to_uuid: null as string | null },
    toInput: ({ to_uuid }) => ({ params: { uuid }, body: { to_uuid: to_uuid ?? '', uuids: [...people] } }),
    invalidate: [...RECOLD_CHANGED, leadListApi.items, leadListApi.get, leadListApi.list],
    savedText: '',
    onSaved: ({ moved, there, left, cancelled }) => {
      notify.success(t('moved', { moved: integer(moved), there: integer(there), left: integer(left), cancelled: integer(cancelled) }))
      onMoved()
    },
  })
  return (
    <DialogForm of={form} title={t('move')} action={t('move.action')} onClose={onClose}>
      <ReferenceField of={form} name="to_uuid" label={t('move.to')} endpoint={leadListApi.options} required />
    </DialogForm>
  )
}
