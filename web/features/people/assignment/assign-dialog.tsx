import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { assignmentApi, type AssignedKind } from '#contract/people/assignment.ts'
import { managerApi } from '#contract/people/manager.ts'
import { call } from '#web/api/call.ts'
import { invalidate } from '#web/api/query.ts'
import { integer } from '#web/format.ts'
import { offerUndo } from '#web/kit/feedback/undo-toast.tsx'
import { ReferenceField } from '#web/kit/fields/reference-field.tsx'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { notify } from '#web/notify.ts'
import { useCan } from '#web/shell/access.ts'

type AssignDialogProps = {
  kind: AssignedKind
  uuids: string[]
  refresh: readonly Endpoint[]
  onClose: () => void
  onDone: () => void
}

/** Asks to whom the chosen ones go, gives them, and for a moment takes it back. */
export function AssignDialog({ kind, uuids, refresh, onClose, onDone }: AssignDialogProps) {
  const { t } = useTranslation('assignment')
  const client = useQueryClient()
  const givesToNobody = useCan()('setting.general')
  const [name, setName] = useState('')
  const form = useSaveForm({
    endpoint: assignmentApi.assign,
    initial: { to: 'manager' as 'manager' | 'nobody', manager_uuid: null as string | null },
    // nobody chosen yet is no answer: the server's schema refuses it at the field
    toInput: ({ to, manager_uuid }) => ({ body: { kind, uuids, manager_uuid: to === 'nobody' ? null : (manager_uuid ?? '') } }),
    invalidate: [...refresh, managerApi.list],
    savedText: '',
    onSaved: ({ changed }, { to, manager_uuid: chosen }) => {
      const manager_uuid = to === 'nobody' ? null : chosen
      onDone()
      if (changed === 0) return notify.success(t('none'))
      const words = { count: changed, number: integer(changed), name }
      offerUndo(manager_uuid === null ? t(givesToNobody ? 'doneNobody' : 'doneYourself', words) : t('done', words), () => {
        void call(assignmentApi.undo, { body: { kind, uuids, manager_uuid } })
          .then(() => notify.success(t('undone')))
          .catch(() => undefined) // the call has said why
          .then(() => invalidate(client, [...refresh, managerApi.list]))
      })
    },
  })
  return (
    <DialogForm
      of={form}
      title={t(`title_${kind}`, { count: uuids.length, number: integer(uuids.length) })}
      action={t('assign')}
      onClose={onClose}
    >
      <SelectField
        of={form}
        name="to"
        label={t('to')}
        options={[
          { value: 'manager', label: t('toManager') },
          { value: 'nobody', label: t(givesToNobody ? 'nobody' : 'yourself') },
        ]}
        help={form.values.to === 'nobody' ? t(givesToNobody ? 'nobodyHelp' : 'yourselfHelp') : undefined}
        required
      />
      {form.values.to === 'manager' && (
        <ReferenceField
          of={form}
          name="manager_uuid"
          label={t('manager')}
          endpoint={managerApi.options}
          onPick={(row) => setName(row.name)}
          required
        />
      )}
    </DialogForm>
  )
}
