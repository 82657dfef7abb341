import { Alert } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { KEPT_KEY_HOURS } from '#contract/traffic/postback-message.ts'
import { ownWebhookApi, type OwnWebhook } from '#contract/traffic/own-webhook.ts'
import { SelectField } from '#web/kit/fields/select-field.tsx'
import { DialogForm } from '#web/kit/form/dialog-form.tsx'
import { useSaveForm } from '#web/kit/form/use-save-form.ts'
import { Until } from '#web/kit/show/until.tsx'
import { useNow } from '#web/kit/show/use-now.ts'

/** Gives a webhook another secret; the one before may go on signing beside it, so that nothing is refused meanwhile. */
export function RotateSecret({ webhook, onMade, onClose }: { webhook: OwnWebhook; onMade: (secret: string) => void; onClose: () => void }) {
  const { t } = useTranslation('webhook')
  const now = useNow()
  const { uuid, before_until: until } = webhook
  const form = useSaveForm({
    endpoint: ownWebhookApi.rotate,
    initial: { keep_hours: '24' },
    toInput: ({ keep_hours }) => ({
      params: { uuid },
      body: { keep_hours: KEPT_KEY_HOURS.find((hours) => String(hours) === keep_hours) ?? 0 },
    }),
    invalidate: [ownWebhookApi.list],
    savedText: '',
    onSaved: ({ secret }) => onMade(secret),
  })
  return (
    <DialogForm of={form} title={t('rotate')} text={t('rotate.text')} action={t('rotate.action')} size={520} onClose={onClose}>
      {until !== null && Date.parse(until) > now && (
        <Alert color="yellow" variant="light">
          {t('secret.before')} <Until at={until} />
        </Alert>
      )}
      <SelectField
        of={form}
        name="keep_hours"
        label={t('keep')}
        options={KEPT_KEY_HOURS.map((hours) => ({ value: String(hours), label: t(`keep.${hours}`) }))}
      />
    </DialogForm>
  )
}
