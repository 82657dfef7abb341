import { Button, FileButton, Group, Text } from '@mantine/core'
import { IconPaperclip } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { fileApi, LARGEST_FILE } from '#contract/network/file.ts'
import { ownDocumentApi } from '#contract/money/own-document.ts'
import { ownInvoiceApi } from '#contract/money/own-invoice.ts'
import { call } from '#web/api/call.ts'
import { DayField } from '#web/kit/fields/day/day-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { useZone } from '#web/kit/show/zone.tsx'
import { todayIn } from '#web/zone-time.ts'

/** Number, day and file of an affiliate's own invoice; the file is sent as soon as it is chosen. */
export function GiveDocument({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('invoice')
  const zone = useZone()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState('')
  const [sending, setSending] = useState(false)
  const form = useSaveForm({
    endpoint: ownDocumentApi.give,
    initial: { number: '', day: todayIn(zone) as string | null, file_uuid: '' },
    toInput: ({ number, day, file_uuid }) => ({ params: { uuid }, body: { number, day: day ?? '', file_uuid } }),
    invalidate: [ownDocumentApi.own, ownInvoiceApi.get],
    savedText: t('ownDoc.done'),
    onSaved: onClose,
  })
  const choose = async (file: File | null) => {
    if (file === null) return
    setProblem(file.size > LARGEST_FILE ? t('ownDoc.tooLarge') : '')
    if (file.size > LARGEST_FILE) return
    setSending(true)
    try {
      const body = new Uint8Array(await file.arrayBuffer())
      const kept = await call(fileApi.upload, { query: { kind: 'own_invoice', name: file.name.slice(-200) }, body }, { quiet: true })
      setName(kept.name)
      form.form.setFieldValue('file_uuid', kept.uuid)
    } catch {
      setProblem(t('ownDoc.unreadable'))
    } finally {
      setSending(false)
    }
  }
  const error = problem || (form.values.file_uuid === '' ? form.form.errors['file_uuid'] : undefined)
  return (
    <DialogForm
      of={{
        ...form,
        submit: (event) => {
          event?.preventDefault()
          if (form.values.file_uuid === '') setProblem(t('ownDoc.chooseFirst'))
          else form.submit(event)
        },
      }}
      title={t('ownDoc.title')}
      text={t('ownDoc.text')}
      action={t('ownDoc.give')}
      onClose={onClose}
    >
      <TextField of={form} name="number" label={t('ownDoc.number')} required />
      <DayField of={form} name="day" label={t('ownDoc.day')} required />
      <div>
        <Group gap={10}>
          <FileButton accept="application/pdf,image/png,image/jpeg" onChange={(file) => void choose(file)}>
            {(props) => (
              <Button {...props} variant="default" loading={sending} leftSection={<IconPaperclip size={16} aria-hidden />}>
                {t(name === '' ? 'ownDoc.choose' : 'ownDoc.another')}
              </Button>
            )}
          </FileButton>
          <Text fz={14} style={{ overflowWrap: 'anywhere' }} aria-live="polite">
            {name === '' ? t('ownDoc.kinds') : name}
          </Text>
        </Group>
        {error && (
          <Text fz={13} c="var(--mantine-color-error)" mt={4} role="alert">
            {error}
          </Text>
        )}
      </div>
    </DialogForm>
  )
}
