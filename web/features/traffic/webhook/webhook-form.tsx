import { useTranslation } from '#web/i18n/use-translation.ts'
import { ownWebhookApi, type OwnWebhook } from '#contract/traffic/own-webhook.ts'
import { WEBHOOK_EVENTS } from '#contract/traffic/webhook.ts'
import { MultiSelectField } from '#web/kit/fields/multi-select-field.tsx'
import { TextField } from '#web/kit/fields/text-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm, type SaveForm } from '#web/kit/form/use-save-form.ts'

type Values = Pick<OwnWebhook, 'url' | 'events'>

type WebhookFormProps = { webhook: OwnWebhook | undefined; onMade: (secret: string) => void; onClose: () => void }

/** Changes a webhook, or makes one; its secret is handed on, for it is told this once. */
export function WebhookForm({ webhook, onMade, onClose }: WebhookFormProps) {
  return webhook === undefined ? <Create onMade={onMade} onClose={onClose} /> : <Edit webhook={webhook} onClose={onClose} />
}

function Create({ onMade, onClose }: Omit<WebhookFormProps, 'webhook'>) {
  const { t } = useTranslation('webhook')
  const form = useSaveForm({
    endpoint: ownWebhookApi.create,
    initial: { url: '', events: [...WEBHOOK_EVENTS] } as Values, // widens the literals
    toInput: (body) => ({ body }),
    invalidate: [ownWebhookApi.list],
    savedText: '',
    onSaved: ({ secret }) => onMade(secret),
  })
  return (
    <DialogForm of={form} title={t('new')} text={t('about')} action={t('create')} size={520} onClose={onClose}>
      <Fields of={form} />
    </DialogForm>
  )
}

function Edit({ webhook, onClose }: { webhook: OwnWebhook; onClose: () => void }) {
  const { t } = useTranslation('webhook')
  const form = useSaveForm({
    endpoint: ownWebhookApi.update,
    initial: { url: webhook.url, events: webhook.events } as Values, // widens the literals
    toInput: (body) => ({ params: { uuid: webhook.uuid }, body }),
    invalidate: [ownWebhookApi.list, ownWebhookApi.deliveries],
    onSaved: onClose,
  })
  return (
    <DialogForm of={form} title={t('edit')} action={t('save')} size={520} onClose={onClose}>
      <Fields of={form} />
    </DialogForm>
  )
}

function Fields({ of }: { of: SaveForm<Values> }) {
  const { t } = useTranslation('webhook')
  return (
    <>
      <TextField of={of} name="url" label={t('url')} placeholder="https://" help={t('urlHelp')} required />
      <MultiSelectField
        of={of}
        name="events"
        label={t('events')}
        options={WEBHOOK_EVENTS.map((value) => ({ value, label: t(`event.${value}`) }))}
        required
      />
    </>
  )
}
