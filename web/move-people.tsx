import { useTranslation } from '#web/i18n/use-translation.ts'
import type { CallInput, CallOutput, Endpoint } from '#contract/endpoint.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import type { recoldApi } from '#contract/leads/recold.ts'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'

type MovePeopleProps<E extends Endpoint> = {
  endpoint: E
  inputFor: (toUuid: string) => CallInput<E>
  /** What the toast says of what came of it. */
  told: (output: CallOutput<E>) => string
  /** What is no longer true beside the lists. */
  invalidate?: readonly Endpoint[]
  onMoved: () => void
  onClose: () => void
}

/** Moves people, of a list or of a distribution, to another list. */
export function MovePeople<E extends typeof leadListApi.moveItems | typeof recoldApi.move>({
  endpoint,
  inputFor,
  told,
  invalidate = [],
  onMoved,
  onClose,
}: MovePeopleProps<E>) {
  const { t } = useTranslation('leadList')
  const form = useSaveForm({
    endpoint,
    initial: { to_uuid: null as string | null },
    toInput: ({ to_uuid }) => inputFor(to_uuid ?? ''),
    invalidate: [...invalidate, leadListApi.items, leadListApi.get, leadListApi.list],
    savedText: '',
    onSaved: (output) => {
      notify.success(told(output))
      onMoved()
    },
  })
  return (
    <DialogForm of={form} title={t('move.title')} action={t('move')} onClose={onClose}>
      <ReferenceField of={form} name="to_uuid" label={t('move.to')} endpoint={leadListApi.options} required />
    </DialogForm>
  )
}
