import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { affiliateApi } from '#contract/people/affiliate.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { NumberField } from '#web/kit/fields/number-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { SideForm } from '#web/kit/form/side-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

/** The forms that open over a page. Nothing is ever sent. */
export function FormSamples() {
  const [open, setOpen] = useState<'side' | 'dialog'>()
  const close = () => setOpen(undefined)
  return (
    <Group gap="10px 14px">
      <Button variant="default" onClick={() => setOpen('side')}>
        Form at the side
      </Button>
      <Button variant="default" onClick={() => setOpen('dialog')}>
        Form in a dialog
      </Button>
      {open === 'side' && <SideSample onClose={close} />}
      {open === 'dialog' && <DialogSample onClose={close} />}
    </Group>
  )
}

function SideSample({ onClose }: { onClose: () => void }) {
  const form = useSample()
  return (
    <SideForm of={form} title="Edit rate" action="Save rate" onClose={onClose}>
      <TextField of={form} name="name" label="Name" required />
      <NumberField of={form} name="amount" label="Rate" unit="EUR" help="Used from the next conversion on." />
    </SideForm>
  )
}

function DialogSample({ onClose }: { onClose: () => void }) {
  const form = useSample()
  return (
    <DialogForm of={form} title="Decline conversion" action="Decline" onClose={onClose}>
      <LongTextField of={form} name="name" label="Reason" required />
    </DialogForm>
  )
}

function useSample() {
  return useSaveForm({
    endpoint: affiliateApi.setStatus,
    initial: { name: '', amount: '0.92' },
    toInput: () => ({ body: { uuids: [], status: 'active' as const } }),
    invalidate: [],
    onSaved: () => {},
  })
}
