import { useTranslation } from '#web/i18n/use-translation.ts'
import { TEMPLATE_MACROS, ticketTemplateApi, type TicketTemplate } from '#contract/network/ticket-template.ts'
import { LongTextField } from '#web/kit/fields/long-text-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'

type TemplateFormProps = { template: TicketTemplate | null; onClose: () => void }

/** Makes a template, or changes one. */
export function TemplateForm({ template, onClose }: TemplateFormProps) {
  return template === null ? <Fresh onClose={onClose} /> : <Stored template={template} onClose={onClose} />
}

function Fresh({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('ticket')
  const form = useSaveForm({
    endpoint: ticketTemplateApi.create,
    initial: { title: '', body: '' },
    toInput: (values) => ({ body: values }),
    invalidate: [ticketTemplateApi.list],
    onSaved: onClose,
  })
  const help = t('template.macros', { macros: TEMPLATE_MACROS.map((name) => `{${name}}`).join(' ') })
  return (
    <DialogForm of={form} title={t('template.new')} action={t('template.save')} onClose={onClose}>
      <TextField of={form} name="title" label={t('template.title')} required />
      <LongTextField of={form} name="body" label={t('message')} help={help} required />
    </DialogForm>
  )
}

function Stored({ template, onClose }: { template: TicketTemplate; onClose: () => void }) {
  const { t } = useTranslation('ticket')
  const form = useSaveForm({
    endpoint: ticketTemplateApi.update,
    record: template,
    valuesOf: ({ title, body }) => ({ title, body }),
    toInput: (values, { version }) => ({ params: { uuid: template.uuid }, body: { ...values, version } }),
    invalidate: [ticketTemplateApi.list],
    onSaved: onClose,
  })
  const help = t('template.macros', { macros: TEMPLATE_MACROS.map((name) => `{${name}}`).join(' ') })
  return (
    <DialogForm of={form} title={t('template.edit')} action={t('template.save')} onClose={onClose}>
      <TextField of={form} name="title" label={t('template.title')} required />
      <LongTextField of={form} name="body" label={t('message')} help={help} required />
    </DialogForm>
  )
}
